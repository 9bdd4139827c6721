/** The query of the review page. */
type ReviewSearch = {
  /** The ID of the record that is shown. Without it, the page shows the next record of the queue. */
  readonly record?: string
}

/** Keeps the known query parameters and drops all others. Used as the route's `validateSearch`. */
export const validateReviewSearch = (raw: { readonly [key: string]: unknown }): ReviewSearch => {
  const { record } = raw
  return typeof record === 'string' && record !== '' ? { record } : {}
}
