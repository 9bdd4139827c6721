import { open } from 'node:fs/promises'
import { TextDecoder } from 'node:util'
import { type Encoding, encodings } from '@postil/contract/files/encodings.ts'
import { analyse } from 'chardet'
import { findUtf8Fault, refuseBinary, refuseFile, type Utf8Fault, utf8FaultIn, wholeCharacters } from './utf8.ts'

/** The encoding is detected from this number of bytes around the first byte that isn't valid UTF-8. */
const SAMPLE_BYTES = 256 * 1024
const BEFORE = 4096
/** Minimum confidence of a guess, in percent. Below it, the most common encoding is more likely. */
const MIN_CONFIDENCE = 15

/**
 * Encodings that the detector often picks by mistake for short text. `RARE_PENALTY` is subtracted from their confidence, in
 * percentage points.
 */
const RARE: ReadonlySet<Encoding> = new Set(['windows-1257', 'windows-1258'])
const RARE_PENALTY = 20

/** The encoding to assume if none is detected. Most spreadsheet files that aren't Unicode use it. */
const MOST_COMMON: Encoding = 'windows-1252'

const MARKS: readonly { readonly bytes: readonly number[]; readonly encoding: Encoding }[] = [
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
]

/** The encoding that a byte order mark indicates. */
const markedEncoding = (head: Uint8Array): Encoding | undefined =>
  MARKS.find(({ bytes }) => bytes.every((byte, i) => head[i] === byte))?.encoding

/**
 * Maps encodings that the detector reports to the encodings that replace them in the Encoding Standard. Most files that declare a
 * replaced encoding actually use its replacement.
 */
const ALIASES: { readonly [name: string]: Encoding } = { 'iso-8859-1': 'windows-1252', 'iso-8859-9': 'windows-1254' }

const encodingNamed = (name: string): Encoding | undefined => {
  const lower = name.toLowerCase()
  return ALIASES[lower] ?? encodings.find((one) => one === lower)
}

/** Number of NUL bytes that show that text is UTF-16. Fewer NUL bytes may be damage. */
const MIN_NULS = 4

/** UTF-16 without a byte order mark: every second byte of Latin text is NUL. @param at the offset of the sample */
const unmarkedUtf16 = (sample: Uint8Array, at: number): Encoding | undefined => {
  const nuls = [0, 0]
  for (const [i, byte] of sample.entries()) if (byte === 0) nuls[(at + i) % 2] = (nuls[(at + i) % 2] ?? 0) + 1
  const [even = 0, odd = 0] = nuls
  const isMost = (some: number, others: number) => some >= MIN_NULS && some * 8 > sample.length && others * 4 < some
  return isMost(odd, even) ? 'utf-16le' : isMost(even, odd) ? 'utf-16be' : undefined
}

/**
 * Whether a sample is UTF-8 with a few damaged characters. Decides this by how many multi-byte characters are valid, because in
 * other encodings, bytes rarely form a valid UTF-8 character by chance.
 */
const isDamagedUtf8 = (sample: Uint8Array): boolean => {
  const { valid, invalid } = wholeCharacters(sample)
  return valid > 0 && valid >= invalid
}

/**
 * Control characters that text contains: tab, line and page breaks, the MS-DOS end-of-file character, and the escapes of
 * ISO-2022.
 */
const isControl = (byte: number): boolean =>
  byte < 0x20 && !((byte >= 0x09 && byte <= 0x0d) || byte === 0x1a || byte === 0x1b || byte === 0x0e || byte === 0x0f)

/** Whether a sample can be text in an encoding: it has no invalid bytes and no control characters that text doesn't use. */
const isPlausible = (sample: Uint8Array, encoding: Encoding): boolean => {
  try {
    // A character at the end of the sample may be cut off
    const text = new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true })
    return !/[\u0080-\u009f]/.test(text)
  } catch {
    return false
  }
}

/** Encodings that text may be in, the most likely one first. */
const candidatesFor = (sample: Uint8Array): readonly Encoding[] => {
  const guesses = analyse(sample).flatMap(({ name, confidence }) => {
    const encoding = encodingNamed(name)
    if (encoding === undefined || encoding === 'utf-8' || confidence < MIN_CONFIDENCE) return []
    return [{ encoding, confidence: confidence - (RARE.has(encoding) ? RARE_PENALTY : 0) }]
  })
  // Encodings with equal confidence keep the order of `encodings`, which lists more common ones first.
  const sorted = guesses.toSorted(
    (a, b) => b.confidence - a.confidence || encodings.indexOf(a.encoding) - encodings.indexOf(b.encoding),
  )
  const plausible = sorted.flatMap(({ encoding }) => (isPlausible(sample, encoding) ? [encoding] : []))
  return [...new Set([...plausible, MOST_COMMON])]
}

/** Drops the incomplete line at the beginning of the bytes, unless they are from the beginning of the file. */
const sampleAround = (bytes: Uint8Array, isFirst: boolean): Uint8Array =>
  isFirst ? bytes : bytes.subarray(bytes.indexOf(0x0a) + 1)

/**
 * The possible encodings of text that isn't valid UTF-8.
 * @param at the offset of the bytes in the file
 * @throws Problem unprocessable for bytes that aren't text
 */
const encodingsOf = (bytes: Uint8Array, at: number, fault: Utf8Fault): readonly Encoding[] => {
  if (fault.kind === 'nulCharacter' || bytes.includes(0)) {
    const unmarked = unmarkedUtf16(bytes, at)
    if (unmarked !== undefined) return [unmarked]
    throw refuseFile(fault)
  }
  const sample = sampleAround(bytes, at === 0)
  if (sample.some(isControl)) throw refuseFile({ ...fault, kind: 'notUtf8' })
  if (isDamagedUtf8(sample)) return ['utf-8']
  return candidatesFor(sample)
}

/** `damagedAt`: the first invalid byte of damaged UTF-8. */
type DetectedEncodings = { readonly encodings: readonly Encoding[]; readonly damagedAt: number | null }

/**
 * The possible encodings of a file, the most likely one first. If the file is valid or damaged UTF-8, the result is UTF-8. Reads
 * a valid UTF-8 file completely. @throws Problem unprocessable for a file that isn't text
 */
export const detectEncodings = async (path: string): Promise<DetectedEncodings> => {
  const file = await open(path, 'r')
  try {
    const { buffer: head, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0)
    const marked = markedEncoding(head.subarray(0, bytesRead))
    if (marked !== undefined) return { encodings: [marked], damagedAt: null }
    const fault = await findUtf8Fault(file)
    if (fault === null) return { encodings: ['utf-8'], damagedAt: null }
    refuseBinary(head)
    const at = Math.max(0, fault.byte - BEFORE)
    const read = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, at)
    const encodings = encodingsOf(read.buffer.subarray(0, read.bytesRead), at, fault)
    return { encodings, damagedAt: encodings.includes('utf-8') ? fault.byte : null }
  } finally {
    await file.close()
  }
}

/** The text of a small file in any encoding. @throws Problem unprocessable for bytes that aren't text */
export const decodeText = (bytes: Uint8Array): string => {
  const fault = utf8FaultIn(bytes)
  const marked = markedEncoding(bytes)
  if (marked === undefined && fault !== null) refuseBinary(bytes)
  const candidates = marked ? [marked] : fault === null ? (['utf-8'] as const) : encodingsOf(bytes, 0, fault)
  if (fault !== null && candidates.includes('utf-8')) throw refuseFile(fault)
  const encoding = candidates.find((one) => isPlausible(bytes, one)) ?? candidates[0]
  return new TextDecoder(encoding).decode(bytes)
}
