import { type AnnotationSearch, readStatus } from './annotation-search.ts'
import { decodeLegacy } from './escape.ts'

const text = (value: unknown): string | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const decoded = decodeLegacy(String(value))
  return decoded === '' ? undefined : decoded
}

/** Keeps the known query parameters as text and drops all others. Used as the route's `validateSearch`. */
export const validateAnnotationSearch = (raw: { readonly [key: string]: unknown }): AnnotationSearch => {
  const search: { -readonly [K in keyof AnnotationSearch]: AnnotationSearch[K] } = {}
  for (const key of ['page', 'search', 'metadata', 'response', 'suggestion', 'sort', 'similarity'] as const) {
    const value = text(raw[key])
    if (value !== undefined) search[key] = value
  }
  const status = readStatus(raw['status'])
  if (status) search.status = status
  return search
}
