import { Steps } from '#platform/http/bodies/body-parsers.ts'
import type { Micros } from '#platform/time.ts'
import { printContent, printRecord, printSuggestion, printSuggestionContent, printVector } from '../print.ts'
import { packContent, packRecords, packTokensOf, unpackRecords } from './pack.ts'
import type { PreparedRecord } from './prepare.ts'

/** What the answer to a bulk will say of records that are new. */
export type BulkPieces = {
  /** Of each record: its content, the content of each suggestion, its vectors. As UTF-8, one behind the other. */
  readonly pieces: Uint8Array
  /** Where each ends. */
  readonly ends: Uint32Array
  /** Number of suggestions of each record. */
  readonly suggestions: readonly number[]
}

const piecesOf = ({ fields, metadata, external_id, suggestions, vectors }: PreparedRecord): string[] => [
  printContent({ fields_json: fields?.json ?? '{}', metadata_json: metadata?.json ?? null, external_id }),
  ...(suggestions ?? []).map((suggestion) => printSuggestionContent(suggestion, suggestion.question_id)),
  vectors.map(({ name, numbers }) => printVector(name, numbers)).join(','),
]

const printPieces = (items: readonly PreparedRecord[]): BulkPieces => {
  const printed = items.flatMap(piecesOf)
  let end = 0
  const ends = Uint32Array.from(printed, (piece) => {
    end += Buffer.byteLength(piece)
    return end
  })
  const pieces = new Uint8Array(Buffer.from(printed.join('')))
  return { pieces, ends, suggestions: items.map(({ suggestions }) => suggestions?.length ?? 0) }
}

/** The tokens, or null where the records have them with them. */
type Rest = Steps<Uint8Array | null, BulkPieces>
/** A bulk on its way: the records for the thread that stores them; their tokens and what is printed of them are made while it does. */
export type PreparedBulk = Steps<Uint8Array, Rest>

/** The transaction waits for tokens that come later, and all other writers with it: those of a body that is no larger than this do not take long. */
const LATER_BYTES = 4 * 2 ** 20

/** @param bytes of the body that the items came in */
export const prepareBulk = (items: readonly PreparedRecord[], bytes: number): PreparedBulk => {
  const comeLater = bytes <= LATER_BYTES
  const rest = () => new Steps(comeLater ? packTokensOf(items) : null, () => printPieces(items))
  return new Steps(comeLater ? packContent(items) : packRecords(items), rest)
}

/**
 * What was printed of a bulk while it was stored. NOTE: it is stored by now, and who sent it must not be told otherwise: where the thread that printed is
 * gone, it is printed here
 */
export const piecesOfBulk = async ({ first, rest }: PreparedBulk): Promise<BulkPieces> => {
  try {
    return await (await rest()).rest()
  } catch {
    return printPieces(unpackRecords(first))
  }
}

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

/** Stands for a piece where it belongs; no JSON has one. */
const PIECE = '\0'

/** Puts pieces into a text of JSON. @param used the numbers of the pieces, in their order */
const fill = (text: string, { pieces, ends }: BulkPieces, used: readonly number[]): Buffer => {
  const startOf = (piece: number) => (piece === 0 ? 0 : (ends[piece - 1] ?? 0))
  const endOf = (piece: number) => ends[piece] ?? 0
  const filled = used.reduce((sum, piece) => sum + endOf(piece) - startOf(piece) - PIECE.length, Buffer.byteLength(text))
  const bytes = Buffer.allocUnsafe(filled)
  let at = 0
  for (const [i, between] of text.split(PIECE).entries()) {
    at += bytes.write(between, at)
    const piece = used[i]
    if (piece === undefined) continue
    bytes.set(pieces.subarray(startOf(piece), endOf(piece)), at)
    at += endOf(piece) - startOf(piece)
  }
  return bytes
}

/** The answer to a bulk: what the pieces hold, which is most of it, is copied as bytes. */
export const printBulk = (pieces: BulkPieces, outcome: BulkOutcome, datasetId: string): Buffer => {
  const used: number[] = []
  let piece = 0
  let record = 0
  let suggestion = 0
  const next = (): string => {
    used.push(piece)
    piece += 1
    return PIECE
  }
  const printSuggestionAt = (): string => {
    const at = outcome.suggestionTimes[suggestion] ?? 0
    const row = { id: outcome.suggestionIds[suggestion] ?? '', inserted_at: at, updated_at: at }
    suggestion += 1
    return printSuggestion(row, next())
  }
  const items = outcome.texts.map((text, i) => {
    const count = pieces.suggestions[i] ?? 0
    if (text !== null) {
      piece += count + 2
      return text
    }
    const at = outcome.times[record] ?? 0
    const row = { id: outcome.ids[record] ?? '', status: 'pending' as const, inserted_at: at, updated_at: at }
    record += 1
    const content = next()
    const printed = Array.from({ length: count }, printSuggestionAt).join(',')
    return printRecord(row, content, { datasetId, parts: { responses: '', suggestions: printed, vectors: next() } })
  })
  return fill(`{"items":[${items.join(',')}]}`, pieces, used)
}
