const HYPHENS = new Set([8, 13, 18, 23])
const HEX = '0123456789abcdef'
const LENGTH = 36

const allowedAt = (at: number): string => (HYPHENS.has(at) ? '-' : HEX)
const leastFrom = (at: number): string => Array.from({ length: LENGTH - at }, (_, i) => allowedAt(at + i)[0]).join('')

/** Returns the smallest printed UUID that is greater than `head` in its first `head.length` characters. Null if there is none. */
const above = (head: string): string | null => {
  for (let at = head.length - 1; at >= 0; at--) {
    const next = [...allowedAt(at)].find((char) => char > head[at]!)
    if (next !== undefined) return head.slice(0, at) + next + leastFrom(at + 1)
  }
  return null
}

/** Returns the smallest UUID whose text is not less than `text`, compared by code points. Null if there is none. */
export const leastUuidFrom = (text: string): string | null => {
  for (let at = 0; at < LENGTH; at++) {
    if (at >= text.length) return text + leastFrom(at)
    if (allowedAt(at).includes(text[at]!)) continue
    const next = [...allowedAt(at)].find((char) => char > text[at]!)
    return next === undefined ? above(text.slice(0, at)) : text.slice(0, at) + next + leastFrom(at + 1)
  }
  return text.length === LENGTH ? text : above(text.slice(0, LENGTH))
}
