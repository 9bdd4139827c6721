import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Answers } from '#lib/drafts/draft.ts'
import { createDrafts } from '#lib/drafts/drafts.ts'
import { openDevice } from './device.ts'
import { wouldLose } from './outbox.ts'
import { answerOf, becomes, createBrowser, database, openTab, save, server, settled, wanted } from './testing/tabs.ts'

const { put } = IDBObjectStore.prototype
/** What the disk makes of a value; undefined where it takes it. */
let refusal: (store: IDBObjectStore, value: unknown) => 'throws' | 'aborts' | undefined
const isFull = (how: 'throws' | 'aborts' = 'throws'): void => {
  refusal = () => how
}
const hasRoom = (): void => {
  refusal = () => undefined
}

beforeEach(() => {
  hasRoom()
  IDBObjectStore.prototype.put = function (...[value, key]: Parameters<typeof put>) {
    const refused = refusal(this, value)
    if (refused === 'throws') throw new DOMException('full', 'QuotaExceededError')
    const request = put.call(this, value, key)
    if (refused === 'aborts') this.transaction.abort()
    return request
  }
})
afterEach(() => {
  IDBObjectStore.prototype.put = put
})

const edit = (value: string): { answers: Answers; base_version: null } => ({
  answers: { q: { value, suggested: null } },
  base_version: null,
})
/** Edits of a record, as another tab finds them. */
const editsOnDisk = async (recordId: string): Promise<unknown> => {
  const found = await (await openDevice(database)).drafts('ada', 'd')
  return found.find(({ record_id }) => record_id === recordId)?.answers['q']?.value
}
const changesOnDisk = async (): Promise<readonly (readonly [string, unknown])[]> =>
  (await (await openDevice(database)).lines('ada')).map(({ record_id, entries }) => {
    const change = entries.at(-1)?.change
    return [record_id, change?.kind === 'save' ? change.values['q']?.value : null]
  })
const offline = (): void => void server.faults.push(...Array.from({ length: 50 }, () => 'hang up before' as const))
const open = async () => {
  const device = openDevice(database)
  const tab = await openTab(createBrowser(), device)
  await tab.start('ada')
  return { device: await device, tab, drafts: createDrafts(device, 'ada', 'd') }
}

test.each(['throws', 'aborts'] as const)(
  'an edit that the disk refuses is told of until it takes it, where it %s',
  async (how) => {
    const { tab, drafts } = await open()
    await drafts.put('r1', edit('a'))
    expect(wouldLose(tab.snapshot())).toBe(false)
    isFull(how)
    await drafts.put('r1', edit('ab'))
    expect([[...tab.snapshot().onlyHere], wouldLose(tab.snapshot())]).toEqual([['r1'], true])
    expect([await editsOnDisk('r1'), drafts.get('r1')?.answers['q']?.value]).toEqual(['a', 'ab'])
    hasRoom()
    await drafts.put('r1', edit('abc'))
    expect([tab.snapshot().onlyHere.size, wouldLose(tab.snapshot()), await editsOnDisk('r1')]).toEqual([0, false, 'abc'])
  },
)

test('what was refused is written with the next edit of another record, and by itself a little later', async () => {
  const { tab, drafts } = await open()
  isFull()
  await drafts.put('r1', edit('a'))
  await drafts.put('r2', edit('b'))
  hasRoom()
  await drafts.put('r3', edit('c'))
  await expect.poll(() => tab.snapshot().onlyHere.size).toBe(0)
  expect([await editsOnDisk('r1'), await editsOnDisk('r2')]).toEqual(['a', 'b'])
  isFull()
  await drafts.put('r1', edit('later'))
  hasRoom()
  await vi.waitFor(() => expect(tab.snapshot().onlyHere.size).toBe(0), { timeout: 4000 })
  expect(await editsOnDisk('r1')).toBe('later')
})

test('edits that only this tab has are found by whoever opens the dataset in it again', async () => {
  const { device, drafts } = await open()
  isFull()
  await drafts.put('r1', edit('a'))
  const again = createDrafts(Promise.resolve(device), 'ada', 'd')
  await again.load()
  expect(again.get('r1')?.answers).toEqual(edit('a').answers)
  const elsewhere = createDrafts(Promise.resolve(device), 'ada', 'other')
  await elsewhere.load()
  expect(elsewhere.get('r1')).toBeNull()
})

