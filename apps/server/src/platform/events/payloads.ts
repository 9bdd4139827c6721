import type { Shown } from '@postil/contract/comparison-sides.ts'
import type { Returned } from '@postil/contract/responses.ts'
import type { SuggestionOutcomes } from '@postil/contract/suggestion-use.ts'
import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { RecordStatus, ResponseStatus, ResponseValues } from '#platform/db/tables.ts'
import { type Micros, printTime } from '#platform/time.ts'
import type { EventData } from './outbox.ts'

type Times = { readonly inserted_at: Micros; readonly updated_at: Micros }
type JsonObject = { readonly [key: string]: unknown }

const printTimes = ({ inserted_at, updated_at }: Times) => ({
  inserted_at: printTime(inserted_at),
  updated_at: printTime(updated_at),
})
const printed = <R extends Times>(rows: readonly R[]) => rows.map((row) => ({ ...row, ...printTimes(row) }))

/**
 * `data` of `dataset.*` events, also included in all other events: the dataset with its workspace and settings as this
 * transaction sees them. @throws if the dataset doesn't exist
 */
export const datasetEventData = async (db: Db, datasetNo: number): Promise<EventData> => {
  const dataset = await db.sql.selectFrom('datasets').selectAll().where('no', '=', datasetNo).executeTakeFirstOrThrow()
  const base = ['id', 'name', 'title', 'inserted_at', 'updated_at'] as const
  const [workspace, activity, questions, fields, properties, vectors] = await pipeline([
    db.sql
      .selectFrom('workspaces')
      .select(['id', 'name', 'inserted_at', 'updated_at'])
      .where('id', '=', dataset.workspace_id)
      .executeTakeFirstOrThrow(),
    db.sql
      .selectFrom('dataset_activity')
      .select((eb) => eb.fn.max('last_activity_at').as('last'))
      .where('dataset_no', '=', datasetNo)
      .executeTakeFirst(),
    db.sql
      .selectFrom('questions')
      .select([...base, 'description', 'required', 'settings', 'shown_when'])
      .where('dataset_id', '=', dataset.id)
      .orderBy('no')
      .execute(),
    db.sql
      .selectFrom('fields')
      .select([...base, 'required', 'settings'])
      .where('dataset_id', '=', dataset.id)
      .orderBy('no')
      .execute(),
    db.sql
      .selectFrom('metadata_properties')
      .select([...base, 'settings', 'visible_for_annotators'])
      .where('dataset_id', '=', dataset.id)
      .orderBy('no')
      .execute(),
    db.sql
      .selectFrom('vector_settings')
      .select([...base, 'dimensions'])
      .where('dataset_id', '=', dataset.id)
      .orderBy('no')
      .execute(),
  ])
  return {
    id: dataset.id,
    name: dataset.name,
    guidelines: dataset.guidelines,
    allow_extra_metadata: dataset.allow_extra_metadata,
    status: dataset.status,
    distribution: { strategy: 'overlap', min_submitted: dataset.min_submitted },
    workspace: { ...workspace, ...printTimes(workspace) },
    questions: printed(
      questions.map(({ shown_when, ...question }) => ({ ...question, ...(shown_when !== null && { shown_when }) })),
    ),
    fields: printed(fields),
    metadata_properties: printed(properties),
    vectors_settings: printed(vectors),
    last_activity_at: printTime(Math.max(dataset.updated_at, activity?.last ?? 0)),
    ...printTimes(dataset),
  }
}

type RecordForEvent = Times & {
  readonly id: string
  readonly status: RecordStatus
  readonly fields: JsonObject
  readonly metadata: JsonObject | null
  readonly external_id: string | null
}

/** `data` of `record.*` events. @param dataset from `datasetEventData` */
export const recordEventData = (record: RecordForEvent, dataset: EventData): EventData => ({
  id: record.id,
  status: record.status,
  fields: record.fields,
  metadata: record.metadata,
  external_id: record.external_id,
  dataset,
  ...printTimes(record),
})

type ResponseForEvent = Times & {
  readonly id: string
  readonly user_id: string
  readonly values: ResponseValues
  readonly suggestion_outcomes: SuggestionOutcomes | null
  readonly shown: Shown | null
  readonly returned: Returned | null
  readonly status: ResponseStatus
}

/** The author of an answer in `data` of `response.*` events; null if the user was deleted. */
export const authorEventData = async (db: Db, userId: string): Promise<EventData | null> => {
  const user = await db.sql
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'username', 'role', 'inserted_at', 'updated_at'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return user === undefined ? null : { ...user, ...printTimes(user) }
}

/** `data` of `response.*` events. @param record from `recordEventData` @param user from `authorEventData` */
export const responseEventData = (response: ResponseForEvent, record: EventData, user: EventData | null): EventData => ({
  id: response.id,
  values: response.values,
  suggestion_outcomes: response.suggestion_outcomes ?? null,
  returned: response.returned ?? null,
  ...(response.shown && { shown: response.shown }),
  status: response.status,
  record,
  user,
  ...printTimes(response),
})
