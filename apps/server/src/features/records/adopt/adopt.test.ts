import type { Record as WireRecord } from '@postil/contract/records.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { printTime, readTime } from '#platform/time.ts'
import { packRecords } from '../bulk/pack.ts'
import { prepareRecord } from '../bulk/prepare.ts'
import type { Fixture } from '../testing/boot.ts'
import { bootFixture, must, spec } from '../testing/boot.ts'
import { adoptRecords, type OriginalRecord } from './adopt.ts'

const turns = {
  name: 'turns',
  settings: {
    type: 'span',
    postil_kind: 'turns',
    field: 'talk',
    options: [{ value: 'good', text: 'Good' }],
    unit: { of: 'turn', roles: ['assistant'], required: 'each' },
  },
}

let fixture: Fixture
beforeAll(async () => {
  fixture = await bootFixture({
    allow_extra_metadata: false,
    distribution: { strategy: 'overlap', min_submitted: 1 },
    questions: [...(spec.questions ?? []), turns],
  })
})
afterAll(() => fixture.close())

const LONG_AGO = 1_600_000_000_123_456

/** IDs in the format of other servers, which don't encode a dataset. */
const idOf = (n: number): string => `0a1b2c3d-0000-4000-8000-${String(n).padStart(12, '0')}`
const originalRow = (n: number, later = 0) => ({ id: idOf(n), inserted_at: LONG_AGO + n, updated_at: LONG_AGO + n + later })

type Sent = Parameters<typeof prepareRecord>[0]
const adopt = (items: readonly { readonly sent: Sent; readonly own: OriginalRecord }[]) => {
  const { id, role } = fixture.server.owner
  return fixture.server.app.ctx.store.write(adoptRecords, {
    user: { id, role },
    dataset_id: fixture.dataset,
    packed: packRecords(items.map(({ sent, own }) => prepareRecord({ ...sent, id: own.id }))),
    originals: items.map(({ own }) => own),
    snapshots: [],
  })
}
const question = (name: string): string => fixture.questions[name] ?? ''
const read = async (n: number): Promise<WireRecord> => must(await fixture.get(idOf(n)))
const answer = (user_id: string, status: 'draft' | 'submitted', label: string) => ({
  user_id,
  status,
  values: { label: { value: label } },
})
const own = (n: number, { later = 0, responses = 0, suggestions = 0 } = {}): OriginalRecord => ({
  ...originalRow(n, later),
  responses: Array.from({ length: responses }, (_, i) => originalRow(n + 10 + i, later)),
  suggestions: Array.from({ length: suggestions }, (_, i) => originalRow(n + 20 + i, later)),
})

test('times are parsed in the format in which they are printed', () => {
  for (const micros of [LONG_AGO, LONG_AGO - 123_456, 0]) expect(readTime(printTime(micros))).toBe(micros)
  expect(readTime('2020-09-13T12:26:40.5+00:00')).toBe(LONG_AGO - 123_456 + 500_000)
  for (const text of ['', 'yesterday', '2020-13-13T12:26:40', '2020-09-13']) expect(readTime(text)).toBe(null)
})

test('a migrated record keeps IDs and times, is completed by its answers, and is updated only by newer data', async () => {
  const sent = {
    fields: { text: 'one two' },
    external_id: 'adopted',
    suggestions: [{ question_id: question('label'), value: 'a' }],
    responses: [answer(fixture.ann.id, 'submitted', 'a')],
    vectors: { w: [1, 2] },
  }
  const whole = { sent, own: own(100, { responses: 1, suggestions: 1 }) }
  expect(await adopt([whole])).toEqual({ created: 1, changed: 0, leftOut: [] })
  const first = await read(100)
  const times = (n: number) => ({ id: idOf(n), inserted_at: printTime(LONG_AGO + n), updated_at: printTime(LONG_AGO + n) })
  expect(first).toMatchObject({
    ...times(100),
    status: 'completed',
    responses: [{ ...times(110), user_id: fixture.ann.id, version: 1 }],
    suggestions: [times(120)],
    vectors: { w: [1, 2] },
  })
  expect(await adopt([whole])).toEqual({ created: 0, changed: 0, leftOut: [] })
  expect(await read(100)).toEqual(first)

  const older = { ...sent, fields: { text: 'older' }, responses: [answer(fixture.ann.id, 'draft', 'b')] }
  expect(await adopt([{ sent: older, own: own(100, { later: -1, responses: 1, suggestions: 1 }) }])).toMatchObject({ changed: 0 })
  expect(await read(100)).toEqual(first)

  expect(await adopt([{ sent: older, own: own(100, { later: 5, responses: 1, suggestions: 1 }) }])).toMatchObject({ changed: 1 })
  expect(await read(100)).toMatchObject({
    status: 'pending',
    fields: { text: 'older' },
    updated_at: printTime(LONG_AGO + 105),
    responses: [{ id: idOf(110), status: 'draft', version: 2, updated_at: printTime(LONG_AGO + 115) }],
  })
  expect(await fixture.differences()).toEqual([])
})

