import type { Agreement, Confusion, QuestionAgreement } from '@postil/contract/agreement.ts'
import type { Dataset } from '@postil/contract/datasets.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { SAMPLE_LABELS, type SampleValues, sampleQuestions, sampleValues } from '@postil/testkit/sample-answers.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersOf } from './measures/answers.ts'
import { type MeasureInput, type Measures, measure } from './measures/measure.ts'

const RECORDS = 30
const RANKED = ['p', 'q', 'r']
/** The user number that stands for the final answers in expected results. */
const FINAL = 3

type Sent = { readonly user: number; readonly record: number; readonly status: string; readonly values: SampleValues }

const anyOrder = fc
  .tuple(fc.nat(2), fc.nat(2), fc.nat(2))
  .map((ranks) => RANKED.map((value, i) => ({ value, rank: ranks[i]! + 1 })))
const anyValues = sampleValues({ order: anyOrder, notes: ['', 'one', 'two', 'once more'] })
const anySent: fc.Arbitrary<Sent> = fc.record({
  user: fc.nat(2),
  record: fc.nat(RECORDS - 1),
  status: fc.constantFrom('submitted', 'submitted', 'submitted', 'draft', 'discarded'),
  values: anyValues,
})
const sent = fc
  .sample(fc.uniqueArray(anySent, { selector: ({ user, record }) => `${user} ${record}`, minLength: 80, maxLength: 80 }), {
    numRuns: 1,
    seed: 7,
  })
  .flat()

let server: TestServer
let workspace: string
let people: TestUser[]
let dataset: Dataset
let records: string[]
const get = async (user: TestUser, path: string) => server.clientFor(user).get<Agreement>(path)
const agreement = async (query = ''): Promise<Agreement> =>
  (await get(server.owner, `/datasets/${dataset.id}/agreement?${query}`)).body
const named = (all: Agreement, name: string): QuestionAgreement => all.questions.find((one) => one.name === name)!

