import type { FieldValues } from '@postil/contract/field-values.ts'
import type { FileMapping, RowFault } from '@postil/contract/files/imports.ts'
import { checkMetadata, checkRecordFields } from '@postil/contract/record-rules.ts'
import {
  type Actor,
  type RefusedItem,
  refusedItems,
  type Schema,
  type Spoken,
  suggestionFault,
  upsertValid,
} from '#features/records/service.ts'
import type { Db } from '#platform/db/db.ts'

/**
 * Where a packed record stands in the file; `isNew`: it must not change a record that is there because of its external id; `lacks`:
 * columns that it says nothing of.
 */
export type RowPlace = {
  readonly row: number
  readonly line: number
  readonly isNew: boolean
  readonly lacks: readonly string[]
}
export type BatchArgs = {
  readonly user: Actor
  readonly dataset_id: string
  readonly mapping: FileMapping
  readonly places: readonly RowPlace[]
  readonly packed: Uint8Array
}
export type StoredBatch = { readonly created: number; readonly updated: number; readonly faults: readonly RowFault[] }

const sourceOf = (pairs: FileMapping['fields'], target: string | undefined): string | null =>
  pairs.find((pair) => pair.target === target)?.source ?? null

type Rules = { readonly schema: Schema; readonly allowExtra: boolean }

/** The column that makes a record break a rule, found by judging each of its parts alone; null where none does alone. */
const columnOf = ({ item }: RefusedItem, mapping: FileMapping, { schema, allowExtra }: Rules): string | null => {
  const fields = JSON.parse(item.fields?.json ?? '{}') as FieldValues
  const field = schema.fields.find((one) => checkRecordFields({ [one.name]: fields[one.name] ?? null }, [one]) !== null)
  if (field !== undefined) return sourceOf(mapping.fields, field.name)
  const metadata = Object.entries(item.metadata?.value ?? {}).find(
    ([name, value]) => checkMetadata({ [name]: value }, schema.properties, allowExtra) !== null,
  )
  if (metadata !== undefined) return sourceOf(mapping.metadata, metadata[0])
  const suggestion = (item.suggestions ?? []).find((one) => suggestionFault(one, schema, fields) !== null)
  return sourceOf(mapping.suggestions, schema.questionsById.get(suggestion?.question_id ?? '')?.name)
}

type Batch = Pick<BatchArgs, 'mapping' | 'places'>

const faultsOf = (refused: readonly RefusedItem[], { mapping, places }: Batch, rules: Rules): readonly RowFault[] =>
  refused.map((one) => {
    const { row = 0, line = 0 } = places[one.position] ?? {}
    return { row, line, column: columnOf(one, mapping, rules), reason: one.reason }
  })

/** What each row of a batch has columns for. */
const spokenIn = ({ mapping, places }: Batch): ((position: number) => Spoken) => {
  const spokenWithout = (lacks: readonly string[]): Spoken => {
    const targets = (pairs: FileMapping['fields']) =>
      new Set(pairs.flatMap(({ source, target }) => (lacks.includes(source) ? [] : [target])))
    return { fields: targets(mapping.fields), metadata: targets(mapping.metadata) }
  }
  const whole = spokenWithout([])
  return (position) => {
    const { lacks = [] } = places[position] ?? {}
    return lacks.length === 0 ? whole : spokenWithout(lacks)
  }
}

/**
 * The rows of a batch that would be refused.
 * @param standing fields of the records that they would change, as `fieldsStanding` finds them; left out: all are new
 */
export const judgeBatch = (
  batch: Pick<BatchArgs, 'mapping' | 'places' | 'packed'>,
  rules: Rules,
  standing: readonly (string | null)[] = [],
): readonly RowFault[] => faultsOf(refusedItems(rules, batch.packed, { spokenBy: spokenIn(batch), standing }), batch, rules)

/**
 * Writes a batch of rows, inside a command: those that keep the rules, and tells of the others. What the mapping has no column for stays as
 * a record has it.
 * @throws Problem not_found, forbidden, unprocessable for a dataset that takes no records
 */
export const storeBatch = async (db: Db, { user, dataset_id, mapping, places, packed }: BatchArgs): Promise<StoredBatch> => {
  if (places.length === 0) return { created: 0, updated: 0, faults: [] }
  const mustBeNew = (position: number): boolean => places[position]?.isNew ?? false
  const done = await upsertValid(db, { user, dataset_id, packed }, { mustBeNew, spokenBy: spokenIn({ mapping, places }) })
  return { created: done.created, updated: done.updated, faults: faultsOf(done.refused, { mapping, places }, done) }
}
