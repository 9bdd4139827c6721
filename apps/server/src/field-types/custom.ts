import { tokenizeInto } from '#platform/text/tokens.ts'
import { defineServerFieldType } from './define.ts'

/** Visits keys and values in document order. The depth isn't checked, because the contract limits it. */
export const visitTexts = (value: unknown, visit: (text: string) => void): void => {
  if (typeof value === 'string') visit(value)
  else if (typeof value === 'number' || typeof value === 'boolean') visit(String(value))
  else if (Array.isArray(value)) for (const item of value) visitTexts(item, visit)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      visit(key)
      visitTexts(item, visit)
    }
  }
}

export const customField = defineServerFieldType({
  kind: 'custom',
  column: 'json',
  searchable: true,
  hasRoles: false,
  appendTokens: (out, value) => visitTexts(value, (text) => tokenizeInto(out, text)),
  appendTexts: (out, value) => visitTexts(value, (text) => out.push(text)),
})
