import { isJsonObject } from '@postil/contract/wire/json.ts'
import { defineServerFieldType } from './define.ts'

/** Image addresses are never searchable. */
export const imageField = defineServerFieldType({
  kind: 'image',
  column: 'text',
  imported: (value) => (isJsonObject(value) && typeof value['src'] === 'string' ? value['src'] : value),
  holdsImages: true,
  searchable: false,
  hasRoles: false,
  appendTokens: () => undefined,
})