test('one that is too large does not hold up the others', async () => {
  const { tab, drafts } = await open()
  isFull()
  await drafts.put('r1', edit('large'))
  await drafts.put('r2', edit('small'))
  refusal = (_, value) => (JSON.stringify(value).includes('large') ? 'throws' : undefined)
  await drafts.put('r3', edit('small'))
  await expect.poll(() => [...tab.snapshot().onlyHere]).toEqual(['r1'])
  expect(await editsOnDisk('r2')).toBe('small')
})

test('an answer that the disk refuses is sent all the same, and nothing of it is left', async () => {
  const { tab, drafts } = await open()
  await drafts.put('r1', edit('a'))
  isFull()
  await tab.save({ ...wanted('r1', null, save('a')), ended: drafts.end('r1') })
  await settled(tab)
  expect([answerOf('r1'), wouldLose(tab.snapshot())]).toEqual(['a', false])
  await vi.waitFor(async () => expect(await editsOnDisk('r1')).toBeUndefined(), { timeout: 4000 })
})

test('an answer that only this tab has is told of, and leaves its edits on the disk until that has the answer', async () => {
  const { tab, drafts } = await open()
  await drafts.put('r1', edit('a'))
  offline()
  isFull()
  await tab.save({ ...wanted('r1', null, save('ab')), ended: drafts.end('r1') })
  await becomes(tab, 'r1', 'kept')
  expect([[...tab.snapshot().onlyHere], wouldLose(tab.snapshot())]).toEqual([['r1'], true])
  await drafts.put('r2', edit('x'))
  expect([await editsOnDisk('r1'), await changesOnDisk()]).toEqual(['a', []])
  hasRoom()
  await drafts.put('r2', edit('xy'))
  await expect.poll(() => tab.snapshot().onlyHere.size).toBe(0)
  await expect.poll(() => editsOnDisk('r1')).toBeUndefined()
  expect(await changesOnDisk()).toEqual([['r1', 'ab']])
})

test('an answer on the disk stays kept while the disk is full, and the last one of a record is written last', async () => {
  const { tab } = await open()
  offline()
  await tab.save(wanted('r1', null, save('a')))
  await becomes(tab, 'r1', 'kept')
  isFull()
  tab.wake()
  await tab.save(wanted('r2', null, save('b')))
  await becomes(tab, 'r2', 'kept')
  expect([...tab.snapshot().onlyHere]).toEqual(['r2'])
  await tab.save(wanted('r1', null, save('aa')))
  expect([...tab.snapshot().onlyHere].toSorted()).toEqual(['r1', 'r2'])
  hasRoom()
  await tab.save(wanted('r1', null, save('aaa')))
  await expect.poll(() => tab.snapshot().onlyHere.size).toBe(0)
  expect((await changesOnDisk()).toSorted()).toEqual([
    ['r1', 'aaa'],
    ['r2', 'b'],
  ])
  server.faults.length = 0
  tab.wake()
  await settled(tab)
  expect([answerOf('r1'), answerOf('r2')]).toEqual(['aaa', 'b'])
})

test('several answers that the disk takes only in part are refused together', async () => {
  const { tab } = await open()
  offline()
  refusal = (_, value) => (JSON.stringify(value).includes('large') ? 'throws' : undefined)
  await tab.save(wanted('r1', null, save('small')), wanted('r2', null, save('large')))
  expect([...tab.snapshot().onlyHere].toSorted()).toEqual(['r1', 'r2'])
  expect(await changesOnDisk()).toEqual([])
})

test('an answer that another tab has sent meanwhile is not brought back', async () => {
  const { tab } = await open()
  offline()
  await tab.save(wanted('r1', null, save('a')))
  await becomes(tab, 'r1', 'kept')
  isFull()
  tab.wake()
  await becomes(tab, 'r1', 'kept')
  tab.stop()
  hasRoom()
  server.faults.length = 0
  const other = await open()
  await settled(other.tab)
  await tab.start('ada')
  await settled(tab)
  expect([await changesOnDisk(), server.writes()]).toEqual([[], 1])
})
