import type { Texts } from './texts.ts'

/** Where the texts of the areas behind sign-in are: a long list, which sign-in is ready without. */
export const areaFiles: { readonly [path: string]: () => Promise<Texts> } = {
  ...import.meta.glob<Texts>(['../features/*/messages.*.json', '!../features/auth/*'], { import: 'default' }),
  ...import.meta.glob<Texts>('../question-types/*/messages.*.json', { import: 'default' }),
  ...import.meta.glob<Texts>('../field-types/*/messages.*.json', { import: 'default' }),
}
