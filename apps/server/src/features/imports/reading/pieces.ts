import type { FileHandle } from 'node:fs/promises'
import { message, type Reason } from '@postil/contract/wire/message.ts'

/** A position between two rows of a file. */
export type Position = {
  /** Number of bytes before the position. */
  readonly offset: number
  /** Number of rows before the position, not counting the heading. */
  readonly row: number
  /** Number of lines that end before the position. */
  readonly line: number
}

/** Thrown by a splitter for input in the wrong format. */
export class FormatFault extends Error {
  readonly reason: Reason
  constructor(reason: Reason) {
    super('the input is not in this format')
    this.reason = reason
  }
}

/** A fault that makes the rest of the file unreadable. `line` is 1-based. */
export class FileFault extends Error {
  readonly reason: Reason
  readonly row: number
  readonly line: number
  constructor(reason: Reason, at: { readonly row: number; readonly line: number }) {
    super('the rest of the file cannot be read')
    this.name = 'FileFault'
    this.reason = reason
    this.row = at.row
    this.line = at.line
  }
}

/** Decodes a row. */
export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')

/** Splits a file's bytes into rows. Each format has its own splitter. Keeps its state, so that no byte is scanned twice. */
export type Splitter = {
  /**
   * @param bytes bytes from the beginning of the current piece
   * @param from the number of these bytes that have already been scanned
   * @returns the length of the piece; −1 when it doesn't end here
   * @throws FormatFault
   */
  readonly next: (bytes: Uint8Array, from: number) => number
  /** Checks the bytes that remain at the end of the file. Called even if none remain. @returns the fault, or null */
  readonly atEnd: (rest: Uint8Array) => Reason | null
  /**
   * Continues on the next line after a piece whose end is missing, for example because a quotation mark isn't closed. If this
   * function is missing, nothing after such a piece can be read.
   */
  readonly skipLine?: () => void
}

/** The bytes of a row, including its separator. `fault`: why the line can't be read as a row. */
export type Piece = {
  readonly bytes: Uint8Array
  readonly start: Position
  readonly end: Omit<Position, 'row'>
  readonly fault?: Reason
}

const CHUNK = 256 * 1024
/** Maximum size of a row in bytes: large enough for an embedded image, small enough to hold in memory. */
export const MAX_ROW = 8_000_000

/**
 * Maximum number of lines that are skipped because of unclosed quotes. After that, the rest of the file is unreadable. Lines are
 * read again after each skipped line, so without a limit, a hostile file could take a long time.
 */
const MAX_SKIPPED = 100

const LINE_FEED = 0x0a
const RETURN = 0x0d

/** Number of line endings: LF, CR LF or CR. */
const linesIn = (bytes: Uint8Array): number => {
  let lines = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1
  for (let at = bytes.indexOf(RETURN); at !== -1; at = bytes.indexOf(RETURN, at + 1)) if (bytes[at + 1] !== LINE_FEED) lines += 1
  return lines
}

/** Number of line endings before the first byte that isn't whitespace. */
export const blankLines = (bytes: Uint8Array): number => {
  const first = bytes.findIndex((byte) => byte > 0x20)
  return first === -1 ? 0 : linesIn(bytes.subarray(0, first))
}

/** Length of the first line, including its ending. */
const firstLine = (bytes: Uint8Array): number => {
  const end = bytes.findIndex((byte) => byte === LINE_FEED || byte === RETURN)
  if (end === -1) return bytes.length
  return bytes[end] === RETURN && bytes[end + 1] === LINE_FEED ? end + 2 : end + 1
}

/**
 * The pieces of a file, starting at a position. Holds only one row and one chunk in memory, regardless of the file's size.
 * @param until the offset at which reading stops; default: the end of the file
 * @throws FileFault
 */
export async function* pieces(
  file: FileHandle,
  from: Position,
  splitter: Splitter,
  until = Number.POSITIVE_INFINITY,
): AsyncGenerator<Piece> {
  let start = from
  let pending: Uint8Array = new Uint8Array()
  let skipped = 0
  const fail = (reason: Reason): never => {
    throw new FileFault(reason, { row: start.row + 1, line: start.line + blankLines(pending) + 1 })
  }
  const cut = (length: number): Piece => {
    const bytes = pending.subarray(0, length)
    const end = { offset: start.offset + length, line: start.line + linesIn(bytes) }
    const piece = { bytes, start, end }
    pending = pending.subarray(length)
    start = { ...end, row: start.row }
    return piece
  }
  const nextLength = (seen: number): number => {
    try {
      return splitter.next(pending, seen)
    } catch (error) {
      if (!(error instanceof FormatFault)) throw error
      return fail(error.reason)
    }
  }
  /**
   * Cuts off only the first line of a row that doesn't end, for example because a quotation mark is never closed. Reading
   * continues at the next line.
   */
  const skipLine = (fault: Reason): Piece => {
    skipped += 1
    if (splitter.skipLine === undefined || skipped > MAX_SKIPPED) return fail(fault)
    splitter.skipLine()
    return { ...cut(firstLine(pending)), fault }
  }
  function* whole(scanned: number): Generator<Piece> {
    let seen = scanned
    for (let length = nextLength(seen); length !== -1; length = nextLength(seen)) {
      seen = 0
      yield cut(length)
    }
  }
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK)
    const at = start.offset + pending.length
    const { bytesRead } = await file.read(chunk, 0, Math.min(CHUNK, until - at), at)
    if (bytesRead === 0) break
    const seen = pending.length
    pending = Buffer.concat([pending, chunk.subarray(0, bytesRead)])
    yield* whole(seen)
    while (pending.length > MAX_ROW) {
      const reason = message('rowUnclosed', { line: start.line + 1, limit: MAX_ROW })
      if (firstLine(pending) === pending.length) fail(reason)
      yield skipLine(reason)
      yield* whole(0)
    }
  }
  for (let fault = splitter.atEnd(pending); fault !== null; fault = splitter.atEnd(pending)) {
    yield skipLine(fault)
    yield* whole(0)
  }
  if (pending.length > 0) yield cut(pending.length)
}
