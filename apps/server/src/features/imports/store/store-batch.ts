import type { FieldValues } from '@postil/contract/field-values.ts'
import type { FileMapping } from '@postil/contract/files/imports.ts'
import type { ImportedAnswers, ImportedComments } from '@postil/contract/jobs.ts'
import { checkMetadata, checkRecordFields } from '@postil/contract/record-rules.ts'
import { maxCommentsPerRecord } from '@postil/contract/wire/limits.ts'
import { message } from '@postil/contract/wire/message.ts'
import { addComments } from '#features/comments/public.ts'
import {
  invalidAnswers,
  type ProvidedKeys,
  type RefusedItem,
  refusedItems,
  type Schema,
  suggestionFault,
  type UnstoredAnswer,
  type UpsertedValid,
  upsertValid,
} from '#features/records/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import type { FaultyRow } from '../faulty-row.ts'
import type { ConvertedComment } from '../foreign/define.ts'
import { noAnswerCounts, notStored } from '../rows/answers.ts'
import { noCommentCounts } from '../rows/comments.ts'

/**
 * A packed record's position in the file. `isNew`: the row must not update an existing record, even if that record has its
 * external ID. `missingColumns`: mapped columns that are missing from the row.
 */
export type RowPlace = {
  readonly row: number
  readonly line: number
  readonly isNew: boolean
  readonly missingColumns: readonly string[]
}
/** A comment, with the position of its record in the batch. */
export type PlacedComment = ConvertedComment & { readonly position: number }
export type BatchArgs = {
  readonly user: Actor
  readonly dataset_id: string
  readonly mapping: FileMapping
  readonly places: readonly RowPlace[]
  readonly packed: Uint8Array
  readonly comments: { readonly placed: readonly PlacedComment[] }
}
export type StoredBatch = {
  readonly created: number
  readonly updated: number
  readonly faults: readonly FaultyRow[]
  /** `faults`: answers that are not stored, although their rows are. */
  readonly answers: { readonly faults: readonly FaultyRow[]; readonly counts: ImportedAnswers }
  /** `faults`: comments that are not stored, although their rows are. */
  readonly comments: { readonly faults: readonly FaultyRow[]; readonly counts: ImportedComments }
}

const sourceOf = (pairs: FileMapping['fields'], target: string | undefined): string | null =>
  pairs.find((pair) => pair.target === target)?.source ?? null

type Rules = { readonly schema: Schema; readonly allowExtra: boolean }

/** The column that makes a record invalid, found by checking each part separately; null if every part is valid on its own. */
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

const faultsOf = (refused: readonly RefusedItem[], { mapping, places }: Batch, rules: Rules): readonly FaultyRow[] =>
  refused.map((one) => {
    const { row = 0, line = 0 } = places[one.position] ?? {}
    return { row, line, column: columnOf(one, mapping, rules), reason: one.reason }
  })

/** Returns a fault for each answer that wasn't stored, except for answers that equal the stored answer. */
const answerFaultsOf = (unstored: readonly UnstoredAnswer[], { mapping, places }: Batch): readonly FaultyRow[] =>
  unstored.flatMap(({ position, user_id, reason }) => {
    const { row = 0, line = 0 } = places[position] ?? {}
    if (reason === null) return []
    const named = mapping.annotators?.find((one) => one.as === 'answers' && one.user_id === user_id)
    return [{ row, line, column: null, reason: notStored(named?.name ?? '', reason) }]
  })

/** Returns, for each row of a batch, the targets for which the row has columns. */
const providedIn = ({ mapping, places }: Batch): ((position: number) => ProvidedKeys) => {
  const providedWithout = (missingColumns: readonly string[]): ProvidedKeys => {
    const targets = (pairs: FileMapping['fields']) =>
      new Set(pairs.flatMap(({ source, target }) => (missingColumns.includes(source) ? [] : [target])))
    return { fields: targets(mapping.fields), metadata: targets(mapping.metadata) }
  }
  const allProvided = providedWithout([])
  return (position) => {
    const { missingColumns = [] } = places[position] ?? {}
    return missingColumns.length === 0 ? allProvided : providedWithout(missingColumns)
  }
}

/**
 * The rows of a batch that would be rejected.
 * @param currentFields current fields of the records that the rows would change, as returned by `currentFieldsOf`. Omitted if all
 * rows are new
 */
export const validateBatch = (
  batch: Pick<BatchArgs, 'mapping' | 'places' | 'packed'>,
  rules: Rules,
  currentFields: readonly (string | null)[] = [],
): readonly FaultyRow[] =>
  faultsOf(refusedItems(rules, batch.packed, { providedBy: providedIn(batch), current: currentFields }), batch, rules)

export const invalidAnswersOf = (
  batch: Pick<BatchArgs, 'mapping' | 'places' | 'packed'>,
  { schema }: Pick<Rules, 'schema'>,
): readonly FaultyRow[] => (batch.mapping.annotators?.length ? answerFaultsOf(invalidAnswers(schema, batch.packed), batch) : [])

type CommentsOfBatch = Pick<BatchArgs, 'user' | 'places'> & { readonly placed: readonly PlacedComment[] }

/** Stores the comments of a batch, except those of rows that were refused. */
const storeComments = async (
  db: Db,
  { user, places, placed }: CommentsOfBatch,
  { records, datasetNo }: Pick<UpsertedValid, 'records' | 'datasetNo'>,
): Promise<StoredBatch['comments']> => {
  const found = placed.flatMap(({ position, ...comment }) => {
    const record = records[position] ?? null
    return record === null ? [] : [{ ...comment, position, record }]
  })
  const outcomes = await addComments(db, datasetNo, found, user.id)
  const count = (wanted: (typeof outcomes)[number]) => outcomes.filter((outcome) => outcome === wanted).length
  const faults = found.flatMap(({ position }, i): readonly FaultyRow[] => {
    const { row = 0, line = 0 } = places[position] ?? {}
    if (outcomes[i] !== 'full') return []
    return [{ row, line, column: null, reason: message('commentTooMany', { limit: maxCommentsPerRecord }) }]
  })
  return { faults, counts: { ...noCommentCounts, stored: count('stored'), kept: count('kept'), invalid: faults.length } }
}

/**
 * Writes the valid rows of a batch inside a command, and returns the faults of the invalid rows. If no column is mapped to a part
 * of the record, this part stays unchanged.
 * @throws Problem not_found, forbidden, unprocessable for a dataset that doesn't accept records
 */
export const storeBatch = async (
  db: Db,
  { user, dataset_id, mapping, places, packed, comments }: BatchArgs,
): Promise<StoredBatch> => {
  const noAnswers = { faults: [], counts: noAnswerCounts }
  const noComments = { faults: [], counts: noCommentCounts }
  if (places.length === 0) return { created: 0, updated: 0, faults: [], answers: noAnswers, comments: noComments }
  const mustBeNew = (position: number): boolean => places[position]?.isNew ?? false
  const done = await upsertValid(db, { user, dataset_id, packed }, { mustBeNew, providedBy: providedIn({ mapping, places }) })
  const count = (outcome: UnstoredAnswer['outcome']) => done.unstored.filter((one) => one.outcome === outcome).length
  return {
    created: done.created,
    updated: done.updated,
    faults: faultsOf(done.refused, { mapping, places }, done),
    answers: {
      faults: answerFaultsOf(done.unstored, { mapping, places }),
      counts: { ...noAnswerCounts, stored: done.answered, kept: count('kept'), invalid: count('invalid') },
    },
    comments: await storeComments(db, { user, places, placed: comments.placed }, done),
  }
}
