import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from '#app.ts'
import { recount } from '#features/records/service.ts'
import { must, search, text } from '#features/search/testing/searching.ts'
import { TOKENIZER_VERSION } from '#platform/text/tokens.ts'
import { resumeTextRebuilds } from './service.ts'
import type { Idle } from './testing/idle.ts'
import { beginRebuild, releaseAll, spoilText, textStateOf } from './testing/operations.ts'
import {
  bootRebuilding,
  compareSearches,
  finish,
  halfWay,
  item,
  longText,
  prepare,
  ranking,
  step,
  take,
} from './testing/rebuilding.ts'

const COUNT = 120

let idle: Idle
beforeAll(async () => {
  idle = await bootRebuilding()
})
afterAll(() => idle.close())

const differences = async (no: number) => recount(idle.server.app.ctx, no)
const expectExact = async (dataset: Parameters<typeof compareSearches>[1]) => {
  const { found, meant } = await compareSearches(idle, dataset)
  expect(found).toEqual(meant)
}
const first = <T>([one]: readonly T[]): T => {
  if (one === undefined) throw new Error('there is no job')
  return one
}

describe('a text index that another tokenizer made', () => {
  it('is made again in the background, and searches are exact before, during and after', async () => {
    const { dataset, no } = await prepare(idle, COUNT)
    const inOrder = await ranking(idle, dataset)
    const expectAll = async () => {
      await expectExact(dataset)
      expect(await ranking(idle, dataset)).toEqual(inOrder)
    }
    await expectAll()
    expect(await differences(no)).toEqual([])
    await idle.tool.write(spoilText, { dataset_no: no })
    expect((await differences(no)).map(({ what }) => what)).toEqual(expect.arrayContaining(['dataset_tokens', 'record_text']))
    await idle.tool.write(spoilText, { dataset_no: no, version: 0 })
    await expectAll()
    await resumeTextRebuilds(idle.server.app.ctx)
    await expectAll()
    const held = await halfWay(idle, no, first(await take(idle)))
    await expectAll()
    await finish(idle, held)
    expect(await idle.tool.read(textStateOf, { dataset_no: no })).toMatchObject({
      text_version: TOKENIZER_VERSION,
      text_rebuilt_to: null,
    })
    await expectAll()
    expect(await differences(no)).toEqual([])
  })

  it('is exact for records that are written, changed and deleted meanwhile', async () => {
    const { dataset, no } = await prepare(idle, COUNT)
    const owner = idle.server.as(idle.server.owner)
    const path = `/datasets/${dataset.id}/records`
    type Items = { items: { id: string; external_id: string }[] }
    const { items } = must(await owner.get<Items>(`${path}?limit=1000`))
    await idle.tool.write(spoilText, { dataset_no: no })
    await idle.tool.write(beginRebuild, { dataset_no: no })
    const held = await halfWay(idle, no, first(await take(idle)))
    // The third record has been met, the one before the last has not.
    const changed = [2, COUNT - 2].map((i) => ({ ...item(i), fields: { text: `newcomer ${longText(i)}`, note: 'hello' } }))
    must(await owner.put(`${path}/bulk`, { items: [...changed, ...[0, 1].map((i) => item(COUNT + i))] }))
    const gone = [3, COUNT - 3].map((i) => items.find(({ external_id }) => external_id === `e${i}`)?.id)
    expect((await owner.delete(`${path}?ids=${gone.join(',')}`)).status).toBe(204)
    await expectExact(dataset)
    await finish(idle, held)
    await expectExact(dataset)
    expect(await differences(no)).toEqual([])
  })

  it('is made again as well when a record is written before a server starts', async () => {
    const { dataset, no } = await prepare(idle, 20)
    await idle.tool.write(spoilText, { dataset_no: no, version: 0 })
    const owner = idle.server.as(idle.server.owner)
    must(await owner.post(`/datasets/${dataset.id}/records/bulk`, { items: [item(20)] }))
    expect(await idle.tool.read(textStateOf, { dataset_no: no })).toMatchObject({
      text_version: TOKENIZER_VERSION,
      text_rebuilt_to: 0,
    })
    await expectExact(dataset)
    await finish(idle, first(await take(idle)))
    expect(await differences(no)).toEqual([])
  })

  it('goes on where a killed process left it, and nothing is indexed twice', async () => {
    const { dataset, no } = await prepare(idle, COUNT)
    await idle.tool.write(spoilText, { dataset_no: no, version: 0 })
    await resumeTextRebuilds(idle.server.app.ctx)
    const lost = await halfWay(idle, no, first(await take(idle)))
    const before = await idle.tool.read(textStateOf, { dataset_no: no })
    // Another process that starts meets a job that is on its way, and adds none.
    await resumeTextRebuilds(idle.server.app.ctx)
    expect(await take(idle)).toEqual([])
    await idle.tool.write(releaseAll, {})
    const taken = await take(idle)
    expect(taken).toHaveLength(1)
    expect(await step(idle, lost)).toBeNull()
    expect(await idle.tool.read(textStateOf, { dataset_no: no })).toEqual(before)
    await finish(idle, first(taken))
    expect(await differences(no)).toEqual([])
    await expectExact(dataset)
  })
})

describe('what was kept of searches', () => {
  it('is not handed out any more once the index is made again', async () => {
    const { dataset, no } = await prepare(idle, 40)
    await idle.tool.write(spoilText, { dataset_no: no })
    const owner = idle.server.as(idle.server.owner)
    const totals = async () => [
      (await search(owner, dataset, text('hello'))).total,
      (await search(owner, dataset, text('lie'))).total,
    ]
    const wrong = await totals()
    expect(wrong).not.toEqual([14, 0])
    expect(await totals()).toEqual(wrong)
    await idle.tool.write(beginRebuild, { dataset_no: no })
    expect(await totals()).toEqual([14, 0])
    await finish(idle, first(await take(idle)))
    expect(await totals()).toEqual([14, 0])
  })
})

describe('a server that starts', () => {
  it('rebuilds by itself what another version made', async () => {
    const own = await bootRebuilding()
    const { no } = await prepare(own, 60)
    await own.tool.write(spoilText, { dataset_no: no, version: 99 })
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
        { timeout: 20_000, interval: 50 },
      )
      expect(await recount(again.ctx, no)).toEqual([])
    } finally {
      await again.close()
      await own.close()
    }
  })
})
