import type { FieldValues } from '@postil/contract/field-values.ts'
import { forbidden, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { parseIds } from '@postil/contract/wire/query-lists.ts'
import { versionsByTime } from '#features/datasets/public.ts'
import type { PreparedSuggestion, SuggestionRow } from '#features/records/public.ts'
import * as records from '#features/records/public.ts'
import { questionRows } from '#features/schema/public.ts'
import { hidingRuleFor, shownSuggestions } from '#features/suggestion-visibility/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { withDatasetOf } from '#platform/db/keys/find-dataset.ts'
import { command, query } from '#platform/db/operations.ts'
import { suggestionPolicy } from './policy.ts'

type OfRecord = { readonly user: Actor; readonly record_id: string }

type Dataset = { readonly id: string; readonly no: number }

const print = async (db: Db, dataset: Dataset, rows: readonly SuggestionRow[]): Promise<readonly string[]> => {
  const ids = new Map((await questionRows(db, dataset.id)).map(({ no, id }) => [no, id]))
  const versionAt = await versionsByTime(db, dataset.no)
  const content = (row: SuggestionRow) => records.printSuggestionContent(row, ids.get(row.question_no) ?? '')
  return rows.map((row) => records.printSuggestion(row, content(row), versionAt(row.updated_at)))
}

/**
 * Returns a record's suggestions as JSON, oldest first. Suggestions that are hidden from the caller are left out.
 * @throws Problem not_found, forbidden
 */
export const listSuggestions = query(
  'suggestions.list',
  async (db, { user, record_id }: OfRecord): Promise<readonly string[]> => {
    const { dataset, record } = await records.recordScope(db, record_id, user, { hold: false })
    if (!suggestionPolicy.list(user, dataset)) throw forbidden()
    const rule = hidingRuleFor(user, dataset)
    const suggestions = await records.suggestionsOfRecord(db, dataset.no, record.seq)
    const annotator = rule && { rule, userId: user.id }
    return print(db, dataset, await shownSuggestions(db, annotator, { datasetNo: dataset.no, suggestions }))
  },
)

/** Locks a record before its suggestions are changed. @throws Problem not_found, forbidden */
const lockRecord = async (db: Db, { user, record_id }: OfRecord, action: 'put' | 'delete') => {
  const scope = await records.recordScope(db, record_id, user, { hold: true })
  if (!suggestionPolicy[action](user, scope.dataset)) throw forbidden()
  return scope
}

/** Creates or replaces a record's suggestion for a question. @throws Problem not_found, forbidden, unprocessable */
export const putSuggestion = command(
  'suggestions.put',
  async (
    db,
    args: OfRecord & { readonly sent: PreparedSuggestion },
  ): Promise<{ readonly text: string; readonly created: boolean }> => {
    const { dataset, record } = await lockRecord(db, args, 'put')
    const { sent } = args
    const schema = await records.loadSchema(db, dataset.id)
    const question = schema.questionsById.get(sent.question_id)
    if (question === undefined) throw unprocessable(`Question with id=${sent.question_id} not found in the dataset of the record`)
    const [stored] = schema.readsFields ? await records.lockRecords(db, dataset.no, [record.seq]) : []
    const fields = JSON.parse(stored?.fields_json ?? '{}') as FieldValues
    const fault = records.suggestionFault(sent, schema, fields)
    if (fault !== null) throw unprocessable(fault)
    const place = { dataset, schema, seq: record.seq }
    const { row, created } = await records.storeSuggestion(db, place, { question_no: question.no, sent })
    return { text: records.printSuggestion(row, records.printSuggestionContent(row, question.id)), created }
  },
)

/**
 * Deletes suggestions of a record. Skips IDs that don't belong to the record's suggestions. @throws Problem not_found,
 * forbidden
 */
export const deleteSuggestions = command(
  'suggestions.delete-many',
  async (db, args: OfRecord & { readonly ids: string }): Promise<void> => {
    const { dataset, record } = await lockRecord(db, args, 'delete')
    const ids = parseIds(args.ids)
    const rows = await records.suggestionsOfRecord(db, dataset.no, record.seq)
    await records.removeSuggestions(
      db,
      dataset,
      rows.filter(({ id }) => ids.includes(id)),
    )
  },
)

/** @returns the suggestion before its deletion, as JSON. @throws Problem not_found, forbidden */
export const deleteSuggestion = command(
  'suggestions.delete',
  async (db, { user, id }: { readonly user: Actor; readonly id: string }): Promise<string> => {
    const found = await withDatasetOf(db, 'suggestions', id, async (no) => {
      const dataset = await records.datasetScopeAt(db, no, user, { hold: true })
      const place = dataset && (await records.findSuggestion(db, dataset.no, id))
      return place && { dataset, place }
    })
    if (found === null) throw notFound('Suggestion', id)
    const { dataset, place } = found
    if (!suggestionPolicy.delete(user, dataset)) throw forbidden()
    await records.lockRecords(db, dataset.no, [place.seq])
    // The previous holder of the lock may have deleted the suggestion.
    const row = await records.findSuggestion(db, dataset.no, id)
    if (row === null) throw notFound('Suggestion', id)
    const [text = ''] = await print(db, dataset, [row])
    await records.removeSuggestions(db, dataset, [row])
    return text
  },
)
