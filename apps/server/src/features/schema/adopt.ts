import type { FieldSettings } from '@postil/contract/field-types/index.ts'
import type { QuestionColours } from '@postil/contract/label-colours.ts'
import type { MetadataSettings } from '@postil/contract/metadata-types/index.ts'
import type { QuestionSettings } from '@postil/contract/question-types/index.ts'
import { conflict } from '@postil/contract/wire/errors.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import { enqueueBackfill } from '#features/jobs/service.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import type { Kept } from '#platform/kept.ts'
import { adoptColours } from './colours.ts'
import { fieldRows, metadataPropertyRows, questionRows, vectorSettingsRows } from './rows.ts'
import type { ChildTable } from './scope.ts'

type Named = Kept & { readonly name: string; readonly title: string }
export type AdoptedField = Named & { readonly required: boolean; readonly settings: FieldSettings }
export type AdoptedQuestion = Named & {
  readonly description: string | null
  readonly required: boolean
  readonly settings: QuestionSettings
}
export type AdoptedProperty = Named & { readonly visible_for_annotators: boolean; readonly settings: MetadataSettings }
export type AdoptedVectorSettings = Named & { readonly dimensions: number }

/** The parts of a dataset's schema on another server, each list in creation order. */
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

const differs = (row: object, sent: object): boolean =>
  Object.entries(sent).some(([key, value]) => !jsonEquals(value, Reflect.get(row, key)))

// All four tables have the same first columns; what else a part has is put in as it is, its settings as JSON.
const as = (table: ChildTable) => table as 'fields'
const stored = (part: Named): never => {
  const settings = Reflect.get(part, 'settings')
  return (settings === undefined ? part : { ...part, settings: json(settings) }) as never
}

/** @returns the parts that were made now, by their numbers */
const adoptParts = async (
  db: Db,
  dataset: Place,
  table: ChildTable,
  { parts, standing }: { readonly parts: readonly Named[]; readonly standing: readonly Row[] },
): Promise<readonly number[]> => {
  const made: number[] = []
  for (const part of parts) {
    const same = standing.find(({ id }) => id === part.id)
    if (same !== undefined) {
      if (part.updated_at > same.updated_at && differs(same, part)) {
        await db.sql.updateTable(as(table)).set(stored(part)).where('id', '=', part.id).execute()
      }
      continue
    }
    if (standing.some(({ name }) => name === part.name)) {
      throw conflict(`Another one of the ${table.replaceAll('_', ' ')} here has the name '${part.name}'`)
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
 * Takes in the parts of a dataset's schema with their ids and times, and what is newer of those that are here, inside another feature's
 * command that holds the dataset. What is here and not there stays.
 * @throws Problem conflict where another part has the name of one
 */
export const adoptSchema = async (db: Db, dataset: Place, schema: AdoptedSchema): Promise<void> => {
  const { id } = dataset
  await adoptParts(db, dataset, 'fields', { parts: schema.fields, standing: await fieldRows(db, id) })
  await adoptParts(db, dataset, 'questions', { parts: schema.questions, standing: await questionRows(db, id) })
  await adoptColours(db, id, schema.label_colours)
  const vectors = { parts: schema.vector_settings, standing: await vectorSettingsRows(db, id) }
  await adoptParts(db, dataset, 'vector_settings', vectors)
  const properties = { parts: schema.metadata_properties, standing: await metadataPropertyRows(db, id) }
  for (const no of await adoptParts(db, dataset, 'metadata_properties', properties)) await enqueueBackfill(db, dataset.no, no)
}
