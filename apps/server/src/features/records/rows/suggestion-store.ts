import { contentChanged } from '#platform/db/content-version.ts'
import type { Db } from '#platform/db/db.ts'
import type { PreparedSuggestion } from '../bulk/prepare.ts'
import type { Schema } from '../schema.ts'
import type { ScopeDataset } from '../scope.ts'
import { Derived } from './derived.ts'
import type { SuggestionRow } from './suggestion-rows.ts'
import { dropSuggestions, storeSuggestions, suggestionColumns } from './suggestion-rows.ts'

const stored = (db: Db, datasetNo: number) =>
  db.sql.selectFrom('suggestions').select(suggestionColumns).where('dataset_no', '=', datasetNo)

/** Returns the suggestions of a record, oldest first. */
export const suggestionsOfRecord = async (db: Db, datasetNo: number, seq: number): Promise<readonly SuggestionRow[]> => {
  const rows = await stored(db, datasetNo).where('seq', '=', seq).orderBy('inserted_at').orderBy('id').execute()
  return rows as unknown as readonly SuggestionRow[]
}

export const findSuggestion = async (db: Db, datasetNo: number, id: string): Promise<SuggestionRow | null> => {
  const row = await stored(db, datasetNo).where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : (row as unknown as SuggestionRow)
}

/**
 * Writes a validated suggestion to a locked record.
 * @returns the stored suggestion, and whether it is the first one for its question
 */
export const storeSuggestion = async (
  db: Db,
  { dataset, schema, seq }: { readonly dataset: ScopeDataset; readonly schema: Schema; readonly seq: number },
  { question_no, sent }: { readonly question_no: number; readonly sent: PreparedSuggestion },
): Promise<{ readonly row: SuggestionRow; readonly created: boolean }> => {
  const before = await suggestionsOfRecord(db, dataset.no, seq)
  await contentChanged(db, dataset.no)
  const derived = new Derived(dataset.no)
  const changes = [{ seq, isNew: false, suggestions: new Map([[question_no, sent]]), replace: false }]
  const [row] = (await storeSuggestions(db, dataset.no, schema, { changes, derived })).get(seq) ?? []
  if (row === undefined) throw new Error('a suggestion was not written')
  return { row, created: before.every((other) => other.question_no !== question_no) }
}

/** Removes suggestions of a locked record. */
export const removeSuggestions = async (db: Db, dataset: ScopeDataset, rows: readonly SuggestionRow[]): Promise<void> => {
  if (rows.length === 0) return
  await contentChanged(db, dataset.no)
  await dropSuggestions(db, dataset.no, rows)
}
