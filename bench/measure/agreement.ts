import type { Agreement } from '@postil/contract/agreement.ts'
import { OWNER, type Place } from '../../e2e/harness/server.ts'
import type { BenchDataset, BenchServer } from '../lib/bench-server.ts'
import { Client } from '../lib/http.ts'
import { openSql, type Sql } from '../lib/sql.ts'
import { type Line, spread } from '../lib/stats.ts'
import { PENDING } from './reads.ts'

/** Number of answers. 20 people answer one question with 8 labels. Each record has three answers. */
const ANSWERS = 1_000_000
const PEOPLE = 20
const LABELS = 8
const AIMS = { sqlite: 2000, postgres: 4000 }

const QUESTION = {
  name: 'label',
  title: 'Label',
  required: true,
  settings: {
    type: 'label_selection',
    options: Array.from({ length: LABELS }, (_, i) => ({ value: `label-${i}`, text: `Label ${i}` })),
  },
}

/**
 * Inserts the answers directly into the database, because sending them would take many minutes. Most answers to a record are
 * equal. No records are inserted, because the measurement doesn't read them.
 */
const fill = async ({ run, uuid }: Sql, dataset: string): Promise<void> => {
  const no = `(SELECT no FROM datasets WHERE id = '${dataset}')`
  const key = `(SELECT no * 8 FROM questions WHERE dataset_id = '${dataset}')`
  const id = (space: string, number: string) =>
    `CAST('00000000-0000-7${space}-8000-' || substr(CAST(1000000000000 + ${number} AS text), 2) AS ${uuid})`
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT CAST(0 AS bigint) UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1}) `
  const seq = '(i / 3 + 1)'
  const person = `((${seq} + i % 3 * 7) % ${PEOPLE})`
  const label = `(CASE WHEN i * 48271 % 101 < 70 THEN ${seq} * 31 % 8 ELSE i * 69621 % 8191 % 8 END)`
  await run(
    `INSERT INTO dataset_users (dataset_no, user_id, inserted_at) ${numbers(PEOPLE)} SELECT ${no}, ${id('001', 'i')}, 1 FROM n`,
  )
  await run(`INSERT INTO responses (dataset_no, seq, user_id, id, record_id, "values", status, version, inserted_at, updated_at)
    ${numbers(ANSWERS)} SELECT ${no}, ${seq}, ${id('001', person)}, ${id('002', 'i')}, ${id('003', seq)},
    '{"label":{"value":"label-' || ${label} || '"}}', 'submitted', 1, 1, 1 FROM n`)
  await run(`INSERT INTO response_terms (dataset_no, key, value_key, seq, user_id)
    ${numbers(ANSWERS)} SELECT ${no}, ${key}, 'label-' || ${label}, ${seq}, ${id('001', person)} FROM n`)
  await run(`UPDATE dataset_state SET next_seq = ${Math.ceil(ANSWERS / 3) + 1} WHERE dataset_no = ${no}`)
  await run('ANALYZE')
}

const ROUNDS = 4
const PAGES = 200

type Measured = Pick<Line, 'what' | 'value' | 'unit' | 'p50' | 'p95' | 'max' | 'bare' | 'ratio' | 'aim' | 'met'>

/**
 * Measures how long one person waits for pages of pending records while `work` runs. If `work` is null, measures a fixed number
 * of pages.
 */
const pageTimes = async (client: Client, datasetId: string, work: Promise<unknown> | null): Promise<readonly number[]> => {
  let isRunning = true
  const end = work?.finally(() => {
    isRunning = false
  })
  const times: number[] = []
  while (work === null ? times.length < PAGES : isRunning)
    times.push((await client.call('POST', `/me/datasets/${datasetId}/records/search?limit=10`, PENDING)).ms)
  await end
  return times
}

/**
 * How long it takes to compute the agreement for a question with a million answers, and how long others wait in the meantime. The
 * first call reads from the disk.
 * @param otherId the dataset in which another user works
 */
export const agreementLines = async (
  { owner, url }: BenchServer,
  otherId: string,
  { workspaceId }: BenchDataset,
  place: Place,
): Promise<Measured[]> => {
  const post = async (path: string, body: unknown) => (await owner.call('POST', path, body)).body as { readonly id: string }
  const { id } = await post('/datasets', { name: 'bench-agreement', workspace_id: workspaceId })
  await post(`/datasets/${id}/fields`, { name: 'text', title: 'Text', required: true, settings: { type: 'text' } })
  await post(`/datasets/${id}/questions`, QUESTION)
  await owner.call('PUT', `/datasets/${id}/publish`)
  const sql = await openSql(place)
  await fill(sql, id).finally(sql.close)
  const times: number[] = []
  const measure = async () => {
    for (let i = 0; i < ROUNDS; i += 1) {
      const { ms, body } = await owner.call('GET', `/datasets/${id}/agreement?fresh=true`)
      const found = (body as Agreement).questions[0]
      if (found?.answers !== ANSWERS || found.raters !== PEOPLE) throw new Error(`${found?.answers} answers were compared`)
      times.push(ms)
    }
  }
  await measure()
  const [first = 0, ...rest] = times
  const value = rest.sort((a, b) => a - b)[1] ?? first
  const aim = AIMS[place.databaseUrl === undefined ? 'sqlite' : 'postgres']
  const other = new Client(url, OWNER.apiKey)
  await pageTimes(other, otherId, null)
  const alone = spread(await pageTimes(other, otherId, null))
  const during = spread(await pageTimes(other, otherId, measure()))
  other.close()
  const ratio = during.p95 / alone.p95
  return [
    { what: 'agreement of 1,000,000 answers', value, unit: 'ms', max: Math.max(...times), aim: `< ${aim} ms`, met: value < aim },
    {
      what: 'next page while agreement is computed; bare: p95 otherwise',
      value: during.p95,
      unit: 'ms',
      ...during,
      bare: alone.p95,
      ratio,
      aim: 'ratio < 2',
      met: ratio < 2,
    },
  ]
}
