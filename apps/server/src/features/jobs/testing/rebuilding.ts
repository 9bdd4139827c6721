import type { Dataset } from '@postil/contract/datasets.ts'
import { rowsOf } from '#features/responses/testing/operations.ts'
import { hasText, type Model, type WireRecord } from '#features/search/testing/model.ts'
import { must, names, search, text } from '#features/search/testing/searching.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { rebuildText } from '../rebuild-text.ts'
import { bootIdleServer, type IdleServer } from './idle-server.ts'
import { textStateOf } from './operations.ts'

const HOLD = 60_000_000
/** Words per record: enough that a step of the job processes only a few records. */
const WORDS = 1200
const VOCABULARY = 1600

export const bootRebuilding = (): Promise<IdleServer> => bootIdleServer(new URL('./operations.ts', import.meta.url))

/** A long text with predictable words. */
export const longText = (i: number): string =>
  Array.from({ length: WORDS }, (_, at) => `w${(i * 7 + at) % VOCABULARY}`).join(' ') + (i % 3 === 0 ? ' Hello brave world' : '')

export const item = (i: number) => ({
  external_id: `e${i}`,
  fields: { text: longText(i), note: i % 2 === 0 ? 'helo even' : null },
})

/** Creates a dataset with long records. */
export const prepare = async ({ server, tool }: IdleServer, count: number): Promise<{ dataset: Dataset; no: number }> => {
  const dataset = await server.createDataset({
    fields: [
      { name: 'text', title: 'T', required: true, settings: { type: 'text', use_markdown: false } },
      { name: 'note', title: 'N', required: false, settings: { type: 'text', use_markdown: false } },
    ],
  })
  const items = Array.from({ length: count }, (_, i) => item(i))
  must(await server.clientFor(server.owner).post(`/datasets/${dataset.id}/records/bulk`, { items }))
  const rows = await tool.read(rowsOf, { table: 'datasets' })
  return { dataset, no: Number(rows.find(({ id }) => id === dataset.id)?.no) }
}

const queries = ['hello', 'helo~1', '"brave world"', '"world hello"~3', 'w39*', '-w17', 'w1599 | even', 'lie', 'newcomer', '*']

const recordsOf = async ({ server }: IdleServer, dataset: Dataset): Promise<readonly WireRecord[]> =>
  must(await server.clientFor(server.owner).get<{ items: WireRecord[] }>(`/datasets/${dataset.id}/records?limit=1000`)).items

/** Sends every query. Returns the records that the server finds and the records that it should find. */
export const compareSearches = async (
  idleServer: IdleServer,
  dataset: Dataset,
): Promise<{ found: unknown; expected: unknown }> => {
  const fields = ['text', 'note'].map((name) => ({ name, settings: { type: 'text' as const }, ignores_accents: false }))
  const records = await recordsOf(idleServer, dataset)
  const model: Model = { records, fields, questions: [], properties: [] }
  const owner = idleServer.server.clientFor(idleServer.server.owner)
  const found: [string, number, string[]][] = []
  const expected: [string, number, string[]][] = []
  for (const field of [null, 'note']) {
    for (const q of queries) {
      const page = await search(owner, dataset, text(q, field ?? undefined), { page: '?limit=1000' })
      found.push([q, page.total, names(page).sort()])
      const own = records.filter((record) => hasText(record, q, field, model)).map(({ external_id }) => external_id ?? '')
      expected.push([q, own.length, own.sort()])
    }
  }
  return { found, expected }
}

/** The results and their scores, in order of relevance. */
export const ranking = async ({ server }: IdleServer, dataset: Dataset): Promise<unknown> => {
  const { items } = await search(server.clientFor(server.owner), dataset, text('hello | helo~1 | w39 | w40'), {
    page: '?limit=1000',
  })
  return items.map(({ record, query_score }) => [record.external_id, query_score])
}

/** Claims the rebuild jobs, like a process that takes over after another process has crashed. */
export const take = ({ tool }: IdleServer, hold = HOLD) => tool.write(takeJobs, { kinds: [rebuildText.kind], limit: 10, hold })

/** Runs one step. @returns the job with its new claim; null when the job has ended or the claim was lost */
export const step = async ({ tool }: IdleServer, job: { readonly id: string; readonly until: number }) => {
  const result = await tool.write(rebuildText.step, { id: job.id, until: job.until, hold: HOLD })
  return result.state === 'started' ? { id: job.id, until: result.until } : null
}

/** Runs steps until some, but not all, records have been indexed. */
export const runHalf = async (idleServer: IdleServer, no: number, job: { readonly id: string; readonly until: number }) => {
  for (let held: typeof job | null = job; held !== null; held = await step(idleServer, held)) {
    const { text_rebuilt_to, next_seq } = await idleServer.tool.read(textStateOf, { dataset_no: no })
    if (text_rebuilt_to !== null && text_rebuilt_to > 5 && text_rebuilt_to < next_seq - 10) return held
  }
  throw new Error('the job ended at once')
}

/** Runs steps until the job ends. */
export const finishJob = async (idleServer: IdleServer, job: { readonly id: string; readonly until: number }): Promise<void> => {
  for (let held: typeof job | null = job; held !== null; ) held = await step(idleServer, held)
}
