import { tokenizeInto } from '#platform/text/tokens.ts'
import { defineServerFieldType } from './define.ts'

/** Appends keys and values in document order. The contract bounds the depth. */
const append = (out: string[], value: unknown): void => {
  if (typeof value === 'string') tokenizeInto(out, value)
  else if (typeof value === 'number' || typeof value === 'boolean') tokenizeInto(out, String(value))
  else if (Array.isArray(value)) for (const item of value) append(out, item)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      tokenizeInto(out, key)
      append(out, item)
    }
  }
}

export const customField = defineServerFieldType({
  kind: 'custom',
  column: 'json',
  searchable: true,
  hasRoles: false,
  appendTokens: append,
})
