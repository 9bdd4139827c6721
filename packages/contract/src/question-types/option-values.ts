import { type Message, message } from '#wire/message.ts'

type WithValue = { readonly value: string | number }
export type WithOptions = { readonly options: readonly WithValue[] }
const optionValueCache = new WeakMap<readonly WithValue[], ReadonlySet<string | number>>()

/** The values of a question's options. Cached per list because bulk requests check thousands of values against the same list. */
export const optionValues = (options: readonly WithValue[]): ReadonlySet<string | number> => {
  const found = optionValueCache.get(options)
  if (found) return found
  const values = new Set(options.map((option) => option.value))
  optionValueCache.set(options, values)
  return values
}

export const notAnOption = (value: string | number, options: readonly WithValue[]): Message => {
  const shown = options.slice(0, 20).map((option) => JSON.stringify(option.value))
  const more = options.length > shown.length ? `, and ${options.length - shown.length} more` : ''
  return message('notAnOption', { value: JSON.stringify(value), options: `${shown.join(', ')}${more}` })
}
