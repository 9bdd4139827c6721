import type { Dataset } from '@postil/contract/datasets.ts'
import type { Insights } from '@postil/contract/insights.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { SAMPLE_LABELS, type SampleValues, sampleQuestions, sampleValues } from '@postil/testkit/sample-answers.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayPrinter, daysOf, QUARTER, type QuarterCount } from './days.ts'

const RECORDS = 20
const statuses = ['submitted', 'draft', 'discarded'] as const

type Sent = {
  readonly user: number
  readonly record: number
  readonly status: (typeof statuses)[number]
  readonly values: SampleValues
}
type Suggested = {
  readonly record: number
  readonly label: string
  readonly agent: string | null
  readonly tags: readonly string[]
}

const anyRank = fc.option(fc.integer({ min: 1, max: 2 }), { nil: null })
const anyOrder = fc.tuple(anyRank, anyRank).map(([p, q]) => [
  { value: 'p', rank: p ?? 1 },
  { value: 'q', rank: q ?? 1 },
])
const anyValues = sampleValues({ order: anyOrder, notes: ['', 'one'] })
const anySent: fc.Arbitrary<Sent> = fc.record({
  user: fc.nat(2),
  record: fc.nat(RECORDS - 1),
  status: fc.constantFrom('submitted' as const, ...statuses),
  values: anyValues,
})
const [sent = [], suggested = []] = fc.sample(
  fc.tuple(
    fc.uniqueArray(anySent, { selector: ({ user, record }) => `${user} ${record}`, minLength: 40, maxLength: 40 }),
    fc.uniqueArray(
      fc.record({
        record: fc.nat(RECORDS - 1),
        label: fc.constantFrom(...SAMPLE_LABELS),
        agent: fc.constantFrom('m', 'n', null),
        tags: fc.shuffledSubarray(SAMPLE_LABELS, { minLength: 1 }),
      }) as fc.Arbitrary<Suggested>,
      { selector: ({ record }) => record, minLength: 12, maxLength: 12 },
    ),
  ),
  { numRuns: 1, seed: 11 },
)[0]!

let server: TestServer
let people: TestUser[]
let dataset: Dataset
let records: string[]
const insights = async (query = '', id = dataset.id): Promise<Insights> => {
  const { status, body } = await server.clientFor(server.owner).get<Insights>(`/datasets/${id}/insights?${query}`)
  expect(status).toBe(200)
  return body
}

