import type { Micros } from '#platform/time.ts'
import { packRecords } from './pack.ts'
import type { PreparedRecord } from './prepare.ts'
import { printContent, printRecord, printSuggestion, printSuggestionContent, printVector } from './print.ts'

/** A bulk on its way: the records for the thread that stores them, and what the answer will say of those that are new. */
export type PreparedBulk = {
  readonly packed: Uint8Array
  /** Of each record: its content, the content of each suggestion, its vectors. */
  readonly pieces: readonly string[]
  /** Number of suggestions of each record. */
  readonly suggestions: readonly number[]
}

const piecesOf = ({ fields, metadata, external_id, suggestions, vectors }: PreparedRecord): string[] => [
  printContent({ fields_json: fields?.json ?? '{}', metadata_json: metadata?.json ?? null, external_id }),
  ...(suggestions ?? []).map((suggestion) => printSuggestionContent(suggestion, suggestion.question_id)),
  vectors.map(({ name, numbers }) => printVector(name, numbers)).join(','),
]

export const prepareBulk = (items: readonly PreparedRecord[]): PreparedBulk => ({
  packed: packRecords(items),
  pieces: items.flatMap(piecesOf),
  suggestions: items.map(({ suggestions }) => suggestions?.length ?? 0),
})

/** What a bulk did, as columns for the same reason for which it travels as such. */
export type BulkOutcome = {
  /** Of each item: the record as JSON; null for a new record that has nothing but what was sent, and no answers. */
  readonly texts: readonly (string | null)[]
  /** Of those: ids and times of the records, then those of their suggestions. */
  readonly ids: readonly string[]
  readonly times: readonly Micros[]
  readonly suggestionIds: readonly string[]
  readonly suggestionTimes: readonly Micros[]
}

/** The answer to a bulk. */
export const printBulk = ({ pieces, suggestions }: PreparedBulk, outcome: BulkOutcome, datasetId: string): string => {
  let piece = 0
  let record = 0
  let suggestion = 0
  const printSuggestionAt = (): string => {
    const at = outcome.suggestionTimes[suggestion] ?? 0
    const row = { id: outcome.suggestionIds[suggestion] ?? '', inserted_at: at, updated_at: at }
    suggestion += 1
    piece += 1
    return printSuggestion(row, pieces[piece - 1] ?? '')
  }
  const items = outcome.texts.map((text, i) => {
    const count = suggestions[i] ?? 0
    if (text !== null) {
      piece += count + 2
      return text
    }
    const at = outcome.times[record] ?? 0
    const row = { id: outcome.ids[record] ?? '', status: 'pending' as const, inserted_at: at, updated_at: at }
    const content = pieces[piece] ?? ''
    record += 1
    piece += 1
    const printed = Array.from({ length: count }, printSuggestionAt).join(',')
    piece += 1
    const parts = { responses: '', suggestions: printed, vectors: pieces[piece - 1] ?? '' }
    return printRecord(row, content, { datasetId, parts })
  })
  return `{"items":[${items.join(',')}]}`
}
