import type { AnnotationQuery, Page } from '@postil/contract/annotation-query/grammar.ts'

/** The initial page size of the bulk view. Also the smallest size that the menu offers. */
export const defaultPageSize: number = 10

/**
 * Returns the query that the screen can show for a URL. Only pending records have a bulk view. Records with any other status are
 * shown one at a time.
 */
export const viewOf = (query: AnnotationQuery): AnnotationQuery =>
  query.page.mode === 'bulk' && query.status !== 'pending'
    ? { ...query, page: { mode: 'focus', number: query.page.start } }
    : query

/** Returns the same view at another position in the list. */
export const pageAt = (page: Page, position: number): Page =>
  page.mode === 'focus' ? { mode: 'focus', number: position } : { mode: 'bulk', start: position, size: page.size }

export const startOfPage = (page: Page): number => (page.mode === 'focus' ? page.number : page.start)
