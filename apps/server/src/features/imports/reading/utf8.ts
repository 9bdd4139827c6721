import { isUtf8 } from 'node:buffer'
import type { FileHandle } from 'node:fs/promises'
import { type Problem, unprocessable } from '@postil/contract/wire/errors.ts'
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

/** Counts the multi-byte characters that are valid UTF-8, and the sequences that are not valid UTF-8. */
export const wholeCharacters = (bytes: Uint8Array): { readonly valid: number; readonly invalid: number } => {
  let [valid, invalid] = [0, 0]
  for (let at = 0; at < bytes.length; ) {
    const length = lengthFrom(bytes[at] ?? 0)
    const isWhole = length > 0 && isUtf8(bytes.subarray(at, at + length))
    if (!isWhole) invalid += 1
    else if (length > 1) valid += 1
    at += isWhole ? length : 1
    // The remaining bytes of an incomplete character don't count as further faults
    if (!isWhole && length > 1) while (at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1
  }
  return { valid, invalid }
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

/** The first invalid byte of a file that should be UTF-8 text. `byte` is its position in the file, counted from 0. */
export type Utf8Fault = { readonly kind: 'notUtf8' | 'nulCharacter'; readonly byte: number }

/** Refuses a file whose beginning shows that it isn't text. @throws Problem unprocessable */
export const refuseBinary = (head: Uint8Array): void => {
  const kind = kindOf(head)
  if (kind !== undefined) throw unprocessable(message('notText', { kind }))
}

/** The error for a file that isn't UTF-8 text. */
export const refuseFile = ({ kind, byte }: Utf8Fault): Problem => unprocessable(message(kind, { byte }))

/** The first byte that isn't UTF-8, or that is NUL. */
export const utf8FaultIn = (bytes: Uint8Array): Utf8Fault | null => {
  if (!isUtf8(bytes)) return { kind: 'notUtf8', byte: faultIn(bytes) }
  const nul = bytes.indexOf(0)
  return nul === -1 ? null : { kind: 'nulCharacter', byte: nul }
}

const CHUNK = 256 * 1024

/** Finds the first byte in a file that is NUL or not valid UTF-8. Reads the file in chunks. @returns null if there is none */
export const findUtf8Fault = async (file: FileHandle): Promise<Utf8Fault | null> => {
  const chunk = Buffer.allocUnsafe(CHUNK)
  /** Number of bytes at the beginning of the chunk that are left over from the previous chunk. */
  let kept = 0
  for (let offset = 0; ; ) {
    const { bytesRead } = await file.read(chunk, kept, CHUNK - kept, offset + kept)
    const bytes = chunk.subarray(0, kept + bytesRead)
    const end = bytesRead === 0 ? bytes.length : wholeEnd(bytes)
    const fault = utf8FaultIn(bytes.subarray(0, end))
    if (fault !== null) return { ...fault, byte: offset + fault.byte }
    if (bytesRead === 0) return null
    kept = bytes.length - end
    chunk.copyWithin(0, end, bytes.length)
    offset += end
  }
}
