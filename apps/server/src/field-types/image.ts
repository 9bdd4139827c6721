import { isJsonObject } from '@postil/contract/wire/json.ts'
import { defineServerFieldType } from './define.ts'

/** Matches an image data URL or the URL of an image file. In a signed URL, more text follows the file name. */
const imageText = /^(data:image\/|https?:\/\/[^\s?#]+\.(png|jpe?g|gif|webp|avif|svg)([?#]\S*)?$)/i

/** Image addresses are never searchable. */
export const imageField = defineServerFieldType({
  kind: 'image',
  column: 'text',
  imported: (value) => (isJsonObject(value) && typeof value['src'] === 'string' ? value['src'] : value),
  recognizes: (value) => typeof value === 'string' && imageText.test(value),
  holdsImages: true,
  searchable: false,
  hasRoles: false,
  appendTokens: () => undefined,
  appendTexts: () => undefined,
})
