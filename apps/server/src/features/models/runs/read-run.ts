import { message, type Reason } from '@postil/contract/wire/message.ts'
import { datasetScopeAt } from '#features/records/public.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { starterOf } from '#platform/jobs/starter.ts'
import { type ConnectionRow, selectConnections } from '../connections/rows.ts'
import { modelPolicy } from '../policy.ts'
import type { PromptSource } from './prompt.ts'
import { type RunRow, selectRuns } from './rows.ts'
import { promptBatches, promptRecords, promptSource } from './source.ts'

/** The arguments of the job that asks a model about the records of a run. */
export type AskArgs = {
  readonly run: string
  /** Whether records with an error are asked about again. */
  readonly retry: boolean
}

export type OpenRun = {
  readonly run: RunRow
  readonly connection: ConnectionRow
  readonly source: PromptSource
  /** The `seq`s of the records that the model still has to be asked about. */
  readonly open: readonly number[]
}

const openSeqs = async (db: Db, run: RunRow, retry: boolean): Promise<readonly number[]> => {
  const { records } = await db.sql.selectFrom('model_runs').select('records').where('id', '=', run.id).executeTakeFirstOrThrow()
  const all = db.sql.selectFrom('run_items').select('seq').where('dataset_no', '=', run.dataset_no).where('run_id', '=', run.id)
  const done = await (retry ? all.where('results', 'is not', null) : all).execute()
  const isDone = new Set(done.map(({ seq }) => seq))
  return records
    .split(',')
    .map(Number)
    .filter((seq) => !isDone.has(seq))
}

/**
 * Returns what a job needs to continue its run, or the reason why the run can't continue. Null if the job or its run no longer
 * exists.
 */
export const readOpenRun = query(
  'models.open-run',
  async (db, { job_id }: { readonly job_id: string }): Promise<OpenRun | { readonly failed: Reason } | null> => {
    const job = await db.sql.selectFrom('jobs').select(['args', 'user_id']).where('id', '=', job_id).executeTakeFirst()
    if (job === undefined) return null
    // Safe: only commands of this feature write these arguments.
    const { run: id, retry } = job.args as unknown as AskArgs
    const run = (await selectRuns(db).where('id', '=', id).executeTakeFirst()) as RunRow | undefined
    if (run === undefined) return null
    const user = await starterOf(db, job.user_id)
    if (user === null) return { failed: message('assignerGone') }
    const dataset = await datasetScopeAt(db, run.dataset_no, user, { hold: false })
    if (dataset === null) return { failed: message('datasetGone') }
    if (!modelPolicy.run(user, dataset)) return { failed: message('modelForbidden') }
    const connection = await selectConnections(db).where('id', '=', run.connection_id).executeTakeFirst()
    if (connection === undefined) return { failed: message('modelConnectionGone') }
    const source = await promptSource(db, dataset, run.setup)
    const lost = run.setup.questions.find((name) => !source.questions.some((question) => question.name === name))
    if (lost !== undefined) return { failed: message('notInDataset', { part: 'Question', name: lost }) }
    return { run, connection: { ...connection, model: run.model }, source, open: await openSeqs(db, run, retry) }
  },
)

/**
 * Reads as many records from the start of a list as one read may return. `count` is the number of list entries that were read,
 * including deleted records.
 */
export const readPromptRecords = query(
  'models.records',
  async (db, { dataset_no, seqs }: { readonly dataset_no: number; readonly seqs: readonly number[] }) => {
    const [first = []] = await promptBatches(db, dataset_no, seqs)
    return { count: first.length, records: await promptRecords(db, dataset_no, first) }
  },
)
