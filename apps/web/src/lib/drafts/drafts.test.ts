import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { openDevice } from '#lib/outbox/device.ts'
import type { Answers } from './draft.ts'
import { createDrafts } from './drafts.ts'

const answers = (value: string): Answers => ({ q: { value, suggested: null } })
let databases = 0
const fresh = () => `drafts-${++databases}`

test('edits survive a reload, for their own user and dataset only', async () => {
  const name = fresh()
  const before = createDrafts(openDevice(name), 'ada', 'd1')
  await before.put('r1', { answers: answers('typed'), base_version: null })
  await before.put('r2', { answers: answers('other'), base_version: 3 })
  const reopened = openDevice(name)
  const after = createDrafts(reopened, 'ada', 'd1')
  await after.load()
  expect(after.get('r1')?.answers).toEqual(answers('typed'))
  expect(after.get('r2')?.base_version).toBe(3)
  for (const [user, dataset] of [
    ['ben', 'd1'],
    ['ada', 'd2'],
  ] as const) {
    const others = createDrafts(reopened, user, dataset)
    await others.load()
    expect(others.get('r1')).toBeNull()
  }
})

test('the last of many edits is kept, and a dropped edit is removed', async () => {
  const name = fresh()
  const drafts = createDrafts(openDevice(name), 'ada', 'd1')
  await Promise.all(Array.from({ length: 50 }, (_, i) => drafts.put('r1', { answers: answers(`${i}`), base_version: null })))
  await Promise.all([drafts.put('r2', { answers: answers('x'), base_version: null }), drafts.drop('r2')])
  const after = createDrafts(openDevice(name), 'ada', 'd1')
  await after.load()
  expect(after.get('r1')?.answers).toEqual(answers('49'))
  expect(after.get('r2')).toBeNull()
})

test('loading from the device does not overwrite a newer edit', async () => {
  const name = fresh()
  await createDrafts(openDevice(name), 'ada', 'd1').put('r1', { answers: answers('old'), base_version: null })
  const drafts = createDrafts(openDevice(name), 'ada', 'd1')
  const put = drafts.put('r1', { answers: answers('new'), base_version: null })
  await drafts.load()
  await put
  expect(drafts.get('r1')?.answers).toEqual(answers('new'))
})

const noted = (value: string): Answers => ({ note: { value, suggested: null } })
/** Opens two tabs on one device and loads the device's edits in both. Also returns a function that reads what is stored. */
const tabs = async () => {
  const name = fresh()
  const open = async () => {
    const device = openDevice(name)
    const drafts = createDrafts(device, 'ada', 'd1')
    await drafts.load()
    return { device: await device, drafts }
  }
  const kept = async () => (await open()).drafts.get('r1')
  return { open, kept, a: await open(), b: await open() }
}

test('edits from several tabs are merged by question, and each tab removes only its own', async () => {
  const { a, b, kept } = await tabs()
  await a.drafts.put('r1', { answers: noted('long'), base_version: null })
  await b.drafts.put('r1', { answers: answers('yes'), base_version: 4 })
  // Edits based on an older version keep that base version.
  expect(await kept()).toMatchObject({ answers: { ...noted('long'), ...answers('yes') }, base_version: null })
  await b.drafts.drop('r1')
  expect((await kept())?.answers).toEqual(noted('long'))
  await b.drafts.put('r1', { answers: answers('no'), base_version: null })
  const ended = b.drafts.end('r1')
  await b.device.updateLines('ada', new Map([['r1', (line) => line]]), ended ? [ended] : [])
  expect((await kept())?.answers).toEqual(noted('long'))
  await a.drafts.drop('r1')
  expect(await kept()).toBeNull()
})

test('the last edit of a question wins: a tab with an older edit neither removes nor restores it', async () => {
  const { open, a, kept } = await tabs()
  await a.drafts.put('r1', { answers: noted('first'), base_version: null })
  const b = await open()
  await a.drafts.put('r1', { answers: noted('second'), base_version: null })
  await b.drafts.put('r1', { answers: { ...noted('first'), ...answers('yes') }, base_version: null })
  expect((await kept())?.answers).toEqual({ ...noted('second'), ...answers('yes') })
  await b.drafts.drop('r1')
  expect((await kept())?.answers).toEqual(noted('second'))
})

test('an edit that another tab dropped is stored again with the next edit of a tab that shows it', async () => {
  const { open, a, kept } = await tabs()
  await a.drafts.put('r1', { answers: noted('long'), base_version: null })
  await (await open()).drafts.drop('r1')
  await a.drafts.put('r1', { answers: { ...noted('long'), ...answers('yes') }, base_version: null })
  expect((await kept())?.answers).toEqual({ ...noted('long'), ...answers('yes') })
})

test('sending an answer removes its edits in the same write', async () => {
  const name = fresh()
  const device = openDevice(name)
  const drafts = createDrafts(device, 'ada', 'd1')
  await drafts.put('r1', { answers: answers('x'), base_version: null })
  const ended = drafts.end('r1')
  await (await device).updateLines('ada', new Map([['r1', (line) => line]]), ended ? [ended] : [])
  const after = createDrafts(device, 'ada', 'd1')
  await after.load()
  expect(after.get('r1')).toBeNull()
})
