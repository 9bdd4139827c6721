import type { FileHandle } from 'node:fs/promises'
import { serverFieldTypes } from '#field-types/registry.ts'
import { serverQuestionTypes } from '#question-types/registry.ts'
import { FileFault, type Position, pieces, textOf } from './pieces.ts'
import { splitList } from './splitters.ts'

/** The keys under which programs and services put the list of their records. */
const LIST_KEYS = [
  'data',
  'rows',
  'records',
  'items',
  'results',
  'examples',
  'samples',
  'entries',
  'documents',
  'instances',
  'tasks',
]

const CHUNK = 256 * 1024
/** Only this many bytes of a key are kept. All keys in `LIST_KEYS` are shorter. */
const MAX_KEY = 100

/** A list of objects that is a value of the file's only object. */
type Candidate = { readonly key: string; readonly first: Position; end: number | undefined }
type Scan = {
  readonly candidates: readonly Candidate[]
  readonly keys: number
  /** Whether something follows the object. */
  readonly followed: boolean
}

const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

/** Finds the lists of objects in the object with which a file begins. Reads the object once and keeps only its keys. */
const scanObject = async (file: FileHandle, from: Position): Promise<Scan> => {
  const candidates: Candidate[] = []
  const chunk = Buffer.allocUnsafe(CHUNK)
  let [depth, keys, line] = [0, 0, from.line]
  let [inText, escaped, isKey, ended] = [false, false, false, false]
  let key: number[] = []
  /** The list whose first item decides whether it is a list of objects. */
  let opened: Position | null = null
  /** The candidate that is being read. */
  let current: Candidate | null = null

  const readText = (byte: number): void => {
    if (escaped) escaped = false
    else if (byte === 0x5c) escaped = true
    else if (byte === 0x22) inText = false
    if (inText && isKey && depth === 1 && key.length < MAX_KEY) key.push(byte)
  }
  const open = (byte: number, position: Position): void => {
    if (byte === 0x7b && opened !== null) {
      current = { key: Buffer.from(key).toString('utf8'), first: opened, end: undefined }
      candidates.push(current)
    }
    opened = byte === 0x5b && depth === 1 ? position : null
    if (depth === 0) isKey = true
    depth += 1
  }
  const close = (offset: number): void => {
    depth -= 1
    opened = null
    if (depth === 1 && current !== null) {
      current.end = offset + 1
      current = null
    }
    ended = depth <= 0
  }
  const readStructure = (byte: number, offset: number): void => {
    if (byte === 0x7b || byte === 0x5b) open(byte, { offset, row: 0, line })
    else if (byte === 0x7d || byte === 0x5d) close(offset)
    else if (byte === 0x22) {
      inText = true
      opened = null
      if (depth === 1 && isKey) {
        key = []
        keys += 1
      }
    } else if (depth === 1 && byte === 0x3a) isKey = false
    else if (depth === 1 && byte === 0x2c) isKey = true
    else if (!isSpace(byte)) opened = null
  }

  for (let offset = from.offset; ; ) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK, offset)
    if (bytesRead === 0) return { candidates, keys, followed: false }
    for (let i = 0; i < bytesRead; i += 1, offset += 1) {
      const byte = chunk[i] as number
      if (byte === 0x0a) line += 1
      if (ended) {
        if (!isSpace(byte)) return { candidates, keys, followed: true }
      } else if (inText) readText(byte)
      else readStructure(byte, offset)
    }
  }
}

/** Whether a list of objects is a value inside a record, such as the messages of a chat, rather than a list of records. */
const isValueOfRecord = async (file: FileHandle, first: Position): Promise<boolean> => {
  try {
    for await (const { bytes } of pieces(file, first, splitList(false))) {
      const item: unknown = JSON.parse(textOf(bytes).trim().slice(1, -1))
      const types = [...Object.values(serverFieldTypes), ...Object.values(serverQuestionTypes)]
      return types.some(({ recognizes }) => recognizes?.([item]) === true)
    }
  } catch (error) {
    if (!(error instanceof FileFault || error instanceof SyntaxError)) throw error
  }
  return false
}

/** Where a list begins, and where it ends if it is closed. */
export type WrappedList = { readonly first: Position; readonly listEnd?: number }

/**
 * Finds the list of records in a file that consists of one object, such as `{"data": [{…}, {…}]}`. The list is the value of a
 * usual key or the object's only value. Otherwise, the object is itself a record.
 * @returns null if there is no such list
 */
export const findWrappedList = async (file: FileHandle, from: Position): Promise<WrappedList | null> => {
  const { candidates, keys, followed } = await scanObject(file, from)
  const isNamed = ({ key }: Candidate, name: string): boolean => key.toLowerCase() === name
  const named = LIST_KEYS.flatMap((name) => candidates.filter((one) => isNamed(one, name)))
  const [chosen] = [...named, ...(keys === 1 ? candidates : [])]
  if (followed || chosen === undefined || (await isValueOfRecord(file, chosen.first))) return null
  return { first: chosen.first, ...(chosen.end !== undefined && { listEnd: chosen.end }) }
}
