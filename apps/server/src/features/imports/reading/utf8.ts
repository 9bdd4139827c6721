import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'

const lengthFrom = (lead: number): number => {
  if (lead < 0x80) return 1
  if (lead >= 0xc2 && lead <= 0xdf) return 2
  if (lead >= 0xe0 && lead <= 0xef) return 3
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0
}

/** The position of an incomplete final character, or the number of bytes if the last character is complete. */
const wholeEnd = (bytes: Uint8Array): number => {
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - 3); at -= 1) {
    const byte = bytes[at] ?? 0
    if ((byte & 0xc0) !== 0x80) return lengthFrom(byte) > bytes.length - at ? at : bytes.length
  }
  return bytes.length
}

const faultIn = (bytes: Uint8Array): number => {
  for (let at = 0; at < bytes.length; ) {
    const length = lengthFrom(bytes[at] ?? 0)
    if (length === 0 || !isUtf8(bytes.subarray(at, at + length))) return at
    at += length
  }
  return bytes.length
}

/** Signatures of binary files that people mistake for text, such as a workbook with a `.csv` extension. */
const KINDS = [
  { kind: '.xlsx / .zip', bytes: [0x50, 0x4b, 0x03, 0x04] },
  { kind: '.xls', bytes: [0xd0, 0xcf, 0x11, 0xe0] },
  { kind: '.pdf', bytes: [0x25, 0x50, 0x44, 0x46] },
  { kind: '.parquet', bytes: [0x50, 0x41, 0x52, 0x31] },
  { kind: '.png', bytes: [0x89, 0x50, 0x4e, 0x47] },
  { kind: '.jpg', bytes: [0xff, 0xd8, 0xff] },
  { kind: '.gz', bytes: [0x1f, 0x8b] },
] as const

const kindOf = (head: Uint8Array): string | undefined =>
  KINDS.find(({ bytes }) => bytes.every((byte, i) => head[i] === byte))?.kind

/** Creates the error for invalid text. `byte` is 0-based. @param head the beginning of the text */
export type RefuseText = (fault: 'notUtf8' | 'nulCharacter', byte: number, head?: Uint8Array) => Error

const refuseFile: RefuseText = (fault, byte, head = new Uint8Array()) => {
  const kind = kindOf(head)
  return unprocessable(kind === undefined ? message(fault, { byte }) : message('notText', { kind }))
}

/**
 * Passes on the bytes of UTF-8 text that contains no NUL characters.
 * @throws Problem unprocessable with the position of the first invalid byte, counted from 0, or with the actual file type
 */
export async function* checkedText(
  chunks: AsyncIterable<Uint8Array>,
  refuse: RefuseText = refuseFile,
): AsyncGenerator<Uint8Array> {
  let head: Uint8Array | undefined
  let before = 0
  let rest: Uint8Array = new Uint8Array()
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = wholeEnd(bytes)
    const whole = bytes.subarray(0, end)
    head ??= bytes.slice(0, 8)
    if (!isUtf8(whole)) throw refuse('notUtf8', before + faultIn(whole), head)
    const nul = whole.indexOf(0)
    if (nul !== -1) throw refuse('nulCharacter', before + nul, head)
    before += end
    rest = bytes.slice(end)
    yield chunk
  }
  if (rest.length > 0) throw refuse('notUtf8', before, head)
}

const MARKS = [
  { bytes: [0xff, 0xfe], label: 'utf-16le' },
  { bytes: [0xfe, 0xff], label: 'utf-16be' },
] as const

/** The encoding that the byte order mark indicates; null for UTF-8. */
const encodingOf = (head: Uint8Array) => MARKS.find(({ bytes }) => bytes.every((byte, i) => head[i] === byte))?.label ?? null

export const isUtf16 = (head: Uint8Array): boolean => encodingOf(head) !== null

/**
 * Converts text to UTF-8. Text that is already UTF-8 is passed on unchanged. UTF-16 text must have a byte order mark, which
 * spreadsheet programs write.
 * @throws Problem unprocessable for invalid UTF-16
 */
export async function* asUtf8(chunks: AsyncIterable<Uint8Array>, refuse: RefuseText = refuseFile): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | null = null
  let head: Uint8Array | null = new Uint8Array()
  let before = 0
  const decoded = (bytes?: Uint8Array): Uint8Array => {
    try {
      return Buffer.from(decoder?.decode(bytes, { stream: bytes !== undefined }) ?? bytes ?? [])
    } catch {
      throw refuse('notUtf8', before)
    }
  }
  for await (const chunk of chunks) {
    const bytes: Uint8Array = head === null ? chunk : Buffer.concat([head, chunk])
    if (head !== null && bytes.length < 2) {
      head = bytes
      continue
    }
    if (head !== null) {
      const encoding = encodingOf(bytes)
      if (encoding !== null) decoder = new TextDecoder(encoding, { fatal: true })
      head = null
    }
    yield decoder === null ? bytes : decoded(bytes)
    before += bytes.length
  }
  if (head !== null) yield head
  else if (decoder !== null) yield decoded()
}
