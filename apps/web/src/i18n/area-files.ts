import type { Texts } from './texts.ts'

/** Message files of the areas behind sign-in. The list is long, and the sign-in page doesn't need it. */
export const areaFiles: { readonly [path: string]: () => Promise<Texts> } = {
  ...import.meta.glob<Texts>(['../features/*/messages.*.json', '!../features/auth/*'], { import: 'default' }),
  ...import.meta.glob<Texts>(['../question-types/*/messages.*.json', '../question-types/shared/*/messages.*.json'], {
    import: 'default',
  }),
  ...import.meta.glob<Texts>('../field-types/*/messages.*.json', { import: 'default' }),
}

/** The areas of all question and field types, except traces, which have many messages and load on demand. */
export const typeAreas: readonly string[] = [
  ...new Set(
    Object.keys(areaFiles).flatMap((path) => /^\.\.\/((?:question|field)-types\/(?!trace\/)[^/]+)\//.exec(path)?.[1] ?? []),
  ),
]
