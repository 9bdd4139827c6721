import type { AnnotationSearch } from './annotation-search.ts'
import { decodeLegacy } from './escape.ts'
import type { RecordFilterStatus } from './grammar.ts'

const statuses: readonly RecordFilterStatus[] = ['pending', 'draft', 'submitted', 'discarded']

const text = (value: unknown): string | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const decoded = decodeLegacy(String(value))
  return decoded === '' ? undefined : decoded
}

/** Keeps what the page knows, as text; anything else in the address is dropped. For the route's `validateSearch`. */
export const validateAnnotationSearch = (raw: { readonly [key: string]: unknown }): AnnotationSearch => {
  const search: { -readonly [K in keyof AnnotationSearch]: AnnotationSearch[K] } = {}
  for (const key of ['page', 'search', 'metadata', 'response', 'suggestion', 'sort', 'similarity'] as const) {
    const value = text(raw[key])
    if (value !== undefined) search[key] = value
  }
  const status = statuses.find((known) => known === raw['status'])
  if (status) search.status = status
  return search
}
