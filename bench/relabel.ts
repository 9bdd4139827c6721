/**
 * Measures how long it takes to rename a label in many answers. Also measures how long an annotator waits for the next records,
 * and for an answer to be stored, while the job runs.
 *
 * npx node bench/relabel.ts [--answers 1000000] [--engine postgres]
 *
 * Every answer contains the label. Prints the figures, then the same figures as one line of JSON. Exits with 1 if an answer still
 * has the old label or the job has failed.
 */
import { parseArgs } from 'node:util'
import { type Engine, emptyPlace } from '../e2e/harness/server.ts'
import { prepare } from '../scripts/prepare.mjs'
import { type BenchServer, createAnnotator, startBenchServer } from './lib/bench-server.ts'
import type { Client } from './lib/http.ts'
import { createPlainDataset, rowAt } from './lib/plain-rows.ts'
import { startMeasuredPostgres } from './lib/postgres.ts'
import { spread, timeOf } from './lib/stats.ts'

const { values } = parseArgs({
  options: {
    answers: { type: 'string', default: '1000000' },
    engine: { type: 'string', default: 'postgres' },
  },
})
const count = Number(values.answers)
const engine = values.engine as Engine
const BATCH = 500
/** The number of records without answers, which the annotator gets from the queue. */
const WAITING = 1000
const POLL_MS = 1000

type Option = { readonly value: string; readonly text: string }
type Job = {
  readonly id: string
  readonly status: string
  readonly done: number | null
  readonly relabeled?: { answers: number }
}

const fill = async (owner: Client, id: string, userId: string, label: string): Promise<void> => {
  for (let from = 0; from < count + WAITING; from += BATCH) {
    const items = Array.from({ length: Math.min(BATCH, count + WAITING - from) }, (_, i) => {
      const { id: external_id, text } = rowAt(from + i)
      const answer = { user_id: userId, status: 'submitted', values: { label: { value: label } } }
      return { external_id, fields: { text }, ...(from + i < count && { responses: [answer] }) }
    })
    await owner.send('PUT', `/datasets/${id}/records/bulk`, Buffer.from(JSON.stringify({ items })))
  }
}

const body = async <T>(client: Client, method: string, path: string, sent?: unknown): Promise<T> =>
  (await client.call(method, path, sent)).body as T

/** Works through the queue until the job has ended. @returns the job, and the times in milliseconds */
const workUntilEnded = async (annotator: Client, owner: Client, dataset: string, jobId: string, label: string) => {
  const [next, submit]: [number[], number[]] = [[], []]
  let job = await body<Job>(owner, 'GET', `/jobs/${jobId}`)
  for (let asked = performance.now(); ['queued', 'started'].includes(job.status); ) {
    let record: string | undefined
    next.push(
      await timeOf(async () => {
        const { items } = await body<{ items: { record: { id: string } }[] }>(
          annotator,
          'POST',
          `/me/datasets/${dataset}/queue`,
          {
            limit: 1,
          },
        )
        record = items[0]?.record.id
      }),
    )
    // Simulates an annotator who has not reloaded the page and therefore sends the old label.
    if (record !== undefined)
      submit.push(
        await timeOf(() =>
          annotator.call('POST', `/records/${record}/responses`, { status: 'submitted', values: { label: { value: label } } }),
        ),
      )
    if (performance.now() - asked < POLL_MS) continue
    asked = performance.now()
    job = await body<Job>(owner, 'GET', `/jobs/${jobId}`)
  }
  return { job, next, submit }
}

const rounded = (times: readonly number[]) =>
  times.length === 0
    ? null
    : Object.fromEntries(Object.entries(spread(times)).map(([name, ms]) => [name, Math.round(ms * 10) / 10]))

/** Searches for the old label. @returns how many of the first 100 answers that it finds still contain the label */
const found = async (owner: Client, dataset: string, label: string): Promise<number> => {
  const scope = { entity: 'response', question: 'label', answer_status: 'submitted' }
  const { items } = await body<{ items: { record: { responses: { values: { label?: { value: string } } }[] } }[] }>(
    owner,
    'POST',
    `/datasets/${dataset}/records/search?limit=100&include=responses`,
    { filters: { and: [{ type: 'terms', scope, values: [label] }] } },
  )
  return items.filter(({ record }) => record.responses.some((one) => one.values.label?.value === label)).length
}

const measure = async (server: BenchServer) => {
  const { owner } = server
  const { id, question } = await createPlainDataset(owner, 'relabel')
  const { items } = await body<{ items: { id: string; settings: { options: Option[] } }[] }>(
    owner,
    'GET',
    `/datasets/${id}/questions`,
  )
  const label = items.find((one) => one.id === question)?.settings.options[0]?.value ?? ''
  const me = await body<{ id: string }>(owner, 'GET', '/me')
  const { items: workspaces } = await body<{ items: { id: string }[] }>(owner, 'GET', '/me/workspaces')
  const place = { id, workspaceId: workspaces[0]?.id ?? '', questions: new Map([['label', question]]) }
  const annotator = await createAnnotator(server, place, 'annotator')
  const filling = await timeOf(() => fill(owner, id, me.id, label))
  const changes = [{ type: 'rename_label', question_id: question, label, value: 'renamed', text: 'Renamed' }]
  const planning = performance.now()
  const { token } = await body<{ token: string }>(owner, 'POST', `/datasets/${id}/schema/plan`, { changes })
  const planned = performance.now() - planning
  const began = performance.now()
  const applied = await body<{ job: { id: string } }>(owner, 'POST', `/datasets/${id}/schema/apply`, { token })
  const { job, next, submit } = await workUntilEnded(annotator, owner, id, applied.job.id, label)
  const seconds = (performance.now() - began) / 1000
  annotator.close()
  return {
    engine,
    answers: count,
    fill_seconds: Math.round(filling / 1000),
    plan_ms: Math.round(planned),
    seconds: Math.round(seconds * 10) / 10,
    answers_per_second: Math.round(count / seconds),
    status: job.status,
    changed: job.relabeled?.answers ?? 0,
    next_ms: rounded(next),
    submit_ms: rounded(submit),
    left_with_old_label: await found(owner, id, label),
  }
}

await prepare()
const postgres = engine === 'postgres' ? await startMeasuredPostgres('bench-relabel') : null
if (postgres !== null) process.env['POSTIL_TEST_POSTGRES_URL'] = postgres.url
try {
  const place = await emptyPlace(engine)
  try {
    const server = await startBenchServer(engine, place)
    const figures = await measure(server)
    server.owner.close()
    await server.stop()
    for (const [name, value] of Object.entries(figures))
      console.log(`${name.padEnd(24)} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    console.log(JSON.stringify(figures))
    process.exitCode = figures.status === 'finished' && figures.left_with_old_label === 0 && figures.changed >= count ? 0 : 1
  } finally {
    await place.drop()
  }
} finally {
  await postgres?.stop()
}
