import { isJsonObject } from '@postil/contract/wire/json.ts'
import { roleToken } from '#platform/text/evaluate.ts'
import { tokenizeInto } from '#platform/text/tokens.ts'
import { defineServerFieldType } from './define.ts'

export const chatField = defineServerFieldType({
  kind: 'chat',
  column: 'json',
  searchable: true,
  hasRoles: true,
  appendTokens: (out, value) => {
    if (!Array.isArray(value)) return
    for (const message of value) {
      if (!isJsonObject(message)) continue
      const { role, content } = message
      if (typeof role === 'string') out.push(roleToken(role))
      if (typeof content === 'string') tokenizeInto(out, content)
    }
  },
})
