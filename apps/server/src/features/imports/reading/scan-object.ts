import type { FileHandle } from 'node:fs/promises'
import type { Position } from './pieces.ts'

const CHUNK = 256 * 1024
/** Only this many bytes of a key are kept. */
const MAX_KEY = 1000
/** Maximum number of members in the list `members`. Members beyond it are only counted. */
const MAX_MEMBERS = 1000

type ValueKind = 'list' | 'object' | 'text' | 'other'

/** A value in the object with which a file begins. */
export type Member = {
  readonly key: string
  readonly kind: ValueKind
  /** Where the value begins: at its bracket, if it has one. */
  readonly first: Position
  /** The offset after a list or an object. */
  readonly end?: number
  /** For lists: the number of items, and what the first item is. */
  readonly items: number
  readonly firstItem: ValueKind | null
}

export type ScannedObject = {
  readonly members: readonly Member[]
  /** The number of all members. */
  readonly count: number
  /** Whether something follows the object. */
  readonly followed: boolean
}

type OpenMember = { -readonly [K in keyof Member]: Member[K] }

const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]
const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a]

const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
const kindOf = (byte: number): ValueKind =>
  byte === LIST ? 'list' : byte === OBJECT ? 'object' : byte === QUOTE ? 'text' : 'other'

/**
 * Lists the members of the object with which a file begins. Reads the object once and keeps only the members' keys and positions.
 */
export const scanObject = async (file: FileHandle, from: Position): Promise<ScannedObject> => {
  const members: OpenMember[] = []
  const chunk = Buffer.allocUnsafe(CHUNK)
  let [depth, count, line] = [0, 0, from.line]
  let [inText, isEscaped, isKey, hasEnded] = [false, false, false, false]
  let key: number[] = []
  /** The member whose value is being read. Null while no value is being read. */
  let current: OpenMember | null = null

  const readText = (byte: number): void => {
    if (isEscaped) isEscaped = false
    else if (byte === 0x5c) isEscaped = true
    else if (byte === QUOTE) inText = false
    if (inText && isKey && depth === 1 && key.length < MAX_KEY) key.push(byte)
  }
  const begin = (byte: number, offset: number): void => {
    current = { key: keyOf(key), kind: kindOf(byte), first: { offset, row: 0, line }, items: 0, firstItem: null }
    count += 1
    if (members.length < MAX_MEMBERS) members.push(current)
  }
  const readValueStart = (byte: number, offset: number): void => {
    if (isSpace(byte)) return
    if (depth === 1 && !isKey && current === null && byte !== COLON) begin(byte, offset)
    else if (depth === 2 && current?.kind === 'list' && current.firstItem === null && byte !== LIST_END) {
      current.firstItem = kindOf(byte)
      current.items = 1
    }
  }
  const close = (offset: number): void => {
    depth -= 1
    if (depth === 1 && (current?.kind === 'list' || current?.kind === 'object')) current.end = offset + 1
    hasEnded = depth <= 0
  }
  const separate = (): void => {
    if (depth === 2 && current?.kind === 'list') current.items += 1
    if (depth !== 1) return
    isKey = true
    current = null
  }
  const readStructure = (byte: number, offset: number): void => {
    readValueStart(byte, offset)
    if (byte === OBJECT || byte === LIST) {
      depth += 1
      if (depth === 1) isKey = true
    } else if (byte === OBJECT_END || byte === LIST_END) close(offset)
    else if (byte === QUOTE) {
      inText = true
      if (depth === 1 && isKey) key = []
    } else if (byte === COMMA) separate()
    else if (depth === 1 && byte === COLON) isKey = false
  }

  for (let offset = from.offset; ; ) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK, offset)
    if (bytesRead === 0) return { members, count, followed: false }
    for (let i = 0; i < bytesRead; i += 1, offset += 1) {
      const byte = chunk[i] as number
      if (byte === 0x0a) line += 1
      if (hasEnded) {
        if (!isSpace(byte)) return { members, count, followed: true }
      } else if (inText) readText(byte)
      else readStructure(byte, offset)
    }
  }
}

/** The text of a key, whose bytes may contain escapes. */
const keyOf = (bytes: readonly number[]): string => {
  const text = Buffer.from(bytes).toString('utf8')
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}
