import type { Condition } from '@postil/contract/conditions.ts'
import type { FieldSettings } from '@postil/contract/field-types/index.ts'
import type { QuestionColours } from '@postil/contract/label-colours.ts'
import type { MetadataSettings } from '@postil/contract/metadata-types/index.ts'
import type { QuestionSettings } from '@postil/contract/question-types/index.ts'
import { conflict } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { enqueueBackfill } from '#features/jobs/public.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import type { OriginalRow } from '#platform/original-row.ts'
import { adoptColours } from './colours.ts'
import { fieldRows, metadataPropertyRows, questionRows, vectorSettingsRows } from './rows.ts'
import type { ChildTable } from './scope.ts'

type Named = OriginalRow & { readonly name: string; readonly title: string }
type AdoptedField = Named & { readonly required: boolean; readonly settings: FieldSettings }
type AdoptedQuestion = Named & {
  readonly description: string | null
  readonly required: boolean
  readonly settings: QuestionSettings
  readonly shown_when: Condition | null
}
type AdoptedProperty = Named & { readonly visible_for_annotators: boolean; readonly settings: MetadataSettings }
type AdoptedVectorSettings = Named & { readonly dimensions: number }

/** A dataset's schema on another server, with each list in creation order. */
export type AdoptedSchema = {
  readonly fields: readonly AdoptedField[]
  readonly questions: readonly AdoptedQuestion[]
  readonly metadata_properties: readonly AdoptedProperty[]
  readonly vector_settings: readonly AdoptedVectorSettings[]
  readonly label_colours: readonly QuestionColours[]
}
type Place = { readonly id: string; readonly no: number }
type Row = Named & { readonly no: number }

const nextNo = async (db: Db, { no }: Place): Promise<number> => {
  const { next_no } = await db.sql
    .updateTable('dataset_state')
    .set((eb) => ({ next_no: eb('next_no', '+', 1) }))
    .where('dataset_no', '=', no)
    .returning('next_no')
    .executeTakeFirstOrThrow()
  return next_no - 1
}

const hasChanged = (row: object, sent: object): boolean =>
  Object.entries(sent).some(([key, value]) => !jsonEquals(value, Reflect.get(row, key)))

// All four tables start with the same columns, so each of them can be typed as `fields`.
const as = (table: ChildTable) => table as 'fields'
const stored = (part: Named): never => {
  const columns = Object.entries(part).map(([key, value]) => {
    const isJson = key === 'settings' || key === 'shown_when'
    return [key, isJson && value !== null ? json(value) : value]
  })
  return Object.fromEntries(columns) as never
}

/** @returns the numbers of the newly created parts */
const adoptParts = async (
  db: Db,
  dataset: Place,
  table: ChildTable,
  { parts, existing }: { readonly parts: readonly Named[]; readonly existing: readonly Row[] },
): Promise<readonly number[]> => {
  const made: number[] = []
  for (const part of parts) {
    const match = existing.find(({ id }) => id === part.id)
    if (match !== undefined) {
      if (part.updated_at > match.updated_at && hasChanged(match, part)) {
        await db.sql.updateTable(as(table)).set(stored(part)).where('id', '=', part.id).execute()
      }
      continue
    }
    if (existing.some(({ name }) => name === part.name)) {
      throw conflict(`One of the ${table.replaceAll('_', ' ')} here already has the name '${part.name}'`)
    }
    const no = await nextNo(db, dataset)
    await db.sql
      .insertInto(as(table))
      .values({ ...(stored(part) as object), dataset_id: dataset.id, no } as never)
      .execute()
    made.push(no)
  }
  return made
}

/**
 * Copies a dataset's schema, including its IDs and times. If a field, question or other part already exists here with the same
 * ID, it is updated if it is older. Parts that exist only here are kept. Runs inside another feature's command that has locked
 * the dataset.
 * @throws Problem conflict if a different part has the same name
 */
export const adoptSchema = async (db: Db, dataset: Place, schema: AdoptedSchema): Promise<void> => {
  const { id } = dataset
  await adoptParts(db, dataset, 'fields', { parts: schema.fields, existing: await fieldRows(db, id) })
  await adoptParts(db, dataset, 'questions', { parts: schema.questions, existing: await questionRows(db, id) })
  await adoptColours(db, id, schema.label_colours)
  const vectors = { parts: schema.vector_settings, existing: await vectorSettingsRows(db, id) }
  await adoptParts(db, dataset, 'vector_settings', vectors)
  const properties = { parts: schema.metadata_properties, existing: await metadataPropertyRows(db, id) }
  for (const no of await adoptParts(db, dataset, 'metadata_properties', properties)) await enqueueBackfill(db, dataset.no, no)
}
