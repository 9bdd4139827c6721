import type { Insights } from '@postil/contract/insights.ts'
import type { ScopeInput, SearchBodyInput } from '@postil/contract/search.ts'
import type { DataRecord } from '../data/make-records.ts'
import type { DataSet } from '../data/packages.ts'
import { type BenchDataset, type BenchServer, toWireRecord, toWireValues } from '../lib/bench-server.ts'
import type { Client } from '../lib/http.ts'
import type { Line } from '../lib/stats.ts'
import { spread } from '../lib/stats.ts'
import { BATCH } from './bulk.ts'

type Measured = Pick<Line, 'what' | 'value' | 'unit' | 'p50' | 'p95' | 'max' | 'aim' | 'met'>

/** The maximum number of records that get answers. Sending answers for a million records would take many minutes. */
const MAX_ANSWERED = 100_000
const PEOPLE = 8
const COMMENTED = 50
/** The number of rows that the page loads with one request. */
const ROWS = 100
/** The number of pages, at different offsets, that are read for each filter. */
const PAGES = 40
const OVERVIEWS = 30
const AIMS = { page: 50, overview: 500 }
const POLL_MS = 50

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

const finishJob = async (owner: Client, path: string, body: object): Promise<void> => {
  const { id } = (await owner.call('POST', path, body)).body as { readonly id: string }
  for (;;) {
    const { status } = (await owner.call('GET', `/jobs/${id}`)).body as { readonly status: string }
    if (status === 'finished') return
    if (status !== 'queued' && status !== 'started') throw new Error(`the job of ${path} is ${status}`)
    await pause(POLL_MS)
  }
}

const otherSection = (values: ReturnType<typeof toWireValues>, section: string) => ({ ...values, section: { value: section } })

/**
 * Two people answer each record, and three people answer every fifth record. They disagree on a quarter of the records. A tenth
 * of the second answers are drafts.
 */
const withAnswers = (record: DataRecord, i: number, made: BenchDataset, people: readonly string[], other: string) => {
  const values = toWireValues(record)
  return {
    ...toWireRecord(record, made),
    responses: [
      { user_id: people[i % PEOPLE], status: 'submitted', values },
      {
        user_id: people[(i + 1) % PEOPLE],
        status: i % 10 === 0 ? 'draft' : 'submitted',
        values: i % 4 === 0 ? otherSection(values, other) : values,
      },
      ...(i % 5 === 1 ? [{ user_id: people[(i + 2) % PEOPLE], status: 'submitted', values }] : []),
    ],
  }
}

const sendAnswers = async (owner: Client, made: BenchDataset, data: DataSet, people: readonly string[], other: string) => {
  let items: unknown[] = []
  let sent = 0
  const commented: string[] = []
  const send = async () => {
    const { body } = await owner.call('PUT', `/datasets/${made.id}/records/bulk`, { items })
    if (commented.length < COMMENTED) commented.push(...(body as { items: readonly { id: string }[] }).items.map(({ id }) => id))
    items = []
  }
  for await (const record of data.records()) {
    if (sent === MAX_ANSWERED) break
    items.push(withAnswers(record, sent++, made, people, other))
    if (items.length === BATCH) await send()
  }
  if (items.length > 0) await send()
  for (const id of commented.slice(0, COMMENTED)) await owner.call('POST', `/records/${id}/comments`, { text: 'Which one?' })
}

const sectionsOf = ({ questions }: DataSet['settings']): readonly string[] => {
  const section = questions.find(({ name }) => name === 'section')
  if (section === undefined) throw new Error('the dataset has no question for the section')
  return (section.settings as { readonly options: readonly { readonly value: string }[] }).options.map(({ value }) => value)
}

type Named = readonly [name: string, SearchBodyInput]

const terms = (scope: ScopeInput, ...values: string[]): SearchBodyInput => ({
  filters: { and: [{ type: 'terms', scope, values }] },
})
const range = (scope: ScopeInput, bounds: { readonly ge?: number; readonly le?: number }): SearchBodyInput => ({
  filters: { and: [{ type: 'range', scope, ...bounds }] },
})

