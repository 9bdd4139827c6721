const starts = ['file', 'hub', 'scratch'] as const

/** The query of the page that creates datasets. */
type CreationSearch = {
  readonly subset?: string
  readonly split?: string
  /** How the user has chosen to create the dataset. */
  readonly from?: (typeof starts)[number]
}

/** Some clients write `None` for missing values when they link to the page for a Hub dataset. */
const optionalText = (value: unknown): string | undefined =>
  typeof value !== 'string' || value === 'None' || value === '' ? undefined : value

/** Keeps the known query parameters and drops all others. Used as the route's `validateSearch`. */
export const validateCreationSearch = (raw: { readonly [key: string]: unknown }): CreationSearch => {
  const subset = optionalText(raw['subset'])
  const split = optionalText(raw['split'])
  const from = starts.find((start) => start === raw['from'])
  return { ...(subset !== undefined && { subset }), ...(split !== undefined && { split }), ...(from && { from }) }
}
