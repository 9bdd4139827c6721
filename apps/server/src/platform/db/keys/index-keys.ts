import { createHash } from 'node:crypto'

/** What of a metadata property or question a narrow row is about. */
export const facets = { value: 0, agent: 1, type: 2, score: 3 } as const
export type Facet = keyof typeof facets

/** The `key` of the narrow tables: the property's or question's `no` in its dataset, and the facet. */
export const indexKey = (no: number, facet: Facet = 'value'): number => no * 8 + facets[facet]

const MAX_KEY_BYTES = 200

/**
 * Index keys have a bound (PostgreSQL's index rows do): a text of up to 200 UTF-8 bytes is its own key; a longer one is
 * its first 200 bytes (cut between characters), `~` and 128 bits of its SHA-256. Equal texts have equal keys; a range or sort on long
 * texts is settled against the stored value. See `isLongKey`.
 */
export const valueKey = (text: string): string => {
  if (text.length * 3 <= MAX_KEY_BYTES) return text
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= MAX_KEY_BYTES) return text
  let end = MAX_KEY_BYTES
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return `${bytes.toString('utf8', 0, end)}~${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}`
}

/** True when the key stands for a longer text. */
export const isLongKey = (key: string): boolean => Buffer.byteLength(key, 'utf8') > MAX_KEY_BYTES
