import type { ModelRun, ModelRunItem, ModelRunState } from '@postil/contract/model-runs.ts'
import type { ReasonPart } from '@postil/contract/wire/reason-part.ts'
import { authorOf, type Usernames, usernamesOf } from '#features/gold/public.ts'
import { printJob } from '#features/jobs/public.ts'
import type { Db } from '#platform/db/db.ts'
import type { JobRow } from '#platform/jobs/operations.ts'
import { UNFINISHED } from '#platform/jobs/states.ts'
import { type Micros, printTime } from '#platform/time.ts'
import { costOf } from './budget.ts'
import type { RunSetup, StoredResults } from './setup.ts'

/** A stored run, without the list of its records. */
export type RunRow = {
  readonly id: string
  readonly dataset_no: number
  readonly connection_id: string
  readonly user_id: string
  readonly name: string
  readonly version: number
  readonly model: string
  readonly setup: RunSetup
  readonly input_price: number | null
  readonly output_price: number | null
  readonly spend_cap: number | null
  readonly dry_run: boolean
  readonly found: number
  readonly total: number
  readonly answered: number
  readonly failed: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly outcome: Exclude<ModelRunState, 'running'> | null
  readonly reason: string | null
  readonly reason_parts: readonly ReasonPart[] | null
  readonly job_id: string
  readonly published_at: Micros | null
  readonly inserted_at: Micros
  readonly updated_at: Micros
}

export const selectRuns = (db: Db) =>
  db.sql
    .selectFrom('model_runs')
    .select(['id', 'dataset_no', 'connection_id', 'user_id', 'name', 'version', 'model', 'setup', 'input_price', 'output_price'])
    .select(['spend_cap', 'dry_run', 'found', 'total', 'answered', 'failed', 'input_tokens', 'output_tokens', 'outcome'])
    .select(['reason', 'reason_parts', 'job_id', 'published_at', 'inserted_at', 'updated_at'])

/** How many runs of a dataset ask one of these questions. */
export const countRunsAsking = async (db: Db, datasetNo: number, questions: readonly string[]): Promise<number> => {
  const names = new Set(questions)
  const runs = await db.sql.selectFrom('model_runs').select('setup').where('dataset_no', '=', datasetNo).execute()
  return runs.filter(({ setup }) => (setup as RunSetup).questions.some((name) => names.has(name))).length
}

/** The agent of a run's suggestions. */
export const agentOf = ({ name, version }: Pick<RunRow, 'name' | 'version'>): string => `${name}/v${version}`

/** The rows that a printed run refers to. */
type Known = {
  readonly jobs: ReadonlyMap<string, JobRow>
  readonly connections: ReadonlyMap<string, string>
  readonly usernames: Usernames
}

const known = async (db: Db, runs: readonly RunRow[]): Promise<Known> => {
  const ids = <T extends string>(list: readonly T[]): T[] => [...new Set(list)]
  const jobs = await db.sql
    .selectFrom('jobs')
    .select(['id', 'kind', 'user_id', 'args', 'state', 'done', 'total', 'reason', 'reason_parts'])
    .where('id', 'in', ids(runs.map(({ job_id }) => job_id)))
    .execute()
  const connections = await db.sql
    .selectFrom('model_connections')
    .select(['id', 'name'])
    .where('id', 'in', ids(runs.map(({ connection_id }) => connection_id)))
    .execute()
  return {
    jobs: new Map(jobs.map((job) => [job.id, job])),
    connections: new Map(connections.map(({ id, name }) => [id, name])),
    usernames: await usernamesOf(
      db,
      runs.map(({ user_id }) => user_id),
    ),
  }
}

export const isAtWork = (job: Pick<JobRow, 'state'> | undefined): boolean =>
  job !== undefined && (UNFINISHED as readonly string[]).includes(job.state)

const stateOf = ({ outcome }: RunRow, job: JobRow | undefined): ModelRunState => {
  if (outcome !== null) return outcome
  if (isAtWork(job)) return 'running'
  return job?.state === 'failed' ? 'failed' : 'canceled'
}

const forecastOf = (run: RunRow): ModelRun['forecast'] => {
  const asked = run.answered + run.failed
  if (asked === 0) return null
  const scaled = (tokens: number): number => Math.round((tokens / asked) * run.found)
  const [input, output] = [scaled(run.input_tokens), scaled(run.output_tokens)]
  return { input_tokens: input, output_tokens: output, cost: costOf(run, { input, output }) }
}

const printRun = (run: RunRow, { jobs, connections, usernames }: Known): ModelRun => {
  const job = jobs.get(run.job_id)
  const name = connections.get(run.connection_id)
  const state = stateOf(run, job)
  const failure = run.outcome === null && state === 'failed' ? job : run
  const { setup } = run
  return {
    id: run.id,
    connection: name === undefined ? null : { id: run.connection_id, name },
    user: authorOf(run.user_id, usernames),
    name: run.name,
    version: run.version,
    agent: agentOf(run),
    model: run.model,
    ...setup,
    questions: [...setup.questions],
    both_orders: setup.both_orders ?? false,
    spend_cap: run.spend_cap,
    dry_run: run.dry_run,
    state,
    reason: failure?.reason ?? null,
    reason_parts: [...(failure?.reason_parts ?? [])],
    total: run.total,
    found: run.found,
    answered: run.answered,
    failed: run.failed,
    input_tokens: run.input_tokens,
    output_tokens: run.output_tokens,
    cost: costOf(run, { input: run.input_tokens, output: run.output_tokens }),
    forecast: forecastOf(run),
    published_at: run.published_at === null ? null : printTime(run.published_at),
    job: job === undefined ? null : printJob(job),
    inserted_at: printTime(run.inserted_at),
    updated_at: printTime(run.updated_at),
  }
}

export const printRuns = async (db: Db, runs: readonly RunRow[]): Promise<ModelRun[]> => {
  if (runs.length === 0) return []
  const rows = await known(db, runs)
  return runs.map((run) => printRun(run, rows))
}

export type ItemRow = {
  readonly seq: number
  readonly record_id: string
  readonly results: StoredResults | null
  readonly rationale: string | null
  readonly reason: string | null
  readonly reason_parts: readonly ReasonPart[] | null
  readonly input_tokens: number
  readonly output_tokens: number
  readonly ms: number
}

export const printItem = ({ seq: _, results, reason_parts, ...item }: ItemRow): ModelRunItem => ({
  ...item,
  values: results,
  reason_parts: [...(reason_parts ?? [])],
})
