import { message } from '@postil/contract/wire/message.ts'
import { expect, it } from 'vitest'
import { castRow } from './cast-row.ts'

it('rejects a row that repeats one text too often', () => {
  const text = new Uint8Array(1_000_000).fill(65)
  const features = { texts: [{ _type: 'Value', dtype: 'bytes' }] }
  const { row } = castRow({ texts: new Array(100_000).fill(text) }, 0, ['texts'], features)
  expect(row).toEqual({ row: 1, line: 1, fault: message('rowTooLong', { limit: 8_000_000 }) })
})
