import { isUtf8 } from 'node:buffer'
import { invalid, type Problem } from '@postil/contract/wire/errors.ts'
import { maxJsonDepth } from '@postil/contract/wire/json.ts'
import { closingQuoteAt } from '#platform/json-text.ts'

/**
 * Maximum nesting depth of a body. A value may be nested `maxJsonDepth` levels deep and is itself a few levels inside the body.
 */
export const maxBodyDepth = maxJsonDepth + 28

const QUOTE = 0x22

/** Returns the position at which JSON text is nested deeper than `max`, or null. It scans bytes and never recurses. */
const tooDeepAt = (bytes: Uint8Array, max: number): number | null => {
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) at = closingQuoteAt(bytes, at + 1)
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1
      if (depth > max) return at
    } else if (byte === 0x5d || byte === 0x7d) {
      depth -= 1
    }
  }
  return null
}

const jsonInvalid = (at: number, reason: string): Problem =>
  invalid([{ type: 'json_invalid', loc: ['body', at], msg: `JSON decode error: ${reason}` }])

export const isTooDeep = (bytes: Uint8Array): boolean => tooDeepAt(bytes, maxBodyDepth) !== null

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const
const withoutMark = (bytes: Uint8Array): Uint8Array =>
  BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes

/**
 * Parses a body as UTF-8 JSON with at most `maxBodyDepth` levels of nesting. Returns `undefined` for an empty body and for
 * `null`, because both send no value.
 * @throws Problem `json_invalid` at `["body", position]`
 */
export const parseJson = (sent: Uint8Array): unknown => {
  const bytes = withoutMark(sent)
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw jsonInvalid(0, 'the body is not UTF-8')
  const deepAt = tooDeepAt(bytes, maxBodyDepth)
  if (deepAt !== null) throw jsonInvalid(deepAt, `nested more than ${maxBodyDepth} levels deep`)
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')) ?? undefined
  } catch (error) {
    const { message } = error as SyntaxError
    const at = /at position (\d+)/.exec(message)?.[1]
    // If the message contains no position, the text either ends early or contains an invalid character. In the second case, the
    // message quotes the text around the character, for example `"size":NaN`.
    throw jsonInvalid(at === undefined ? bytes.length : Number(at), message.toWellFormed())
  }
}
