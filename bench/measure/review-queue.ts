import type { ReviewQueueResult } from '@postil/contract/review.ts'
import type { Place } from '../../e2e/harness/server.ts'
import type { BenchDataset } from '../lib/bench-server.ts'
import type { Client } from '../lib/http.ts'
import { openSql, type Sql } from '../lib/sql.ts'
import { type Line, spread } from '../lib/stats.ts'

/**
 * `RECORDS`: the number of records. Each has three answers, and people disagree on a fifth of the records. `REVIEWED`: the number
 * of records whose review is finished.
 */
const RECORDS = 1_000_000
const REVIEWED = 100_000
const ROUNDS = 200
const AIM = 50

const OPTIONS = Array.from({ length: 8 }, (_, i) => ({ value: `label-${i}`, text: `Label ${i}` }))
const QUESTION = { name: 'label', title: 'Label', required: true, settings: { type: 'label_selection', options: OPTIONS } }

/**
 * Inserts rows with a few statements, because sending records and answers would take many minutes. Answers are left out, because
 * they aren't read.
 */
const fill = async ({ run, uuid, bool }: Sql, dataset: string): Promise<void> => {
  const no = `(SELECT no FROM datasets WHERE id = '${dataset}')`
  const key = `(SELECT no * 8 FROM questions WHERE dataset_id = '${dataset}')`
  const id = `CAST('00000000-0000-7003-8000-' || substr(CAST(1000000000000 + i AS text), 2) AS ${uuid})`
  const numbers = (count: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) `
  await run(`INSERT INTO records (dataset_no, id, seq, status, submitted, shuffle, fields, inserted_at, updated_at)
    ${numbers(RECORDS)} SELECT ${no}, ${id}, i, 'completed', 3, i * CAST(48271 AS bigint) % 4294967296, '{"text":"text"}', 1, 1 FROM n`)
  await run(`INSERT INTO agreement_numbers (dataset_no, seq, key, number, reviewed)
    ${numbers(RECORDS)} SELECT ${no}, i, ${key}, CASE WHEN i % 5 = 0 THEN i / ${RECORDS}.0 ELSE 1 END,
    CASE WHEN i % 5 = 0 AND i <= ${REVIEWED * 5} THEN ${bool(true)} ELSE ${bool(false)} END FROM n`)
  await run(`INSERT INTO gold (dataset_no, seq, record_id, "values", answered, final, stale, basis, version, user_id, inserted_at, updated_at)
    ${numbers(REVIEWED)} SELECT ${no}, i * 5, ${id.replaceAll('+ i ', '+ i * 5 ')}, '{}', 1, ${bool(true)}, ${bool(false)}, '', 1, ${id}, 1, 1 FROM n`)
  await run(`UPDATE dataset_state SET next_seq = ${RECORDS + 1} WHERE dataset_no = ${no}`)
  await run('ANALYZE')
}

/** How long a reviewer waits for the next record when the records with the lowest agreement are already reviewed. */
export const reviewQueueLine = async (
  owner: Client,
  { workspaceId }: BenchDataset,
  place: Place,
): Promise<Pick<Line, 'what' | 'value' | 'unit' | 'max' | 'aim' | 'met'>> => {
  const post = async (path: string, body: unknown) => (await owner.call('POST', path, body)).body as { readonly id: string }
  const { id } = await post('/datasets', { name: 'bench-review', workspace_id: workspaceId })
  await post(`/datasets/${id}/fields`, { name: 'text', title: 'Text', required: true, settings: { type: 'text' } })
  await post(`/datasets/${id}/questions`, QUESTION)
  await owner.call('PUT', `/datasets/${id}/publish`)
  await owner.call('PUT', `/datasets/${id}/review-settings`, { mode: 'disagreements', needs: 1 })
  const sql = await openSql(place)
  await fill(sql, id).finally(sql.close)
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i += 1) {
    const { ms, body } = await owner.call('POST', `/me/datasets/${id}/review-queue`, { limit: 3 })
    const [first] = (body as ReviewQueueResult).items
    if (first === undefined) throw new Error('the review queue is empty')
    times.push(ms)
    const values = { label: { value: 'label-1', source: 'adjudicated' } }
    await owner.call('PUT', `/records/${first.record_id}/gold`, { mutation_id: crypto.randomUUID(), base_version: null, values })
  }
  const { p95, max } = spread(times)
  const what = `next records to review, ${RECORDS / 1e6} million records, ${REVIEWED / 1000},000 reviewed (p95)`
  return { what, value: p95, unit: 'ms', max, aim: `< ${AIM} ms`, met: p95 < AIM }
}
