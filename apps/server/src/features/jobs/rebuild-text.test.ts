import { detail } from '@postil/testkit/detail.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from '#app.ts'
import { recount } from '#features/records/service.ts'
import { must, search, text } from '#features/search/testing/searching.ts'
import { TOKENIZER_VERSION } from '#platform/text/tokens.ts'
import { resumeTextRebuilds } from './service.ts'
import type { IdleServer } from './testing/idle-server.ts'
import { beginRebuild, corruptText, releaseAll, textStateOf } from './testing/operations.ts'
import {
  bootRebuilding,
  compareSearches,
  finishJob,
  item,
  longText,
  prepare,
  ranking,
  runHalf,
  step,
  take,
} from './testing/rebuilding.ts'

const COUNT = 60

let idleServer: IdleServer
beforeAll(async () => {
  idleServer = await bootRebuilding()
})
afterAll(() => idleServer.close())

const differences = async (no: number) => recount(idleServer.server.app.ctx, no)
const expectExact = async (dataset: Parameters<typeof compareSearches>[1]) => {
  const { found, expected } = await compareSearches(idleServer, dataset)
  expect(found).toEqual(expected)
}
const first = <T>([one]: readonly T[]): T => {
  if (one === undefined) throw new Error('there is no job')
  return one
}

describe('a text index built by another tokenizer', () => {
  it('is rebuilt in the background, and searches are exact before, during and after', async () => {
    const { dataset, no } = await prepare(idleServer, COUNT)
    const inOrder = await ranking(idleServer, dataset)
    const expectAll = async () => {
      await expectExact(dataset)
      expect(await ranking(idleServer, dataset)).toEqual(inOrder)
    }
    await expectAll()
    expect(await differences(no)).toEqual([])
    await idleServer.tool.write(corruptText, { dataset_no: no })
    expect((await differences(no)).map(({ what }) => what)).toEqual(expect.arrayContaining(['dataset_tokens', 'record_text']))
    await idleServer.tool.write(corruptText, { dataset_no: no, version: 0 })
    await expectAll()
    await resumeTextRebuilds(idleServer.server.app.ctx)
    await expectAll()
    const held = await runHalf(idleServer, no, first(await take(idleServer)))
    await expectAll()
    await finishJob(idleServer, held)
    expect(await idleServer.tool.read(textStateOf, { dataset_no: no })).toMatchObject({
      text_version: TOKENIZER_VERSION,
      text_rebuilt_to: null,
    })
    await expectAll()
    expect(await differences(no)).toEqual([])
  })

  detail('is exact for records that are written, changed and deleted during the rebuild', async () => {
    const { dataset, no } = await prepare(idleServer, COUNT)
    const owner = idleServer.server.clientFor(idleServer.server.owner)
    const path = `/datasets/${dataset.id}/records`
    type Items = { items: { id: string; external_id: string }[] }
    const { items } = must(await owner.get<Items>(`${path}?limit=1000`))
    await idleServer.tool.write(corruptText, { dataset_no: no })
    await idleServer.tool.write(beginRebuild, { dataset_no: no })
    const held = await runHalf(idleServer, no, first(await take(idleServer)))
    // The rebuild has reached the third record, but not the second-to-last one.
    const changed = [2, COUNT - 2].map((i) => ({ ...item(i), fields: { text: `newcomer ${longText(i)}`, note: 'hello' } }))
    must(await owner.put(`${path}/bulk`, { items: [...changed, ...[0, 1].map((i) => item(COUNT + i))] }))
    const gone = [3, COUNT - 3].map((i) => items.find(({ external_id }) => external_id === `e${i}`)?.id)
    expect((await owner.delete(`${path}?ids=${gone.join(',')}`)).status).toBe(204)
    await expectExact(dataset)
    await finishJob(idleServer, held)
    await expectExact(dataset)
    expect(await differences(no)).toEqual([])
  })

  detail('is also rebuilt when a record is written before a server starts', async () => {
    const { dataset, no } = await prepare(idleServer, 20)
    await idleServer.tool.write(corruptText, { dataset_no: no, version: 0 })
    const owner = idleServer.server.clientFor(idleServer.server.owner)
    must(await owner.post(`/datasets/${dataset.id}/records/bulk`, { items: [item(20)] }))
    expect(await idleServer.tool.read(textStateOf, { dataset_no: no })).toMatchObject({
      text_version: TOKENIZER_VERSION,
      text_rebuilt_to: 0,
    })
    await expectExact(dataset)
    await finishJob(idleServer, first(await take(idleServer)))
    expect(await differences(no)).toEqual([])
  })

  it('resumes where a killed process stopped, and indexes nothing twice', async () => {
    const { dataset, no } = await prepare(idleServer, COUNT)
    await idleServer.tool.write(corruptText, { dataset_no: no, version: 0 })
    await resumeTextRebuilds(idleServer.server.app.ctx)
    const lost = await runHalf(idleServer, no, first(await take(idleServer)))
    const before = await idleServer.tool.read(textStateOf, { dataset_no: no })
    // A process that starts now finds the running job and doesn't add another one.
    await resumeTextRebuilds(idleServer.server.app.ctx)
    expect(await take(idleServer)).toEqual([])
    await idleServer.tool.write(releaseAll, {})
    const taken = await take(idleServer)
    expect(taken).toHaveLength(1)
    expect(await step(idleServer, lost)).toBeNull()
    expect(await idleServer.tool.read(textStateOf, { dataset_no: no })).toEqual(before)
    await finishJob(idleServer, first(taken))
    expect(await differences(no)).toEqual([])
    await expectExact(dataset)
  })
})

describe('cached search results', () => {
  detail('are discarded when the index is rebuilt', async () => {
    const { dataset, no } = await prepare(idleServer, 40)
    await idleServer.tool.write(corruptText, { dataset_no: no })
    const owner = idleServer.server.clientFor(idleServer.server.owner)
    const totals = async () => [
      (await search(owner, dataset, text('hello'))).total,
      (await search(owner, dataset, text('lie'))).total,
    ]
    const wrong = await totals()
    expect(wrong).not.toEqual([14, 0])
    expect(await totals()).toEqual(wrong)
    await idleServer.tool.write(beginRebuild, { dataset_no: no })
    expect(await totals()).toEqual([14, 0])
    await finishJob(idleServer, first(await take(idleServer)))
    expect(await totals()).toEqual([14, 0])
  })
})

describe('a starting server', () => {
  it('rebuilds an index of another version automatically', async () => {
    const own = await bootRebuilding()
    const { no } = await prepare(own, 60)
    await own.tool.write(corruptText, { dataset_no: no, version: 99 })
    const { config } = own.server.app.ctx
    await own.server.app.close()
    const again = await createApp(config, { pageDir: 'no page', background: { pollMs: 20 } })
    try {
      await vi.waitFor(
        async () =>
          expect(await own.tool.read(textStateOf, { dataset_no: no })).toMatchObject({
            text_version: TOKENIZER_VERSION,
            text_rebuilt_to: null,
          }),
        { timeout: 20_000, interval: 100 },
      )
      expect(await recount(again.ctx, no)).toEqual([])
    } finally {
      await again.close()
      await own.close()
    }
  })
})