const searches = ([ann = '', bob = '']: readonly string[], section: string, agent: string): readonly Named[] => {
  const record = { entity: 'record' as const }
  const response = { entity: 'response' as const }
  const answered = { ...response, property: 'status' as const }
  const compared = { ...response, question: 'section', compared_with: 'answers' as const }
  const suggested = { ...response, question: 'section', compared_with: 'suggestion' as const, agent }
  const agreement = { ...record, property: 'agreement' as const, question: 'section' }
  const sorted = (scope: ScopeInput, order: 'asc' | 'desc'): SearchBodyInput => ({ sort: [{ scope, order }] })
  return [
    ['no filter', {}],
    ['text', { query: { text: { q: 'library' } } }],
    ['pending', terms({ ...record, property: 'status' }, 'pending')],
    ['completed', terms({ ...record, property: 'status' }, 'completed')],
    ['not reviewed', terms({ ...record, property: 'review' }, 'none')],
    ['reviewed', terms({ ...record, property: 'review' }, 'final')],
    ['final answer', terms({ ...record, property: 'final_answer', question: 'section' }, section)],
    ['open comments', terms({ ...record, property: 'comments' }, 'open')],
    ['assigned to a person', terms({ ...record, property: 'assigned_to' }, ann)],
    ['assigned to nobody', terms({ ...record, property: 'assigned_to' }, 'none')],
    ['answered by a person', terms({ ...answered, user_id: ann }, 'submitted')],
    ['drafts', terms(answered, 'draft')],
    ['an answer', terms({ ...response, question: 'section', answer_status: 'submitted' }, section)],
    ['an answer of a person', terms({ ...response, question: 'section', answer_status: 'submitted', user_id: ann }, section)],
    ['time of the answers', range({ ...response, property: 'updated_at', answer_status: 'submitted' }, { ge: 1 })],
    ['different answers', terms(compared, 'different')],
    ['different answers to any question', terms({ ...response, compared_with: 'answers' }, 'different')],
    ['different answers of two people', terms({ ...compared, user_ids: [ann, bob] }, 'different')],
    ['one answer', terms(compared, 'single')],
    ['different from the suggestion', terms(suggested, 'different')],
    ['accepted suggestion', terms(suggested, 'any_same')],
    ['agreement', range(agreement, { le: 0.5 })],
    ['sorted by agreement', sorted(agreement, 'asc')],
    ['sorted by external ID', sorted({ ...record, property: 'external_id' }, 'asc')],
    ['sorted by status', sorted({ ...record, property: 'status' }, 'desc')],
    ['sorted by update', sorted({ ...record, property: 'updated_at' }, 'desc')],
  ]
}

type Page = { readonly items: readonly unknown[]; readonly total: number }

/** Returns the offset at which a page is read. The offsets are deterministic and spread over all rows. */
const offsetOf = (page: number, total: number): number => (page * 7919 * ROWS) % Math.max(1, total - ROWS)

/** @returns the time of the first search and the times of pages at different offsets */
const timesOf = async (owner: Client, datasetId: string, body: SearchBodyInput, name: string) => {
  const include = ['responses', 'suggestions', 'agreement'].map((one) => `include=${one}`).join('&')
  const payload = Buffer.from(JSON.stringify(body))
  const get = (offset: number) =>
    owner.send('POST', `/datasets/${datasetId}/records/search?offset=${offset}&limit=${ROWS}&${include}`, payload)
  const first = await get(0)
  const { total, items } = first.body as Page
  if (items.length === 0) throw new Error(`the filter "${name}" matches nothing`)
  const pages: number[] = []
  for (let i = 0; i < PAGES; i += 1) pages.push((await get(offsetOf(i, total))).ms)
  return { first: first.ms, pages }
}

/**
 * Measures how long the records page waits for rows at different positions in the table, with the slowest filter. Also measures
 * how long the overview waits for its figures.
 */
export const recordsPageLines = async (
  { owner }: BenchServer,
  team: readonly Client[],
  made: BenchDataset,
  data: DataSet,
  sample: DataRecord,
): Promise<Measured[]> => {
  const people: string[] = []
  for (const client of team.slice(0, PEOPLE)) people.push(((await client.call('GET', '/me')).body as { id: string }).id)
  const section = sample.answer.section
  const other = sectionsOf(data.settings).find((value) => value !== section) ?? ''
  await sendAnswers(owner, made, data, people, other)
  const path = `/datasets/${made.id}`
  await finishJob(owner, `${path}/assignments`, {
    search: terms({ entity: 'response', question: 'section' }, section),
    user_ids: people.slice(0, 2),
  })
  await finishJob(owner, `${path}/gold/jobs`, {
    search: terms({ entity: 'response', property: 'status' }, 'submitted'),
    rule: 'unanimous',
  })
  const firsts: number[] = []
  let slowest = { name: '', p50: 0, p95: 0, max: 0 }
  for (const [name, body] of searches(people, section, sample.suggestions[0]?.agent ?? '')) {
    const { first, pages } = await timesOf(owner, made.id, body, name)
    firsts.push(first)
    const found = spread(pages)
    if (found.p95 > slowest.p95) slowest = { name, ...found }
  }
  const { name, p50, p95, max } = slowest
  const firstSpread = spread(firsts)
  const overview = { first: 0, warm: [] as number[] }
  for (let i = 0; i <= OVERVIEWS; i += 1) {
    const { ms, body } = await owner.call('GET', `${path}/insights?time_zone=UTC`)
    if ((body as Insights).people.length < PEOPLE) throw new Error('the overview lacks people')
    const agreement = await owner.call('GET', `${path}/agreement?raters=gold`)
    if (i === 0) overview.first = ms + agreement.ms
    else overview.warm.push(ms + agreement.ms)
  }
  const warm = spread(overview.warm)
  return [
    {
      what: `records page, the slowest filter: ${name}`,
      value: p95,
      unit: 'ms',
      p50,
      p95,
      max,
      aim: `p95 < ${AIMS.page} ms`,
      met: p95 < AIMS.page,
    },
    { what: 'records page, the first search with each filter', value: firstSpread.p50, unit: 'ms', ...firstSpread },
    { what: 'overview, cold', value: overview.first, unit: 'ms' },
    { what: 'overview', value: warm.p50, unit: 'ms', ...warm, aim: `p95 < ${AIMS.overview} ms`, met: warm.p95 < AIMS.overview },
  ]
}
