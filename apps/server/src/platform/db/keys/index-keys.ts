import { createHash } from 'node:crypto'

/** What an index row stores about a metadata property or question: its value, or the agent, type or score of a suggestion. */
export const facets = { value: 0, agent: 1, type: 2, score: 3 } as const
export type Facet = keyof typeof facets

/** The `key` of the index tables: the `no` of the property or question in its dataset, combined with the facet. */
export const indexKey = (no: number, facet: Facet = 'value'): number => no * 8 + facets[facet]

const MAX_KEY_BYTES = 200

/**
 * Index keys are limited in size (PostgreSQL limits index rows). A text of up to 200 UTF-8 bytes is its own key. The key of a
 * longer text is its first 200 bytes (cut between characters), `~` and 128 bits of its SHA-256. Equal texts have equal keys. To
 * compare long texts for a range filter or for sorting, use the stored values. See `isLongKey`.
 */
export const valueKey = (text: string): string => {
  if (text.length * 3 <= MAX_KEY_BYTES) return text
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= MAX_KEY_BYTES) return text
  let end = MAX_KEY_BYTES
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return `${bytes.toString('utf8', 0, end)}~${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}`
}

/** Whether a key was shortened because its text was too long. */
export const isLongKey = (key: string): boolean => Buffer.byteLength(key, 'utf8') > MAX_KEY_BYTES