test('values that were valid at the time stay, and values that can’t be stored or mean nothing are skipped and reported', async () => {
  const { id: author } = fixture.bob
  const marks = { value: [{ label: 's', start: 5, end: 900 }] }
  const sent = {
    fields: { text: 'short' },
    metadata: { size: 1000, lang: 'fr', extra: 'not a property', huge: 2 ** 60 },
    responses: [
      { user_id: fixture.ann.id, status: 'submitted' as const, values: { words: marks } },
      { user_id: author, status: 'submitted' as const, values: { label: { value: 'none of them' } } },
      answer(idOf(7), 'draft', 'a'),
    ],
    suggestions: [
      { question_id: question('words'), value: marks.value },
      { question_id: idOf(8), value: 'a' },
    ],
    vectors: { v: [0, 0, 0], w: [1, 2] },
  }
  const { leftOut } = await adopt([{ sent, own: own(200, { responses: 3, suggestions: 2 }) }])
  expect(leftOut.map(({ record_id, part, reason }) => [record_id, part, reason])).toEqual([
    [idOf(200), 'an answer', expect.stringContaining('not a valid option')],
    [idOf(200), 'an answer', `User with id=${idOf(7)} not found`],
    [idOf(200), 'a suggestion', expect.stringContaining('does not exist in the dataset')],
    [idOf(200), 'a vector', expect.stringContaining('zeros only')],
    [idOf(200), 'metadata "huge"', expect.stringContaining('integers must lie within')],
  ])
  expect(await read(200)).toMatchObject({
    metadata: { size: 1000, lang: 'fr', extra: 'not a property' },
    responses: [{ id: idOf(210), values: { words: marks } }],
    suggestions: [{ id: idOf(220) }],
    vectors: { w: [1, 2] },
  })
  const broken = { sent: { fields: { nothing: 'x' } }, own: own(300) }
  const twice = { sent: { fields: { text: 'x' }, external_id: 'twice' } }
  const outcome = await adopt([broken, { ...twice, own: own(400) }, { ...twice, own: own(500) }])
  expect(outcome).toMatchObject({ created: 1, leftOut: [{ record_id: idOf(300) }, { record_id: idOf(500) }] })
  expect(await fixture.differences()).toEqual([])
})

test('labels of turns that are older than the conversation stay', async () => {
  const older = { turns: { value: [{ label: 'good', start: 40, end: 52 }] } }
  const unknown = { turns: { value: [{ label: 'great', start: 40, end: 52 }] } }
  const twice = { turns: { value: [...older.turns.value, { label: 'good', start: 40, end: 53 }] } }
  const sent = {
    fields: { text: 'x', talk: [{ role: 'user', content: 'Hi' }] },
    responses: [
      { user_id: fixture.ann.id, status: 'submitted' as const, values: older },
      { user_id: fixture.bob.id, status: 'submitted' as const, values: unknown },
      { user_id: fixture.admin.id, status: 'submitted' as const, values: twice },
    ],
    suggestions: [{ question_id: question('turns'), value: older.turns.value }],
  }
  const { leftOut } = await adopt([{ sent, own: own(700, { responses: 3, suggestions: 1 }) }])
  expect(leftOut.map(({ part }) => part)).toEqual(['an answer', 'an answer'])
  expect(await read(700)).toMatchObject({
    responses: [{ id: idOf(710), values: older }],
    suggestions: [{ id: idOf(720), value: older.turns.value }],
  })
})

test('an answer deleted here isn’t restored, and one changed at the source since is updated', async () => {
  const sent = { fields: { text: 'x' }, responses: [answer(fixture.ann.id, 'submitted', 'a')] }
  await adopt([{ sent, own: own(600, { responses: 1 }) }])
  expect((await fixture.server.clientFor(fixture.ann).delete(`/responses/${idOf(610)}`)).status).toBe(200)
  expect(await adopt([{ sent, own: own(600, { responses: 1 }) }])).toMatchObject({ changed: 0 })
  expect((await read(600)).responses).toEqual([])
  const now = Date.now() * 1000 + 60_000_000
  const later = { ...own(600), responses: [{ id: idOf(610), inserted_at: LONG_AGO, updated_at: now }] }
  expect(await adopt([{ sent, own: later }])).toMatchObject({ changed: 1 })
  const [back] = (await read(600)).responses ?? []
  expect(back).toMatchObject({ status: 'submitted', updated_at: printTime(now) })
  expect(back?.id).not.toBe(idOf(610))
  expect((await fixture.server.clientFor(fixture.ann).delete(`/responses/${back?.id}`)).status).toBe(200)
  expect(await fixture.differences()).toEqual([])
})
