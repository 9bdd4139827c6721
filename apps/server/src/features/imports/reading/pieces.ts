import type { FileHandle } from 'node:fs/promises'
import { renderReason } from '@postil/contract/wire/reasons.ts'

/** A position between two rows of a file. */
export type Position = {
  /** Bytes before it. */
  readonly offset: number
  /** Rows before it, without the heading. */
  readonly row: number
  /** Lines that ended before it. */
  readonly line: number
}

/** A fault after which nothing of the file can be read. `line` counts from 1. */
export class FileFault extends Error {
  readonly row: number
  readonly line: number
  constructor(message: string, at: { readonly row: number; readonly line: number }) {
    super(message)
    this.name = 'FileFault'
    this.row = at.row
    this.line = at.line
  }
}

/** Cuts a format into rows. It keeps its state, so no byte is scanned twice. */
export type Splitter = {
  /** The byte that ends a line, for counting lines. */
  readonly lineEnd: number
  /**
   * @param bytes from the beginning of the current piece
   * @param from how many of them were scanned before
   * @returns the length of the piece; −1 when it does not end here
   * @throws Error with a sentence for input that is not in this format
   */
  readonly next: (bytes: Uint8Array, from: number) => number
  /** Checks the bytes that remain at the end of the file, even if there are none. @returns the fault as a sentence, or null */
  readonly atEnd: (rest: Uint8Array) => string | null
}

/** The bytes of a row, including its separator. */
export type Piece = { readonly bytes: Uint8Array; readonly start: Position; readonly end: Omit<Position, 'row'> }

const CHUNK = 256 * 1024
/** Maximum bytes of one row: enough for an embedded image, and small enough to hold in memory. */
export const MAX_ROW = 8_000_000

const linesIn = (bytes: Uint8Array, lineEnd: number): number => {
  let lines = 0
  for (let at = bytes.indexOf(lineEnd); at !== -1; at = bytes.indexOf(lineEnd, at + 1)) lines += 1
  return lines
}

/** Line ends before the first byte that isn't white space. */
export const blankLines = (bytes: Uint8Array, lineEnd: number): number => {
  let lines = 0
  for (const byte of bytes) {
    if (byte === lineEnd) lines += 1
    else if (byte > 0x20) return lines
  }
  return 0
}

/**
 * The pieces of a file from a position on. Holds one row and one chunk in memory, whatever the file's size.
 * @throws FileFault
 */
export async function* pieces(file: FileHandle, from: Position, splitter: Splitter): AsyncGenerator<Piece> {
  let start = from
  let pending: Uint8Array = new Uint8Array()
  const fail = (message: string): never => {
    throw new FileFault(message, { row: start.row + 1, line: start.line + blankLines(pending, splitter.lineEnd) + 1 })
  }
  const cut = (length: number): Piece => {
    const bytes = pending.subarray(0, length)
    const end = { offset: start.offset + length, line: start.line + linesIn(bytes, splitter.lineEnd) }
    const piece = { bytes, start, end }
    pending = pending.subarray(length)
    start = { ...end, row: start.row }
    return piece
  }
  const nextLength = (seen: number): number => {
    try {
      return splitter.next(pending, seen)
    } catch (error) {
      return fail((error as Error).message)
    }
  }
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK)
    const { bytesRead } = await file.read(chunk, 0, CHUNK, start.offset + pending.length)
    if (bytesRead === 0) break
    let seen = pending.length
    pending = Buffer.concat([pending, chunk.subarray(0, bytesRead)])
    for (let length = nextLength(seen); length !== -1; length = nextLength(seen)) {
      seen = 0
      yield cut(length)
    }
    if (pending.length > MAX_ROW) {
      fail(renderReason('rowUnclosed', { line: start.line + 1, limit: MAX_ROW }))
    }
  }
  const fault = splitter.atEnd(pending)
  if (fault !== null) fail(fault)
  if (pending.length > 0) yield cut(pending.length)
}