beforeAll(async () => {
  server = await bootServer()
  workspace = (await server.createWorkspace()).id
  people = []
  for (let i = 0; i < 3; i += 1) people.push(await server.createUser({ workspaces: [workspace] }))
  const { owner } = server
  dataset = await server.createDataset({
    workspace_id: workspace,
    distribution: { strategy: 'overlap', min_submitted: 3 },
    questions: sampleQuestions(RANKED),
  })
  const items = Array.from({ length: RECORDS }, (_, i) => ({ fields: { text: `text 😀 number ${i}` } }))
  const made = await server.clientFor(owner).post<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records/bulk`, { items })
  records = made.body.items.map(({ id }) => id)
  for (const [i, person] of people.entries()) {
    const own = sent.filter(({ user }) => user === i)
    const bodies = own.map(({ record, status, values }) => ({
      record_id: records[record],
      status,
      values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
    }))
    const { status } = await server.clientFor(person).post('/me/responses/bulk', { items: bodies })
    expect(status).toBe(200)
  }
})
afterAll(() => server.close())

/** Computes the coefficients directly from the answers as they were sent. */
const recounted = <T>(
  given: readonly Sent[],
  pick: (values: SampleValues) => T | undefined,
  inputOf: (distinct: readonly T[]) => object,
): Measures => {
  const keyOf = (value: T) => JSON.stringify(value)
  const all = given.flatMap(({ user, record, values }) => {
    const value = pick(values)
    return value === undefined ? [] : [{ rater: user, unit: record, value }]
  })
  const distinct = [...new Map(all.map(({ value }) => [keyOf(value), value])).values()]
  const input = inputOf(distinct)
  const indexes = 'fixed' in input ? (input.fixed as readonly T[]) : distinct
  const entries = all.map((one) => ({ ...one, value: indexes.findIndex((other) => keyOf(other) === keyOf(one.value)) }))
  const raters = Math.max(3, ...given.map(({ user }) => user + 1))
  return measure({ ...input, answers: answersOf(entries), raters } as unknown as MeasureInput)
}

const sorted = <T extends string>(values: readonly T[], order: readonly T[]) => order.filter((one) => values.includes(one))
const lengths = (given: readonly Sent[]) =>
  [...new Set(given.filter(({ values }) => values.words).map(({ record }) => record))]
    .sort((a, b) => a - b)
    .map((record) => [...`text 😀 number ${record}`].length)

const expectedOf = (given: readonly Sent[]): { readonly [name: string]: Measures } => ({
  label: recounted(
    given,
    ({ label }) => label,
    () => ({ kind: 'categories', labels: 3, fixed: SAMPLE_LABELS }),
  ),
  tags: recounted(
    given,
    ({ tags }) => tags && sorted(tags, SAMPLE_LABELS),
    (distinct) => ({ kind: 'sets', labels: 3, sets: distinct.map((set) => set.map((one) => SAMPLE_LABELS.indexOf(one))) }),
  ),
  stars: recounted(
    given,
    ({ stars }) => stars,
    () => ({ kind: 'scale', scale: [1, 2, 5], fixed: [1, 2, 5] }),
  ),
  order: recounted(
    given,
    ({ order }) => order,
    (distinct) => ({ kind: 'rankings', rankings: distinct.map((one) => one.map(({ rank }) => rank!)) }),
  ),
  words: recounted(
    given,
    ({ words }) => words,
    (spans) => ({ kind: 'spans', spans, labels: ['s', 't'], lengths: lengths(given) }),
  ),
  note: recounted(
    given,
    ({ note }) => note,
    (texts) => ({ kind: 'texts', texts }),
  ),
})

const near = (found: number | null | undefined, wanted: number | null): void => {
  if (wanted === null) expect(found).toBeNull()
  else expect(found).toBeCloseTo(wanted, 10)
}

const compare = (found: QuestionAgreement, wanted: Measures, who: readonly TestUser[]): void => {
  expect(found).toMatchObject({
    measure: wanted.measure,
    reason: wanted.reason,
    units: wanted.units,
    units_single: wanted.unitsSingle,
    answers: wanted.answers,
    raters: wanted.pairs.raters.filter(({ answers }) => answers > 0).length,
    pairs_left_out: 0,
  })
  near(found.value, wanted.value)
  near(found.observed, wanted.observed)
  near(found.expected, wanted.expected)
  expect(found.interval === null).toBe(wanted.interval === null)
  expect(found.secondary.map(({ measure: name, reason }) => [name, reason])).toEqual(
    wanted.secondary.map(({ measure: name, reason }) => [name, reason]),
  )
  found.secondary.forEach(({ value }, i) => void near(value, wanted.secondary[i]!.value))
  found.labels.forEach(({ alpha, count }, i) => {
    near(alpha, wanted.labels[i]!.alpha.value)
    expect(count).toBe(wanted.labels[i]!.count)
  })
  for (const { a, b, units, observed, kappa } of wanted.pairs.pairs) {
    const ids = [who[a]!.id, who[b]!.id]
    const pair = found.pairs.find(({ users }) => users.every((id) => ids.includes(id)))
    expect(pair?.units).toBe(units)
    near(pair?.observed, observed)
    near(pair?.kappa, kappa?.value ?? null)
  }
  for (const { rater, answers, withOthers } of wanted.pairs.raters) {
    const user = found.users.find(({ user_id }) => user_id === who[rater]!.id)
    expect(user?.answers ?? 0).toBe(answers)
    if (answers > 0) near(user?.with_others, withOthers)
  }
}

const submitted = sent.filter(({ status }) => status === 'submitted')
/** The first record without an answer by the first person. */
const unanswered = () => records.findIndex((_, record) => sent.every((one) => one.user !== 0 || one.record !== record))

describe('agreement', () => {
  it('equals a recount of the submitted answers, for every type of question', async () => {
    const found = await agreement()
    const wanted = expectedOf(submitted)
    expect(found.questions.map(({ name }) => name)).toEqual(Object.keys(wanted))
    for (const [name, measures] of Object.entries(wanted)) compare(named(found, name), measures, people)
    expect(
      named(found, 'label')
        .labels.map(({ value }) => value)
        .slice(0, 2),
    ).toEqual(['a', 'b'])
    expect(named(found, 'label').units).toBeGreaterThan(10)
  })

  it('can be limited to users, to recent answers and to the records of a search', async () => {
    const ids = [people[0]!.id, people[2]!.id]
    const ofTwo = await agreement(`user_ids=${ids.join(',')}`)
    compare(named(ofTwo, 'label'), expectedOf(submitted.filter(({ user }) => user !== 1))['label']!, people)
    const search = {
      filters: { and: [{ type: 'terms', scope: { entity: 'record', property: 'id' }, values: records.slice(0, 9) }] },
    }
    const few = await agreement(`search=${encodeURIComponent(JSON.stringify(search))}`)
    const wanted = expectedOf(submitted.filter(({ record }) => record < 9))
    for (const [name, measures] of Object.entries(wanted)) compare(named(few, name), measures, people)
    expect(named(await agreement('since=2999-01-01'), 'label')).toMatchObject({ answers: 0, reason: 'no_overlap', value: null })
    expect(named(await agreement('since=2001-01-01'), 'label').answers).toBe(submitted.length)
  })

  it('is reused for some seconds and computed again on request', async () => {
    const [first, second] = [await agreement(), await agreement()]
    expect(second.as_of).toBe(first.as_of)
    const free = unanswered()
    const answer = { status: 'submitted', values: { label: { value: 'a' } } }
    const { status } = await server.clientFor(people[0]!).post(`/records/${records[free]}/responses`, answer)
    expect(status).toBe(201)
    const fresh = await agreement('fresh=true')
    expect(fresh.as_of > first.as_of).toBe(true)
    expect(named(fresh, 'label').answers).toBe(named(first, 'label').answers + 1)
    expect((await agreement()).as_of).toBe(fresh.as_of)
  })

  it('can be downloaded as a table', async () => {
    const response = await fetch(`${server.url}/api/v1/datasets/${dataset.id}/records/download?format=agreement`, {
      headers: { 'X-Argilla-Api-Key': server.owner.api_key },
    })
    expect(response.headers.get('content-type')).toContain('text/csv')
    const lines = (await response.text()).trimEnd().split('\r\n')
    const found = named(await agreement(), 'label')
    const rows = lines.filter((line) => line.startsWith('label,')).map((line) => line.split(','))
    expect(lines[0]?.split(',').slice(0, 3)).toEqual(['question', 'table', 'measure'])
    expect(rows.map(([, table]) => table)).toEqual([
      'question',
      'measure',
      'measure',
      'label',
      'label',
      'label',
      'user',
      'user',
      'user',
      'pair',
      'pair',
      'pair',
    ])
    expect(rows[0]?.slice(2, 7)).toEqual(['alpha_nominal', '', '', '', String(found.value)])
    expect(rows[6]?.[4]).toBe(people.find(({ id }) => id === found.users[0]?.user_id)?.username)
  })

  it('is empty for a draft and a dataset without answers', async () => {
    for (const publish of [false, true]) {
      const { id } = await server.createDataset({ workspace_id: workspace, publish })
      const { body } = await get(server.owner, `/datasets/${id}/agreement`)
      expect(body.questions).toMatchObject([{ answers: 0, units: 0, value: null, reason: 'no_overlap', users: [], pairs: [] }])
    }
  })

  it('compares people with the final answers on request, for every type of question', async () => {
    const decided = fc
      .sample(fc.uniqueArray(anySent, { selector: ({ record }) => record, minLength: 25, maxLength: 25 }), {
        numRuns: 1,
        seed: 3,
      })
      .flat()
      .map((one) => ({ ...one, user: FINAL, status: 'submitted' }))
    const owner = server.clientFor(server.owner)
    for (const { record, values } of decided) {
      const gold = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, source: 'adjudicated' }]))
      const body = { mutation_id: crypto.randomUUID(), base_version: null, values: gold }
      expect((await owner.put(`/records/${records[record]}/gold`, body)).status).toBe(200)
    }
    const later: Sent = { user: 0, record: unanswered(), status: 'submitted', values: { label: 'a' } }
    const given = [...submitted, later]
    const [plain, found] = [await agreement('fresh=true'), await agreement('raters=gold')]
    const wanted = expectedOf([...given, ...decided])
    let compared = 0
    for (const [name, { pairs }] of Object.entries(wanted)) {
      const { users, ...rest } = named(found, name)
      expect(rest).toEqual({ ...named(plain, name), users: undefined })
      for (const { user_id, answers, with_others, with_gold, gold_n } of users) {
        const rater = people.findIndex(({ id }) => id === user_id)
        const pair = pairs.pairs.find(({ a, b }) => a === rater && b === FINAL)
        expect(gold_n).toBe(pair?.units ?? 0)
        near(with_gold, pair?.observed ?? null)
        compared += gold_n
        const own = named(plain, name).users.find((one) => one.user_id === user_id)
        expect(own).toEqual({ user_id, answers, with_others, with_gold: null, gold_n: 0 })
      }
    }
    expect(compared).toBeGreaterThan(100)
  })

  it('names what it can’t compare', async () => {
    for (const query of ['raters=run:1', 'user_ids=nobody', 'since=soon', 'search=nothing'])
      expect((await get(server.owner, `/datasets/${dataset.id}/agreement?${query}`)).status).toBe(422)
  })
})

describe('the confusion matrix', () => {
  const confusion = async (name: string, a: string, b: string) => {
    const { body } = await server
      .clientFor(server.owner)
      .get<{ items: { id: string; name: string }[] }>(`/datasets/${dataset.id}/questions`)
    const id = body.items.find((one) => one.name === name)!.id
    return server.clientFor(server.owner).get<Confusion>(`/questions/${id}/agreement/confusion?a=${a}&b=${b}`)
  }

  it('counts the pairs of two users’ answers', async () => {
    for (const name of ['label', 'stars'] as const) {
      const { body } = await confusion(name, people[2]!.id, people[1]!.id)
      const answerOf = (user: number, record: number) =>
        submitted.find((one) => one.user === user && one.record === record)?.values[name]
      const pairs = records.flatMap((_, record) => {
        const [row, column] = [answerOf(2, record), answerOf(1, record)]
        return row === undefined || column === undefined ? [] : [JSON.stringify([row, column])]
      })
      expect(pairs.length).toBeGreaterThan(1)
      body.rows.forEach((row, i) => {
        body.columns.forEach((column, j) => {
          if (String(row).startsWith('long') || String(column).startsWith('long')) return
          expect(body.counts[i]![j]).toBe(pairs.filter((one) => one === JSON.stringify([row, column])).length)
        })
      })
      expect(body.counts.flat().reduce((sum, one) => sum + one, 0)).toBe(pairs.length)
    }
  })

  it('counts the pairs of a person’s answers and the final answers', async () => {
    const [{ body }, { body: turned }] = [
      await confusion('label', people[0]!.id, 'gold'),
      await confusion('label', 'gold', people[0]!.id),
    ]
    const agreed = named(await agreement('raters=gold'), 'label').users.find(({ user_id }) => user_id === people[0]!.id)
    const same = body.rows.map((value, i) => body.counts[i]?.[body.columns.indexOf(value)] ?? 0)
    const sum = (counts: readonly number[]) => counts.reduce((total, one) => total + one, 0)
    expect(sum(body.counts.flat())).toBe(agreed?.gold_n)
    expect(sum(same) / (agreed?.gold_n ?? 0)).toBeCloseTo(agreed?.with_gold ?? -1, 10)
    expect(turned.rows).toEqual(body.columns)
    expect(turned.counts).toEqual(body.columns.map((_, j) => body.counts.map((row) => row[j])))
  })

  it('exists only for labels and ratings, and for users', async () => {
    expect((await confusion('note', people[0]!.id, people[1]!.id)).status).toBe(422)
    expect((await confusion('label', 'gold', 'gold')).status).toBe(422)
    expect((await confusion('label', 'run:1', people[1]!.id)).status).toBe(422)
    expect((await confusion('label', people[0]!.id, people[0]!.id)).body.rows.length).toBeGreaterThan(1)
  })
})
