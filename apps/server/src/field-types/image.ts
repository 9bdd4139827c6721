import { isJsonObject } from '@postil/contract/wire/json.ts'
import { defineServerFieldType } from './define.ts'

/** Addresses of images are never searched. */
export const imageField = defineServerFieldType({
  kind: 'image',
  column: 'text',
  imported: (value) => (isJsonObject(value) && typeof value['src'] === 'string' ? value['src'] : value),
  holdsPictures: true,
  searchable: false,
  hasRoles: false,
  appendTokens: () => undefined,
})
