import type { Dataset, DatasetCreate, DatasetUpdate } from '@postil/contract/datasets.ts'
import type { DatasetParts } from '@postil/contract/question-types/define.ts'
import type { QuestionSettings } from '@postil/contract/question-types/index.ts'
import { placementFault } from '@postil/contract/question-types/index.ts'
import { business, forbidden, unprocessable } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { purgeDataset, removeFiles } from '#features/jobs/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { openOutbox } from '#platform/events/outbox.ts'
import { datasetEventData } from '#platform/events/payloads.ts'
import { newId } from '#platform/ids.ts'
import { enqueueJob } from '#platform/jobs/kinds.ts'
import { keepNames } from '#platform/jobs/operations.ts'
import { now } from '#platform/time.ts'
import { hasResponses, insertDataset, lockWorkspace, refuseTakenName } from './dataset-store.ts'
import { datasetPolicy } from './policy.ts'
import type { DatasetRow, FoundDataset } from './rows.ts'
import { findDataset, printDataset } from './rows.ts'
import { addSchemaVersion } from './schema-versions.ts'

type DatasetEvent = 'dataset.created' | 'dataset.updated' | 'dataset.published' | 'dataset.deleted'

/**
 * Emits an event to the webhooks that subscribe to it. A deletion event is emitted before the deletion and contains the last
 * state.
 */
const emitDataset = async (db: Db, event: DatasetEvent, dataset: { readonly id: string; readonly no: number }): Promise<void> => {
  const outbox = await openOutbox(db)
  if (!outbox.isSubscribed(event)) return
  const data = await datasetEventData(db, dataset.no)
  await outbox.emit(dataset.no, [{ event, subject_id: dataset.id, at: now(), data }])
}

