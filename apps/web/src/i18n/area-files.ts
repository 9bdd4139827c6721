import type { ResourceKey } from 'i18next'

/** Where the texts of the areas behind sign-in are: a long list, which sign-in is ready without. */
export const areaFiles: { readonly [path: string]: () => Promise<ResourceKey> } = {
  ...import.meta.glob<ResourceKey>(['../features/*/messages.*.json', '!../features/auth/*'], { import: 'default' }),
  ...import.meta.glob<ResourceKey>('../question-types/*/messages.*.json', { import: 'default' }),
  ...import.meta.glob<ResourceKey>('../field-types/*/messages.*.json', { import: 'default' }),
}
