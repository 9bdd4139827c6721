import type { BootOptions } from '@postil/testkit/boot.ts'
import { startStandInHub } from '@postil/testkit/stand-in-hub/stand-in-hub.ts'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { ApiFixture } from './fixture.ts'

/** Starts a fake Hub with one dataset, for tests that call every route. */
export const wireHub = async (): Promise<{ env: NonNullable<BootOptions['env']>; close: () => Promise<void> }> => {
  const hub = await startStandInHub()
  const file = new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'text', data: ['one', 'two'], type: 'STRING' }] }))
  const features = { text: { dtype: 'string', _type: 'Value' } }
  hub.put('team/rows', [{ subset: 'default', split: 'train', features, files: [file] }])
  return { env: { HF_ENDPOINT: hub.url, POSTIL_DATASETS_SERVER: hub.url }, close: hub.close }
}

export const hubSource = { name: 'team/rows', subset: 'default', split: 'train' }

/** Dataset settings for the Hub rows. */
export const hubPlan = ({ word }: ApiFixture) => ({
  ...hubSource,
  mapping: { fields: [{ source: 'text', target: `${word}-text` }] },
  fields: [{ name: `${word}-text`, title: 'Text', required: true, settings: { type: 'text' } }],
  questions: [],
})
