import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Answers } from '#lib/drafts/draft.ts'
import { createDrafts } from '#lib/drafts/drafts.ts'
import { openDevice } from './device.ts'
import { wouldLoseAnswers } from './outbox.ts'
import { answerOf, createBrowser, database, expectState, mutationInput, openTab, save, server, settled } from './testing/tabs.ts'

const { put } = IDBObjectStore.prototype
/** How storing a value fails; undefined if it succeeds. */
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
/** Returns a record's edits as another tab would read them. */
const storedEdits = async (recordId: string): Promise<unknown> => {
  const found = await (await openDevice(database)).drafts('ada', 'd')
  return found.find(({ record_id }) => record_id === recordId)?.answers['q']?.value
}
const storedChanges = async (): Promise<readonly (readonly [string, unknown])[]> =>
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
  'an edit that the disk refuses is reported until it is stored, when the disk %s',
  async (how) => {
    const { tab, drafts } = await open()
    await drafts.put('r1', edit('a'))
    expect(wouldLoseAnswers(tab.snapshot())).toBe(false)
    isFull(how)
    await drafts.put('r1', edit('ab'))
    expect([[...tab.snapshot().memoryOnly], wouldLoseAnswers(tab.snapshot())]).toEqual([['r1'], true])
    expect([await storedEdits('r1'), drafts.get('r1')?.answers['q']?.value]).toEqual(['a', 'ab'])
    hasRoom()
    await drafts.put('r1', edit('abc'))
    expect([tab.snapshot().memoryOnly.size, wouldLoseAnswers(tab.snapshot()), await storedEdits('r1')]).toEqual([0, false, 'abc'])
  },
)

test('a refused edit is written with the next edit of another record, or by a later retry', async () => {
  const { tab, drafts } = await open()
  isFull()
  await drafts.put('r1', edit('a'))
  await drafts.put('r2', edit('b'))
  hasRoom()
  await drafts.put('r3', edit('c'))
  await expect.poll(() => tab.snapshot().memoryOnly.size).toBe(0)
  expect([await storedEdits('r1'), await storedEdits('r2')]).toEqual(['a', 'b'])
  isFull()
  await drafts.put('r1', edit('later'))
  hasRoom()
  await vi.waitFor(() => expect(tab.snapshot().memoryOnly.size).toBe(0), { timeout: 4000 })
  expect(await storedEdits('r1')).toBe('later')
})

test('edits that only this tab has are found when the dataset is opened in it again', async () => {
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

test('an edit that is too large doesn’t block the others', async () => {
  const { tab, drafts } = await open()
  isFull()
  await drafts.put('r1', edit('large'))
  await drafts.put('r2', edit('small'))
  refusal = (_, value) => (JSON.stringify(value).includes('large') ? 'throws' : undefined)
  await drafts.put('r3', edit('small'))
  await expect.poll(() => [...tab.snapshot().memoryOnly]).toEqual(['r1'])
  expect(await storedEdits('r2')).toBe('small')
})

test('an answer that the disk refuses is still sent, and leaves nothing behind', async () => {
  const { tab, drafts } = await open()
  await drafts.put('r1', edit('a'))
  isFull()
  await tab.save({ ...mutationInput('r1', null, save('a')), ended: drafts.end('r1') })
  await settled(tab)
  expect([answerOf('r1'), wouldLoseAnswers(tab.snapshot())]).toEqual(['a', false])
  await vi.waitFor(async () => expect(await storedEdits('r1')).toBeUndefined(), { timeout: 4000 })
})

test('an answer that only this tab has is reported, and its edits stay on the disk until the answer is stored there', async () => {
  const { tab, drafts } = await open()
  await drafts.put('r1', edit('a'))
  offline()
  isFull()
  await tab.save({ ...mutationInput('r1', null, save('ab')), ended: drafts.end('r1') })
  await expectState(tab, 'r1', 'kept')
  expect([[...tab.snapshot().memoryOnly], wouldLoseAnswers(tab.snapshot())]).toEqual([['r1'], true])
  await drafts.put('r2', edit('x'))
  expect([await storedEdits('r1'), await storedChanges()]).toEqual(['a', []])
  hasRoom()
  await drafts.put('r2', edit('xy'))
  await expect.poll(() => tab.snapshot().memoryOnly.size).toBe(0)
  await expect.poll(() => storedEdits('r1')).toBeUndefined()
  expect(await storedChanges()).toEqual([['r1', 'ab']])
})

test('an answer on the disk stays while the disk is full, and the last one of a record is written last', async () => {
  const { tab } = await open()
  offline()
  await tab.save(mutationInput('r1', null, save('a')))
  await expectState(tab, 'r1', 'kept')
  isFull()
  tab.wake()
  await tab.save(mutationInput('r2', null, save('b')))
  await expectState(tab, 'r2', 'kept')
  expect([...tab.snapshot().memoryOnly]).toEqual(['r2'])
  await tab.save(mutationInput('r1', null, save('aa')))
  expect([...tab.snapshot().memoryOnly].toSorted()).toEqual(['r1', 'r2'])
  hasRoom()
  await tab.save(mutationInput('r1', null, save('aaa')))
  await expect.poll(() => tab.snapshot().memoryOnly.size).toBe(0)
  expect((await storedChanges()).toSorted()).toEqual([
    ['r1', 'aaa'],
    ['r2', 'b'],
  ])
  server.faults.length = 0
  tab.wake()
  await settled(tab)
  expect([answerOf('r1'), answerOf('r2')]).toEqual(['aaa', 'b'])
})

test('several answers that the disk takes only in part are all kept in memory', async () => {
  const { tab } = await open()
  offline()
  refusal = (_, value) => (JSON.stringify(value).includes('large') ? 'throws' : undefined)
  await tab.save(mutationInput('r1', null, save('small')), mutationInput('r2', null, save('large')))
  expect([...tab.snapshot().memoryOnly].toSorted()).toEqual(['r1', 'r2'])
  expect(await storedChanges()).toEqual([])
})

test('an answer that another tab has already sent isn’t restored', async () => {
  const { tab } = await open()
  offline()
  await tab.save(mutationInput('r1', null, save('a')))
  await expectState(tab, 'r1', 'kept')
  isFull()
  tab.wake()
  await expectState(tab, 'r1', 'kept')
  tab.stop()
  hasRoom()
  server.faults.length = 0
  const other = await open()
  await settled(other.tab)
  await tab.start('ada')
  await settled(tab)
  expect([await storedChanges(), server.writes()]).toEqual([[], 1])
})
