import type { SchemaVersion } from '@postil/contract/schema-versions.ts'
import { conflict, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import { message } from '@postil/contract/wire/message.ts'
import {
  addSchemaVersion,
  isTextChange,
  type QuestionLabels,
  type StoredChange,
  type StoredTextChange,
  type StoredVersion,
  schemaVersion,
} from '#features/datasets/public.ts'
import {
  carryColours,
  labelSettings,
  labelsWith,
  lockedDataset,
  metadataPropertyRows,
  type QuestionRow,
  questionRows,
  settingsWith,
  snapshotOf,
  transitional,
} from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { enqueueJob } from '#platform/jobs/kinds.ts'
import { UNFINISHED } from '#platform/jobs/states.ts'
import { now } from '#platform/time.ts'
import { type ConditionChange, planConditions, revertedConditions, storeConditions } from './conditions.ts'
import { noCounts, type RelabelJobArgs, relabel } from './job.ts'
import { isTextEdit, makeChanges, type PlannedDataset, readToken } from './plan.ts'
import { printVersion, textIn } from './queries.ts'

type Dataset = PlannedDataset & { readonly id: string }

/** @throws Problem conflict while a label change is running */
const refuseBusy = async (db: Db, dataset: Dataset): Promise<void> => {
  const running = await db.sql
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', relabel.kind)
    .where('dataset_no', '=', dataset.no)
    .where('state', 'in', UNFINISHED)
    .executeTakeFirst()
  if (running !== undefined) throw conflict(message('schemaBusy'))
}

type NewJob = { readonly user_id: string; readonly args: RelabelJobArgs; readonly total: number }

/** Adds a job that applies a version's label changes to stored answers. */
const startJob = async (db: Db, dataset: Dataset, version: StoredVersion, job: NewJob): Promise<StoredVersion> => {
  const job_id = await enqueueJob(db, relabel, { dataset_no: dataset.no, ...job })
  await db.sql
    .updateTable('schema_versions')
    .set({ job_id })
    .where('dataset_no', '=', dataset.no)
    .where('no', '=', version.no)
    .execute()
  return { ...version, job_id }
}

type Changed = QuestionLabels & { readonly question: QuestionRow }
type NewVersion = {
  readonly user: Actor
  readonly note: string | null
  readonly changes: readonly StoredChange[]
  readonly questions: readonly Changed[]
  readonly texts: readonly StoredTextChange[]
  readonly conditions: readonly ConditionChange[]
  readonly reverts: number | null
}

/** Sets the guidelines and descriptions. */
const storeTexts = async (db: Db, { id }: Dataset, texts: readonly StoredTextChange[]): Promise<void> => {
  for (const change of texts) {
    const updated_at = now()
    if (change.type === 'edit_guidelines')
      await db.sql.updateTable('datasets').set({ guidelines: change.after, updated_at }).where('id', '=', id).execute()
    else {
      const description = change.after
      await db.sql.updateTable('questions').set({ description, updated_at }).where('id', '=', change.question_id).execute()
    }
  }
}

/**
 * Stores the new labels and texts together with a schema version. If labels were replaced, adds a job that replaces them in
 * stored answers. Until the job ends, the replaced labels stay valid.
 */
const storeVersion = async (
  db: Db,
  dataset: Dataset,
  { user, note, changes, questions, texts, conditions, reverts }: NewVersion,
): Promise<StoredVersion> => {
  let isReplaced = reverts !== null && questions.length > 0
  await storeTexts(db, dataset, texts)
  await storeConditions(db, conditions)
  for (const { question, after, renamed } of questions) {
    const settings = labelSettings(question.settings)
    if (settings === null) throw new Error(`question ${question.id} has no labels`)
    const labels = transitional(settings.options, after)
    if (labels !== after || !jsonEquals(settings.split, after.split)) isReplaced = true
    await db.sql
      .updateTable('questions')
      .set({ settings: json(settingsWith(settings, labels)), updated_at: now() })
      .where('id', '=', question.id)
      .execute()
    await carryColours(db, question.id, labels, new Map(Object.entries(renamed)))
  }
  const snapshot = questions.map(({ question: _, ...labels }) => labels)
  const all = [...changes, ...texts, ...conditions]
  const version = await addSchemaVersion(db, dataset.no, { user_id: user.id, note, changes: all, snapshot })
  if (!isReplaced) return version
  const { n } = await db.sql
    .selectFrom('records')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('dataset_no', '=', dataset.no)
    .executeTakeFirstOrThrow()
  const args: RelabelJobArgs = { after: -1, version: version.no, reverts, relabeled: noCounts, isScanned: false }
  return startJob(db, dataset, version, { user_id: user.id, args, total: Number(n) })
}

type InDataset = { readonly user: Actor; readonly dataset_id: string }
type ApplyArgs = InDataset & {
  readonly body: { readonly token: string; readonly note?: string | null | undefined }
  readonly limits: Limits
}

/** Changes labels as planned. @throws Problem not_found, forbidden, conflict, unprocessable, too_many */
export const applyPlan = command(
  'schema-versions.apply',
  async (db, { user, dataset_id, body: { token, note }, limits }: ApplyArgs): Promise<SchemaVersion> => {
    const dataset = await lockedDataset(db, dataset_id, user)
    const rows = await questionRows(db, dataset_id)
    const { changes, isCurrent } = readToken(token, dataset, rows)
    await refuseBusy(db, dataset)
    if (!isCurrent) throw conflict(message('schemaMoved'))
    const { questions, texts, refused } = await makeChanges(db, dataset, rows, { changes, limits })
    const [fault] = refused
    if (fault !== undefined) throw unprocessable(fault.reason)
    const changed = questions.map(({ question, labels }) => ({
      question,
      question_id: question.id,
      before: snapshotOf(labels.settings),
      after: labels.after(),
      renamed: Object.fromEntries(labels.renamed()),
    }))
    return printVersion(
      db,
      dataset,
      await storeVersion(db, dataset, {
        user,
        note: note || null,
        changes: changes.filter((change) => !isTextEdit(change)),
        questions: changed,
        texts,
        conditions: planConditions(rows, questions),
        reverts: null,
      }),
    )
  },
)

/**
 * Returns the labels that a question had before a version, followed by the labels that the version added. The added labels are
 * retired.
 */
const revertedLabels = ({ before, after, renamed }: QuestionLabels): QuestionLabels => {
  const known = new Set([...before.options.map(({ value }) => value), ...Object.keys(renamed)])
  const added = after.options.filter(({ value }) => !known.has(value))
  const options = [...before.options, ...added]
  const retired = [...(before.retired ?? []), ...added.map(({ value }) => value)]
  return {
    question_id: '',
    before: after,
    after: labelsWith(
      { options, retired, replaced: before.replaced ?? [], split: before.split ?? [] },
      new Map(Object.entries(renamed)),
    ),
    renamed: Object.fromEntries(Object.entries(renamed).map(([label, earlier]) => [earlier, label])),
  }
}

type OfVersion = InDataset & { readonly version_no: string }

/** @throws Problem not_found, forbidden */
const lockedVersion = async (db: Db, { user, dataset_id, version_no }: OfVersion) => {
  const no = Number(version_no)
  const dataset = await lockedDataset(db, dataset_id, user)
  const version = Number.isSafeInteger(no) ? await schemaVersion(db, dataset.no, no) : null
  if (version === null) throw notFound('Schema version', version_no)
  return { dataset, version }
}

/**
 * Reverts a version. Restores the labels, texts and conditions from before the version. Also restores the answers that nobody has
 * changed since then.
 * @throws Problem not_found, forbidden, conflict, unprocessable, too_many
 */
export const revertVersion = command(
  'schema-versions.revert',
  async (db, { user, dataset_id, version_no }: OfVersion): Promise<SchemaVersion> => {
    const { dataset, version } = await lockedVersion(db, { user, dataset_id, version_no })
    const { no } = version
    await refuseBusy(db, dataset)
    const rows = await questionRows(db, dataset_id)
    const questions = version.snapshot.map((labels): Changed => {
      const question = rows.find(({ id }) => id === labels.question_id)
      const settings = question === undefined ? null : labelSettings(question.settings)
      if (question === undefined || settings === null || !jsonEquals(snapshotOf(settings), labels.after))
        throw conflict(message('versionMoved', { no }))
      return { ...revertedLabels(labels), question_id: question.id, question }
    })
    const stored = version.changes.filter(isTextChange)
    if (stored.some((change) => change.after !== textIn(change, dataset, rows))) throw conflict(message('versionMoved', { no }))
    const texts = stored.map((change) => ({ ...change, before: change.after, after: change.before }))
    if (version.changes.some(({ type }) => type === 'revert')) throw unprocessable(message('revertOfRevert', { no }))
    const conditions = revertedConditions(version, { rows, properties: await metadataPropertyRows(db, dataset_id) }, questions)
    const changes: StoredChange[] = [{ type: 'revert', no }]
    const reverted = { user, note: null, changes, questions, texts, conditions, reverts: no }
    return printVersion(db, dataset, await storeVersion(db, dataset, reverted))
  },
)

/**
 * Continues the work of a version whose job has failed. The new job starts with the next record and with the counts so far.
 * @throws Problem not_found, forbidden, conflict, too_many
 */
export const resumeVersion = command('schema-versions.resume', async (db, args: OfVersion): Promise<SchemaVersion> => {
  const { dataset, version } = await lockedVersion(db, args)
  await refuseBusy(db, dataset)
  const failed =
    version.job_id === null
      ? undefined
      : await db.sql
          .selectFrom('jobs')
          .select(['args', 'total'])
          .where('id', '=', version.job_id)
          .where('state', '=', 'failed')
          .executeTakeFirst()
  if (failed === undefined) throw conflict(message('nothingToResume', { no: version.no }))
  // The arguments were written by this feature.
  const job = { user_id: args.user.id, args: failed.args as RelabelJobArgs, total: failed.total ?? 0 }
  return printVersion(db, dataset, await startJob(db, dataset, version, job))
})
