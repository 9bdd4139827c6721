import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Command } from '#platform/db/operations.ts'
import type { Store } from '#platform/db/store.ts'
import { type RawJson, rawJson } from '#platform/http/answers/answers.ts'
import { StagedBody } from '#platform/http/bodies/body-parsers.ts'
import { once } from '#platform/once.ts'
import type { Micros } from '#platform/time.ts'
import { printContent, printRecord, printSuggestion, printSuggestionContent, printVector } from '../print.ts'
import { packContent, packRecords, packTokensOf, unpackRecords } from './pack.ts'
import type { PreparedRecord } from './prepare.ts'

/*
 * The path of a bulk of records through three threads. Only this module, `pack.ts` and `packed-tokens.ts` know it.
 *
 *   body thread          main thread            writer thread (with PostgreSQL: main thread)
 *   ───────────          ───────────            ─────────────
 *   parse, check
 *   pack records  ──────► prepareBulk.first ──► unpack, lock, check
 *   tokenize      ──────► lateInput ──────────► write records …
 *                                               … index texts with the tokens
 *   print pieces  ──────► piecesOfBulk
 *                         printBulk, send ◄──── commit, outcome
 *
 * Each technique is measured by the line `bulk upsert, batches of 500` of `npm run bench`, or by its processor time:
 *
 * - **Columns** (`pack.ts`): records cross threads as one list for each column instead of an object for each record.
 * - **Shared memory** (`pack.ts`): bytes pass through the main thread without a copy.
 * - **Packed tokens** (`packed-tokens.ts`): each word crosses threads once, and the counts of words come with them.
 * - **Pieces** (here): the body thread prints the content of new records, which is most of the response.
 * - **Late tokens** (`lateInput`): texts are tokenized while the transaction runs. This needs a free processor core.
 *
 * The deferred text index of SQLite has its own decision, 0028.
 */

/** The parts of a bulk response that describe new records. */
type BulkPieces = {
  /** For each record: its content, the content of each suggestion, and its vectors. All pieces are concatenated as UTF-8. */
  readonly pieces: Uint8Array
  /** Each piece's end offset. */
  readonly ends: Uint32Array
  /** Each record's number of suggestions. */
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

/**
 * What is sent after the records of a bulk request: first the tokens, then the printed pieces. The tokens are null if they were
 * already sent with the records.
 */
type DeferredParts = StagedBody<Uint8Array | null, BulkPieces>
/**
 * A bulk request on its way to the thread that stores the records. The records are sent first. While that thread stores them,
 * their tokens and the pieces of JSON for the response are created.
 */
export type PreparedBulk = StagedBody<Uint8Array, DeferredParts>

/**
 * Maximum size in bytes of a request body whose tokens may be computed while its transaction is already running. The transaction
 * waits for the tokens, and all other writers wait for the transaction. For larger bodies, they would wait too long.
 */
const MAX_LATE_BYTES = 4 * 2 ** 20

/** @param bytes size of the body that contained the items */
export const prepareBulk = (items: readonly PreparedRecord[], bytes: number): PreparedBulk => {
  const arrivesLate = bytes <= MAX_LATE_BYTES
  const rest = () => new StagedBody(arrivesLate ? packTokensOf(items) : null, () => printPieces(items))
  return new StagedBody(arrivesLate ? packContent(items) : packRecords(items), rest)
}

/**
 * Returns the pieces of JSON for the response. A thread creates them while the records are stored. If that thread has died,
 * creates the pieces here, because the records are already committed and the request must not fail.
 */
export const piecesOfBulk = async ({ first, rest }: PreparedBulk): Promise<BulkPieces> => {
  try {
    return await (await rest()).rest()
  } catch {
    return printPieces(unpackRecords(first))
  }
}

/** The result of a bulk request, stored in columns. A list of objects would repeat the keys for each record. */
export type BulkOutcome = {
  /**
   * For each item, the record as JSON. Null for a new record without answers. Its JSON is assembled from the content that was
   * sent and from the values below.
   */
  readonly texts: readonly (string | null)[]
  /**
   * `ids` and `times` have one entry for each record that is null in `texts`. `suggestionIds` and `suggestionTimes` have one
   * entry for each suggestion of these records.
   */
  readonly ids: readonly string[]
  readonly times: readonly Micros[]
  readonly suggestionIds: readonly string[]
  readonly suggestionTimes: readonly Micros[]
}

/** Placeholder for a piece. JSON never contains this character. */
const PIECE = '\0'

/** Replaces each placeholder in JSON text with a piece. @param used for each placeholder, in order: the index of its piece */
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

/** Prints the response to a bulk request. The pieces make up most of the response and are copied as bytes. */
const printBulk = (pieces: BulkPieces, outcome: BulkOutcome, datasetId: string): Buffer => {
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
    const row = { id: outcome.ids[record] ?? '', status: 'pending' as const, extra_answers: 0, inserted_at: at, updated_at: at }
    record += 1
    const content = next()
    const printed = Array.from({ length: count }, printSuggestionAt).join(',')
    return printRecord(row, content, { datasetId, parts: { responses: '', suggestions: printed, vectors: next() } })
  })
  return fill(`{"items":[${items.join(',')}]}`, pieces, used)
}

type Ctx = { readonly store: Store }
/** The arguments of a bulk request's command. */
export type BulkArgs = {
  readonly user: Actor
  readonly dataset_id: string
  /** The output of `packRecords`, or of `packContent` if the output of `packTokensOf` is sent later. */
  readonly packed: Uint8Array
}

/**
 * Stores the records of a bulk request by running `command`. Returns the response to the request.
 * @param printOther prints the response if the outcome isn't a `BulkOutcome`
 */
export const runBulk = async <O extends object, T>(
  ctx: Ctx,
  command: Command<BulkArgs, BulkOutcome | O>,
  { user, dataset_id, items }: { readonly user: Actor; readonly dataset_id: string; readonly items: PreparedBulk },
  printOther: (outcome: O) => T,
): Promise<RawJson | T> => {
  const rest = once(async () => items.rest())
  const lateInput = async () => (await rest()).first
  const args = { user: actorOf(user), dataset_id, packed: items.first }
  const outcome = await ctx.store.write(command, args, { lateInput })
  if (!('texts' in outcome)) return printOther(outcome)
  return rawJson(printBulk(await piecesOfBulk({ ...items, rest }), outcome, dataset_id))
}
