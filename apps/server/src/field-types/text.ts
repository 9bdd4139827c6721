import { tokenizeInto } from '#platform/text/tokens.ts'
import { defineServerFieldType } from './define.ts'

export const textField = defineServerFieldType({
  kind: 'text',
  column: 'text',
  searchable: true,
  hasRoles: false,
  appendTokens: (out, value) => {
    if (typeof value === 'string') tokenizeInto(out, value)
  },
  appendTexts: (out, value) => {
    if (typeof value === 'string') out.push(value)
  },
})