const isMember = async (db: Db, workspaceId: string, userId: string): Promise<boolean> => {
  const row = await db.sql
    .selectFrom('memberships')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** @throws Problem forbidden, unprocessable, conflict */
export const createDataset = command(
  'datasets.create',
  async (db, { user, body }: { user: Actor; body: DatasetCreate }): Promise<Dataset> => {
    const { workspace_id, name } = body
    // Only an owner may learn that a workspace doesn't exist
    if (!datasetPolicy.create(user, { member: await isMember(db, workspace_id, user.id) })) throw forbidden()
    if (!(await lockWorkspace(db, workspace_id))) throw unprocessable(`Workspace with id \`${workspace_id}\` not found`)
    await refuseTakenName(db, workspace_id, name)
    const at = now()
    const metadata = body.metadata ?? null
    const newDataset = {
      id: newId(),
      workspace_id,
      name,
      guidelines: body.guidelines ?? null,
      allow_extra_metadata: body.allow_extra_metadata,
      status: 'draft' as const,
      min_submitted: body.distribution.min_submitted,
      metadata,
      inserted_at: at,
      updated_at: at,
    }
    const row = { ...newDataset, no: await insertDataset(db, newDataset) }
    await emitDataset(db, 'dataset.created', row)
    return printDataset({ ...row, active_at: null })
  },
)

const lockDataset = async (db: Db, id: string, user: Actor, action: 'update' | 'publish' | 'delete'): Promise<FoundDataset> => {
  const dataset = await findDataset(db, id, user.id, 'change')
  if (!datasetPolicy[action](user, dataset)) throw forbidden()
  return dataset
}

/**
 * Refuses to change the distribution of a dataset that has answers. In a dataset without answers, every record is pending under
 * any distribution, so no status has to be updated.
 * @throws Problem business
 */
const refuseNewDistribution = async (db: Db, dataset: DatasetRow, minSubmitted: number | undefined): Promise<void> => {
  if (minSubmitted === undefined || minSubmitted === dataset.min_submitted) return
  if (!(await hasResponses(db, dataset.no))) return
  throw business(
    'update_distribution_with_existing_responses',
    "Distribution settings can't be modified for a dataset containing user responses",
  )
}

type Changed = { readonly [column: string]: unknown }
const changesOf = (row: DatasetRow, { distribution, ...body }: DatasetUpdate): Changed => {
  const sent = { ...body, ...(distribution && { min_submitted: distribution.min_submitted }) }
  return Object.fromEntries(Object.entries(sent).filter(([key, value]) => !jsonEquals(value, Reflect.get(row, key))))
}

/** @throws Problem not_found, forbidden, conflict, business */
export const updateDataset = command(
  'datasets.update',
  async (db, { user, id, body }: { user: Actor; id: string; body: DatasetUpdate }): Promise<Dataset> => {
    const dataset = await lockDataset(db, id, user, 'update')
    await refuseNewDistribution(db, dataset, body.distribution?.min_submitted)
    if (body.name !== undefined && body.name !== dataset.name) {
      await lockWorkspace(db, dataset.workspace_id)
      await refuseTakenName(db, dataset.workspace_id, body.name)
    }
    const changes = changesOf(dataset, body)
    const changed = { ...dataset, ...changes, ...(Object.keys(changes).length > 0 && { updated_at: now() }) }
    if (changed.updated_at !== dataset.updated_at) {
      const { name, guidelines, allow_extra_metadata, min_submitted, metadata, updated_at } = changed
      await db.sql
        .updateTable('datasets')
        .set({ name, guidelines, allow_extra_metadata, min_submitted, updated_at, metadata: metadata && json(metadata) })
        .where('id', '=', id)
        .execute()
      if (dataset.status === 'ready' && guidelines !== dataset.guidelines)
        await addSchemaVersion(db, dataset.no, {
          user_id: user.id,
          note: null,
          changes: [{ type: 'edit_guidelines', before: dataset.guidelines, after: guidelines }],
          snapshot: [],
        })
    }
    await emitDataset(db, 'dataset.updated', dataset)
    return printDataset(changed)
  },
)

/**
 * Returns why a question can't be answered, for example because the draft no longer has the field that it refers to. Null if all
 * questions can be answered.
 */
const unanswerableQuestion = async (db: Db, { id }: DatasetRow): Promise<Reason | null> => {
  const fields = await db.sql.selectFrom('fields').select(['name', 'settings']).where('dataset_id', '=', id).execute()
  const questions = await db.sql
    .selectFrom('questions')
    .select(['name', 'settings'])
    .where('dataset_id', '=', id)
    .orderBy('no')
    .execute()
  for (const { name, settings } of questions) {
    const fault = placementFault(settings as QuestionSettings, { fields: fields as DatasetParts['fields'], questions: [] })
    if (fault !== null) return message('publishUnanswerable', { question: name }, fault)
  }
  return null
}

const publishFault = async (db: Db, dataset: DatasetRow): Promise<Reason | null> => {
  if (dataset.status === 'ready') return `Dataset with id \`${dataset.id}\` is already published`
  const of = <T extends 'fields' | 'questions'>(table: T) =>
    db.sql
      .selectFrom(table as 'fields')
      .select('id')
      .where('dataset_id', '=', dataset.id)
      .limit(1)
  if (!(await of('fields').executeTakeFirst())) return message('publishNoFields')
  const required = await of('questions').where('required', '=', true).executeTakeFirst()
  return required ? await unanswerableQuestion(db, dataset) : message('publishNoQuestions')
}

/** @throws Problem not_found, forbidden, unprocessable */
export const publishDataset = command(
  'datasets.publish',
  async (db, { user, id }: { user: Actor; id: string }): Promise<Dataset> => {
    const dataset = await lockDataset(db, id, user, 'publish')
    const missing = await publishFault(db, dataset)
    if (missing !== null) throw unprocessable(missing)
    const change = { status: 'ready' as const, updated_at: now() }
    await db.sql.updateTable('datasets').set(change).where('id', '=', id).execute()
    await emitDataset(db, 'dataset.published', dataset)
    return printDataset({ ...dataset, ...change })
  },
)

/**
 * Hides the dataset and frees its name at once. A job removes the dataset's rows later. @returns the dataset's last state.
 * @throws Problem not_found, forbidden
 */
export const deleteDataset = command(
  'datasets.delete',
  async (db, { user, id }: { user: Actor; id: string }): Promise<Dataset> => {
    const dataset = await lockDataset(db, id, user, 'delete')
    await emitDataset(db, 'dataset.deleted', dataset)
    await db.sql.updateTable('datasets').set({ gone_at: now() }).where('id', '=', id).execute()
    await enqueueJob(db, purgeDataset, { dataset_no: dataset.no })
    const files = await enqueueJob(db, removeFiles, { args: { dataset_id: dataset.id } })
    await keepNames(db, dataset, [files])
    return printDataset(dataset)
  },
)
