export const overviewSections = ['progress', 'people', 'agreement', 'comparisons', 'labels', 'suggestions', 'notes'] as const
export type OverviewSection = (typeof overviewSections)[number]

/** The query of the overview page. */
type OverviewSearch = {
  /** Default: progress. */
  readonly section?: OverviewSection
  /** The name of the question whose agreement is open. */
  readonly question?: string
  /**
   * The version of the labels and guidelines. Only answers that were given with this version are compared. 0 selects the answers
   * from before the first version. Default: all.
   */
  readonly version?: number
}

/** Keeps the known query parameters and drops all others. Used as the route's `validateSearch`. */
export const validateOverviewSearch = (raw: { readonly [key: string]: unknown }): OverviewSearch => {
  const section = overviewSections.find((one) => one === raw['section'])
  const { question, version } = raw
  return {
    ...(section && { section }),
    ...(typeof question === 'string' && question !== '' && { question }),
    ...(Number.isSafeInteger(version) && { version: version as number }),
  }
}
