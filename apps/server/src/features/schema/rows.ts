import type { Condition } from '@postil/contract/conditions.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { VectorSettings } from '@postil/contract/vectors-settings.ts'
import type { Db } from '#platform/db/db.ts'
import { prepared } from '#platform/db/statements/prepared.ts'
import type { Micros } from '#platform/time.ts'
import { printTimes } from './scope.ts'

/** Schema parts as stored: in wire format, but with numeric times and with the part's number in the dataset. */
type Stored<T> = Omit<T, 'inserted_at' | 'updated_at'> & {
  readonly no: number
  readonly inserted_at: Micros
  readonly updated_at: Micros
}
export type FieldRow = Stored<Field> & {
  /** Whether searches for words ignore accents. The same for all fields of a dataset. */
  readonly ignores_accents: boolean
}
export type QuestionRow = Omit<Stored<Question>, 'shown_when'> & {
  /** Null if the question is always shown. */
  readonly shown_when: Condition | null
}
export type MetadataPropertyRow = Stored<MetadataProperty>
export type VectorSettingsRow = Stored<VectorSettings>

const common = ['id', 'dataset_id', 'no', 'name', 'title', 'inserted_at', 'updated_at'] as const

// The types below are safe because settings were validated by their types' schemas when they were stored.
export const fieldRows = (db: Db, datasetId: string): Promise<FieldRow[]> =>
  db.sql
    .selectFrom('fields')
    .select([...common, 'required', 'settings'])
    .select((eb) => eb.selectFrom('datasets').select('ignores_accents').where('id', '=', datasetId).as('ignores_accents'))
    .where('dataset_id', '=', datasetId)
    .orderBy('no')
    .$castTo<FieldRow>()
    .execute()

export const questionRows = (db: Db, datasetId: string): Promise<QuestionRow[]> =>
  db.sql
    .selectFrom('questions')
    .select([...common, 'description', 'required', 'settings', 'shown_when'])
    .where('dataset_id', '=', datasetId)
    .orderBy('no')
    .$castTo<QuestionRow>()
    .execute()

export const questionRowsAt = (db: Db, datasetNo: number): Promise<QuestionRow[]> =>
  db.sql
    .selectFrom('questions')
    .select([...common, 'description', 'required', 'settings', 'shown_when'])
    .where('dataset_id', '=', (eb) => eb.selectFrom('datasets').select('datasets.id').where('datasets.no', '=', datasetNo))
    .orderBy('no')
    .$castTo<QuestionRow>()
    .execute()

const metadataPropertiesOf = prepared((db, { datasetId }: { readonly datasetId: string }) =>
  db.sql
    .selectFrom('metadata_properties')
    .select([...common, 'settings', 'visible_for_annotators'])
    .where('dataset_id', '=', datasetId)
    .orderBy('no')
    .$castTo<MetadataPropertyRow>(),
)
export const metadataPropertyRows = (db: Db, datasetId: string): Promise<readonly MetadataPropertyRow[]> =>
  metadataPropertiesOf(db, { datasetId })

export const vectorSettingsRows = (db: Db, datasetId: string): Promise<VectorSettingsRow[]> =>
  db.sql
    .selectFrom('vector_settings')
    .select([...common, 'dimensions'])
    .where('dataset_id', '=', datasetId)
    .orderBy('no')
    .$castTo<VectorSettingsRow>()
    .execute()

/** Returns the row with the given ID. The row must exist. */
export const pick = <R extends { readonly id: string }>(rows: readonly R[], id: string): R => {
  const row = rows.find((candidate) => candidate.id === id)
  if (row === undefined) throw new Error(`no row ${id}`)
  return row
}

export const printField = (row: Omit<FieldRow, 'ignores_accents'>): Field => ({
  id: row.id,
  name: row.name,
  title: row.title,
  required: row.required,
  settings: row.settings,
  dataset_id: row.dataset_id,
  ...printTimes(row),
})

export const printQuestion = (row: QuestionRow): Question => ({
  id: row.id,
  name: row.name,
  title: row.title,
  description: row.description,
  required: row.required,
  settings: row.settings,
  ...(row.shown_when !== null && { shown_when: row.shown_when }),
  dataset_id: row.dataset_id,
  ...printTimes(row),
})

export const printMetadataProperty = (row: MetadataPropertyRow): MetadataProperty => ({
  id: row.id,
  name: row.name,
  title: row.title,
  settings: row.settings,
  visible_for_annotators: row.visible_for_annotators,
  dataset_id: row.dataset_id,
  ...printTimes(row),
})

export const printVectorSettings = (row: VectorSettingsRow): VectorSettings => ({
  id: row.id,
  name: row.name,
  title: row.title,
  dimensions: row.dimensions,
  dataset_id: row.dataset_id,
  ...printTimes(row),
})
