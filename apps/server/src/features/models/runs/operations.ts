import { dryRunRecords } from '@postil/contract/model-prompt.ts'
import type { ModelRun, ModelRunItem } from '@postil/contract/model-runs.ts'
import { maxRunRecords } from '@postil/contract/model-runs.ts'
import { forbidden, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { datasetScope, datasetScopeAt, recordScope, type ScopeDataset } from '#features/records/public.ts'
import { questionRows } from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import { newDatasetId } from '#platform/ids.ts'
import { enqueueJob } from '#platform/jobs/kinds.ts'
import { now } from '#platform/time.ts'
import { selectConnections } from '../connections/rows.ts'
import { modelPolicy } from '../policy.ts'
import { askModelJob } from './ask-job.ts'
import type { PromptSource } from './prompt.ts'
import { noneYet, type PublishArgs, publishJob } from './publish-job.ts'
import type { AskArgs } from './read-run.ts'
import { type ItemRow, isAtWork, printItem, printRuns, type RunRow, selectRuns } from './rows.ts'
import { checkSetup, type RunSetup } from './setup.ts'
import { promptRecords, promptSource } from './source.ts'

const MAX_LISTED = 100

type InDataset = { readonly user: Actor; readonly dataset_id: string }
export type OfRun = { readonly user: Actor; readonly run_id: string }

/** @throws Problem not_found, forbidden */
const leadDataset = async (db: Db, { user, dataset_id }: InDataset, hold: boolean): Promise<ScopeDataset> => {
  const dataset = await datasetScope(db, dataset_id, user, { hold })
  if (!modelPolicy.run(user, dataset)) throw forbidden()
  return dataset
}

/** The connection, if it belongs to the workspace of the dataset. @throws Problem unprocessable */
const connectionFor = async (db: Db, dataset: ScopeDataset, id: string) => {
  const connection = await selectConnections(db)
    .where('id', '=', id)
    .where('workspace_id', '=', (eb) => eb.selectFrom('datasets').select('workspace_id').where('datasets.id', '=', dataset.id))
    .executeTakeFirst()
  if (connection === undefined) throw unprocessable(message('modelConnectionUnknown', { id }))
  return connection
}

/** @throws Problem not_found, forbidden */
export const listRuns = query('models.runs', async (db, of: InDataset): Promise<ModelRun[]> => {
  const dataset = await leadDataset(db, of, false)
  const runs = await selectRuns(db)
    .where('dataset_no', '=', dataset.no)
    .orderBy('inserted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute()
  return printRuns(db, runs as unknown as RunRow[])
})

/**
 * Returns the prompt source, the connection and the record for a preview of a run. @throws Problem not_found, forbidden,
 * unprocessable
 */
export const previewSource = query(
  'models.preview-source',
  async (
    db,
    {
      setup,
      connection_id,
      record_id,
      ...of
    }: InDataset & { readonly setup: RunSetup; readonly connection_id: string; readonly record_id: string },
  ) => {
    const dataset = await leadDataset(db, of, false)
    checkSetup(setup, await questionRows(db, dataset.id))
    const connection = await connectionFor(db, dataset, connection_id)
    const { record, dataset: itsDataset } = await recordScope(db, record_id, of.user, { hold: false })
    if (itsDataset.no !== dataset.no) throw notFound('Record', record_id)
    const source: PromptSource = await promptSource(db, dataset, setup)
    const [found] = await promptRecords(db, dataset.no, [record.seq])
    if (found === undefined) throw notFound('Record', record_id)
    return { source, connection, record: found }
  },
)

/** Returns the version number of a run. Runs with the same name, model and setup share a version. */
const versionFor = async (db: Db, datasetNo: number, run: { name: string; model: string; setup: RunSetup }): Promise<number> => {
  const earlier = await db.sql
    .selectFrom('model_runs')
    .select(['version', 'model', 'setup'])
    .where('dataset_no', '=', datasetNo)
    .where('name', '=', run.name)
    .execute()
  // Sorts the keys, because PostgreSQL doesn't keep the order in which they were stored.
  const keyOf = (setup: object): string => JSON.stringify(Object.entries(setup).sort(([a], [b]) => (a < b ? -1 : 1)))
  const same = earlier.find(({ model, setup }) => model === run.model && keyOf(setup as object) === keyOf(run.setup))
  return same?.version ?? Math.max(0, ...earlier.map(({ version }) => version)) + 1
}

/** Picks at most `count` records, evenly spaced. Keeps their order. */
const spread = (seqs: readonly number[], count: number): readonly number[] =>
  seqs.length <= count ? seqs : Array.from({ length: count }, (_, i) => seqs[Math.floor((i * seqs.length) / count)]!)

type StartArgs = InDataset & {
  readonly connection_id: string
  readonly name: string
  readonly setup: RunSetup
  readonly spend_cap: number | null
  readonly dry_run: boolean
  readonly limit: number | null
  /** In ascending order. */
  readonly seqs: readonly number[]
}

const getPrinted = async (db: Db, id: string): Promise<ModelRun> => {
  const run = await selectRuns(db).where('id', '=', id).executeTakeFirstOrThrow()
  const [printed] = await printRuns(db, [run as unknown as RunRow])
  return printed!
}

/** @throws Problem not_found, forbidden, unprocessable, too_many */
export const startRun = command('models.start-run', async (db, args: StartArgs): Promise<ModelRun> => {
  const { user, connection_id, name, setup, spend_cap, dry_run, limit, seqs } = args
  const dataset = await leadDataset(db, args, true)
  checkSetup(setup, await questionRows(db, dataset.id))
  const { model, input_price, output_price } = await connectionFor(db, dataset, connection_id)
  if (spend_cap !== null && input_price === null && output_price === null) throw unprocessable(message('modelNoPrices'))
  const found = limit === null ? seqs : seqs.slice(0, limit)
  if (found.length === 0) throw unprocessable(message('modelNoRecords'))
  if (found.length > maxRunRecords)
    throw unprocessable(message('modelTooManyRecords', { found: found.length, limit: maxRunRecords }))
  const records = dry_run ? spread(found, dryRunRecords) : found
  const id = newDatasetId(dataset.no)
  const job: AskArgs = { run: id, retry: false }
  const job_id = await enqueueJob(db, askModelJob, {
    dataset_no: dataset.no,
    user_id: user.id,
    args: job,
    total: records.length,
  })
  const at = now()
  await db.sql
    .insertInto('model_runs')
    .values({
      id,
      dataset_no: dataset.no,
      connection_id,
      user_id: user.id,
      name,
      version: await versionFor(db, dataset.no, { name, model, setup }),
      model,
      setup: json(setup),
      input_price,
      output_price,
      spend_cap,
      dry_run,
      records: records.join(','),
      found: found.length,
      total: records.length,
      answered: 0,
      failed: 0,
      input_tokens: 0,
      output_tokens: 0,
      outcome: null,
      reason: null,
      reason_parts: null,
      job_id,
      published_at: null,
      test_looks: 0,
      inserted_at: at,
      updated_at: at,
    })
    .execute()
  return getPrinted(db, id)
})

/** @throws Problem not_found, forbidden */
export const requireRun = async (db: Db, { user, run_id }: OfRun, isLocked: boolean): Promise<RunRow> => {
  const rows = selectRuns(db).where('id', '=', run_id)
  const run = (await (isLocked ? db.dialect.forUpdate(rows) : rows).executeTakeFirst()) as RunRow | undefined
  const dataset = run === undefined ? null : await datasetScopeAt(db, run.dataset_no, user, { hold: false })
  if (run === undefined || dataset === null) throw notFound('Model run', run_id)
  if (!modelPolicy.run(user, dataset)) throw forbidden()
  return run
}

/** Locks a run that no job is working on. @throws Problem not_found, forbidden, unprocessable */
const requireIdleRun = async (db: Db, of: OfRun): Promise<RunRow> => {
  const run = await requireRun(db, of, true)
  const job = await db.sql.selectFrom('jobs').select('state').where('id', '=', run.job_id).executeTakeFirst()
  if (isAtWork(job)) throw unprocessable(message('modelRunBusy'))
  return run
}

/** @throws Problem not_found, forbidden */
export const getRun = query(
  'models.run',
  async (db, of: OfRun): Promise<ModelRun> => getPrinted(db, (await requireRun(db, of, false)).id),
)

type Page = { readonly failed: boolean | undefined; readonly offset: number; readonly limit: number }

/** @throws Problem not_found, forbidden */
export const listItems = query(
  'models.items',
  async (db, { failed, offset, limit, ...of }: OfRun & Page): Promise<ModelRunItem[]> => {
    const { id, dataset_no } = await requireRun(db, of, false)
    const all = db.sql
      .selectFrom('run_items')
      .select(['seq', 'record_id', 'results', 'rationale', 'reason', 'reason_parts', 'input_tokens', 'output_tokens', 'ms'])
      .where('dataset_no', '=', dataset_no)
      .where('run_id', '=', id)
    const some = failed === undefined ? all : all.where('results', failed ? 'is' : 'is not', null)
    const rows = await some.orderBy('seq').offset(offset).limit(limit).execute()
    return (rows as unknown as ItemRow[]).map(printItem)
  },
)

type ResumeArgs = OfRun & { readonly spend_cap: number | null | undefined; readonly retry: boolean }

/** @throws Problem not_found, forbidden, unprocessable, too_many */
export const resumeRun = command('models.resume-run', async (db, { spend_cap, retry, ...of }: ResumeArgs): Promise<ModelRun> => {
  const run = await requireIdleRun(db, of)
  const hasPrices = run.input_price !== null || run.output_price !== null
  if (typeof spend_cap === 'number' && !hasPrices) throw unprocessable(message('modelNoPrices'))
  const left = run.total - run.answered - (retry ? 0 : run.failed)
  if (run.outcome === 'finished' && left <= 0) throw unprocessable(message('modelRunComplete'))
  const args: AskArgs = { run: run.id, retry }
  const job_id = await enqueueJob(db, askModelJob, { dataset_no: run.dataset_no, user_id: of.user.id, args, total: run.total })
  await db.sql
    .updateTable('model_runs')
    .set({
      job_id,
      outcome: null,
      reason: null,
      reason_parts: null,
      ...(spend_cap !== undefined && { spend_cap }),
      updated_at: now(),
    })
    .where('id', '=', run.id)
    .execute()
  return getPrinted(db, run.id)
})

/** Starts a job that publishes or unpublishes a run. @throws Problem not_found, forbidden, unprocessable, too_many */
export const publishRun = command(
  'models.publish-run',
  async (db, { undo, ...of }: OfRun & { readonly undo: boolean }): Promise<ModelRun> => {
    const run = await requireIdleRun(db, of)
    const items = db.sql
      .selectFrom('run_items')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('dataset_no', '=', run.dataset_no)
      .where('run_id', '=', run.id)
    const { n } = await items.where(undo ? 'earlier' : 'results', 'is not', null).executeTakeFirstOrThrow()
    if (undo && Number(n) === 0 && run.published_at === null) throw unprocessable(message('modelRunUnpublished'))
    if (!undo && Number(n) === 0) throw unprocessable(message('modelRunEmpty'))
    const args: PublishArgs = { run: run.id, undo, after: 0, published: noneYet }
    const job_id = await enqueueJob(db, publishJob, {
      dataset_no: run.dataset_no,
      user_id: of.user.id,
      args: args as unknown as { [key: string]: unknown },
      total: Number(n),
    })
    await db.sql.updateTable('model_runs').set({ job_id, updated_at: now() }).where('id', '=', run.id).execute()
    return getPrinted(db, run.id)
  },
)

/** @throws Problem not_found, forbidden, unprocessable */
export const deleteRun = command('models.delete-run', async (db, of: OfRun): Promise<ModelRun> => {
  const run = await requireIdleRun(db, of)
  const printed = await getPrinted(db, run.id)
  await db.sql.deleteFrom('run_items').where('dataset_no', '=', run.dataset_no).where('run_id', '=', run.id).execute()
  await db.sql.deleteFrom('model_runs').where('id', '=', run.id).execute()
  return printed
})
