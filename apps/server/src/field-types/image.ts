import { defineServerFieldType } from './define.ts'

/** Addresses of images are never searched. */
export const imageField = defineServerFieldType({
  kind: 'image',
  column: 'text',
  holdsPictures: true,
  searchable: false,
  hasRoles: false,
  appendTokens: () => undefined,
})
