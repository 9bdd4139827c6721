/** Joins path segments, each percent-encoded: `path('/api/v1/datasets', id, 'progress')`. */
export const path = (root: string, ...segments: readonly string[]): string =>
  [root, ...segments.map((segment) => encodeURIComponent(segment))].join('/')

/** Serializes a query. Lists repeat the key. Undefined and null values are omitted. */
export const queryText = (query: unknown): string => {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) params.append(key, String(one))
    }
  }
  const printed = params.toString()
  return printed === '' ? '' : `?${printed}`
}
