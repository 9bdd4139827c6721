import type { AnnotationQuery, Page } from '#lib/url/grammar.ts'

/** The page sizes of the bulk view begin with this one. */
export const usualPageSize: number = 10

/** An address as the screen can show it: only pending records are answered in bulk, others one at a time. */
export const viewOf = (query: AnnotationQuery): AnnotationQuery =>
  query.page.mode === 'bulk' && query.status !== 'pending'
    ? { ...query, page: { mode: 'focus', number: query.page.start } }
    : query

/** The same view at another place of the list. */
export const pageAt = (page: Page, place: number): Page =>
  page.mode === 'focus' ? { mode: 'focus', number: place } : { mode: 'bulk', start: place, size: page.size }

export const placeOfPage = (page: Page): number => (page.mode === 'focus' ? page.number : page.start)