beforeAll(async () => {
  server = await bootServer()
  const { id: workspace } = await server.createWorkspace()
  people = []
  for (let i = 0; i < 3; i += 1) people.push(await server.createUser({ workspaces: [workspace] }))
  const owner = server.clientFor(server.owner)
  dataset = await server.createDataset({
    workspace_id: workspace,
    distribution: { strategy: 'overlap', min_submitted: 2 },
    questions: sampleQuestions(['p', 'q']),
  })
  const { body } = await owner.get<{ items: { id: string; name: string }[] }>(`/datasets/${dataset.id}/questions`)
  const idOf = (name: string) => body.items.find((one) => one.name === name)!.id
  const suggestionsOf = (record: number) =>
    suggested
      .filter((one) => one.record === record)
      .flatMap(({ label, tags, agent }) => [
        { question_id: idOf('label'), value: label, agent },
        { question_id: idOf('tags'), value: tags, agent: 'm' },
      ])
  const items = Array.from({ length: RECORDS }, (_, i) => ({
    fields: { text: `text number ${i}` },
    suggestions: suggestionsOf(i),
  }))
  const made = await owner.post<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records/bulk`, { items })
  records = made.body.items.map(({ id }) => id)
  for (const [i, person] of people.entries()) {
    const bodies = sent
      .filter(({ user }) => user === i)
      .map(({ record, status, values }) => ({
        record_id: records[record],
        status,
        values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
        suggestion_outcomes: outcomesOf(record),
      }))
    const answered = await server.clientFor(person).post<{ items: { error: unknown }[] }>('/me/responses/bulk', { items: bodies })
    expect(answered.status).toBe(200)
    expect(answered.body.items.filter(({ error }) => error !== null)).toEqual([])
  }
})
afterAll(() => server.close())

/**
 * The suggestion outcomes that the web app sends with an answer. Undefined for every third record, because scripts give those
 * answers and send no outcomes.
 */
const outcomesOf = (record: number) => {
  const outcome = (['confirmed', 'accepted_unseen'] as const)[record % 3]
  if (outcome === undefined) return undefined
  const shown = suggested.find((one) => one.record === record)
  return shown && { label: { outcome, agent: shown.agent }, tags: { outcome, agent: 'm' } }
}

const submitted = sent.filter(({ status }) => status === 'submitted')
const countsOf = (given: readonly Sent[]) =>
  Object.fromEntries(statuses.map((status) => [status, given.filter((one) => one.status === status).length]))

/** For each question: a function that returns the values that insights count for an answer. */
const chosenOf: { readonly [question: string]: (values: SampleValues) => readonly (string | number)[] | undefined } = {
  label: ({ label }) => [label],
  tags: ({ tags }) => tags,
  stars: ({ stars }) => (stars === undefined ? undefined : [stars]),
  order: ({ order }) => {
    const best = Math.min(...(order ?? []).map(({ rank }) => rank!))
    return order?.filter(({ rank }) => rank === best).map(({ value }) => value)
  },
  words: ({ words }) => words && [...new Set(words.map(({ label }) => label))],
  note: ({ note }) => (note === undefined ? undefined : []),
}

describe('insights', () => {
  it('count the answers by status, day and person', async () => {
    const found = await insights()
    const completed = records.filter((_, record) => submitted.filter((one) => one.record === record).length >= 2).length
    const needed = records.reduce(
      (sum, _, record) => sum + Math.max(0, 2 - submitted.filter((one) => one.record === record).length),
      0,
    )
    expect(found.records).toEqual({ total: RECORDS, completed, pending: RECORDS - completed })
    expect(found.answers).toEqual({ ...countsOf(sent), needed })
    expect(found.days.length).toBeLessThanOrEqual(2)
    for (const status of statuses)
      expect(found.days.reduce((sum, day) => sum + day[status], 0)).toBe(sent.filter((one) => one.status === status).length)
    expect(found.people.map(({ user_id }) => user_id).sort()).toEqual(people.map(({ id }) => id).sort())
    for (const [i, { id }] of people.entries()) {
      const person = found.people.find(({ user_id }) => user_id === id)!
      expect(person).toMatchObject({ ...countsOf(sent.filter(({ user }) => user === i)), active_time: null })
      for (const status of statuses) expect(person.days.reduce((sum, day) => sum + day[status], 0)).toBe(person[status])
      const dates = await server
        .clientFor(server.owner)
        .get<{ items: { responses: { user_id: string; updated_at: string }[] }[] }>(
          `/datasets/${dataset.id}/records?include=responses&limit=100`,
        )
      const own = dates.body.items.flatMap(({ responses }) => responses.filter(({ user_id }) => user_id === id))
      expect(person.last_seen).toBe(
        own
          .map(({ updated_at }) => updated_at)
          .sort()
          .at(-1),
      )
    }
    expect(found.forecast.reason).toBe('too_few_days')
  })

  it('count the submitted answers by value and person, for every type of question', async () => {
    const { questions } = await insights()
    expect(questions.map(({ name }) => name)).toEqual(Object.keys(chosenOf))
    for (const { name, answers, values } of questions) {
      const chosen = submitted.map(({ user, values: given }) => ({ user, chosen: chosenOf[name]!(given) }))
      expect(answers, name).toBe(chosen.filter((one) => one.chosen !== undefined).length)
      for (const { value, count, users } of values) {
        const of = (user: number) => chosen.filter((one) => one.user === user && one.chosen?.includes(value)).length
        const wanted = people.map(({ id }, i) => ({ user_id: id, count: of(i) })).filter((one) => one.count > 0)
        const sorted = users.toSorted((a, b) => (a.user_id < b.user_id ? -1 : 1))
        expect(sorted, `${name} ${value}`).toEqual(wanted.toSorted((a, b) => (a.user_id < b.user_id ? -1 : 1)))
        expect(count).toBe(wanted.reduce((sum, one) => sum + one.count, 0))
      }
    }
    const values = (name: string) => questions.find((one) => one.name === name)!.values.map(({ value }) => value)
    expect(values('label')).toEqual(SAMPLE_LABELS)
    expect(values('stars')).toEqual([1, 2, 5])
    expect(values('note')).toEqual([])
  })

  it('count how the submitted answers relate to the suggestions, by agent', async () => {
    const { suggestions } = await insights()
    const pairs = submitted.flatMap(({ record, values }) =>
      suggested
        .filter((one) => one.record === record)
        .flatMap(({ label, tags, agent }) => [
          { key: `label ${agent}`, record, same: values.label === label },
          ...(values.tags ? [{ key: 'tags m', record, same: [...values.tags].sort().join() === [...tags].sort().join() }] : []),
        ]),
    )
    const wanted = [...Map.groupBy(pairs, ({ key }) => key)].map(([key, of]) => {
      const accepted = of.filter(({ same }) => same)
      const [confirmed = 0, accepted_unseen = 0] = [0, 1].map(
        (rest) => accepted.filter(({ record }) => record % 3 === rest).length,
      )
      return {
        key,
        shown: of.length,
        accepted: accepted.length,
        changed: of.length - accepted.length,
        confirmed,
        accepted_unseen,
        not_shown: 0,
      }
    })
    const found = suggestions.map(({ name, agent, question_id: _, ...counts }) => ({ key: `${name} ${agent}`, ...counts }))
    const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1)
    expect(found.toSorted(byKey)).toEqual(wanted.toSorted(byKey))
    expect(found.some(({ accepted }) => accepted > 0)).toBe(true)
    expect(found.length).toBeGreaterThan(2)
  })

  it('are reused for some seconds and counted again on request', async () => {
    const [first, second] = [await insights(), await insights('time_zone=Asia/Kathmandu')]
    expect(second.as_of).toBe(first.as_of)
    expect(second.answers).toEqual(first.answers)
    const free = records.findIndex((_, record) => sent.every((one) => one.user !== 0 || one.record !== record))
    const answer = { status: 'discarded', values: null }
    expect((await server.clientFor(people[0]!).post(`/records/${records[free]}/responses`, answer)).status).toBe(201)
    expect((await insights()).answers.discarded).toBe(first.answers.discarded)
    const fresh = await insights('fresh=true')
    expect(fresh.as_of > first.as_of).toBe(true)
    expect(fresh.answers.discarded).toBe(first.answers.discarded + 1)
    expect((await insights()).as_of).toBe(fresh.as_of)
  })

  it('are empty for a draft and a dataset without answers', async () => {
    for (const publish of [false, true]) {
      const { id } = await server.createDataset({ workspace_id: dataset.workspace_id, publish })
      const { questions, ...found } = await insights('', id)
      expect(found).toMatchObject({
        records: { total: 0, completed: 0, pending: 0 },
        answers: { submitted: 0, discarded: 0, draft: 0, needed: 0 },
        days: [],
        people: [],
        suggestions: [],
        forecast: { finish: null, reason: 'no_records' },
      })
      expect(questions).toMatchObject([{ answers: 0, values: [{ value: 'yes', count: 0, users: [] }, { count: 0 }] }])
    }
  })

  it('are refused to annotators, and for unknown time zones', async () => {
    const path = `/datasets/${dataset.id}/insights`
    expect((await server.clientFor(people[0]!).get(path)).status).toBe(403)
    expect((await server.clientFor(server.owner).get(`${path}?time_zone=Nowhere`)).status).toBe(422)
  })
})

it('days begin at midnight in the time zone', () => {
  const anyTime = fc.integer({ min: Date.parse('2020-01-01') * 1000, max: Date.parse('2030-01-01') * 1000 })
  const zones = fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Auckland')
  fc.assert(
    fc.property(zones, fc.array(fc.tuple(anyTime, fc.constantFrom(...statuses)), { maxLength: 30 }), (zone, times) => {
      const dayOf = dayPrinter(zone)
      const quarters = times.map(
        ([at, status]): QuarterCount => ({ user_id: '', status, quarter: Math.floor(at / QUARTER), n: 1 }),
      )
      const wanted = Map.groupBy(times, ([at]) => dayOf(at))
      const found = daysOf(quarters, dayOf)
      expect(found.map(({ day }) => day)).toEqual([...wanted.keys()].sort())
      for (const { day, ...counts } of found)
        for (const status of statuses) expect(counts[status]).toBe(wanted.get(day)!.filter((one) => one[1] === status).length)
    }),
  )
})
