import { lazyPart } from '#ui/loading/lazy-part.ts'
import type { FieldSlice } from '../define.ts'

const texts = new WeakMap<object, string>()

/** Returns a trace as JSON text. The text is cached, because each key press renders the record again. */
const textOf = (value: object): string => {
  const text = texts.get(value) ?? JSON.stringify(value, null, 2)
  texts.set(value, text)
  return text
}

const View = lazyPart(() => import('./View.tsx').then((module) => ({ default: module.TraceView })))

export const slice: FieldSlice<'trace'> = {
  kind: 'trace',
  View,
  isSearchable: true,
  folds: false,
  plainText: (value) => (typeof value === 'object' && value !== null ? textOf(value) : String(value)),
}
