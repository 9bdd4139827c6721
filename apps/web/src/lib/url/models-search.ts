/** The query of the page about models. */
type ModelsSearch = {
  /** The ID of the run that is open. Default: none. */
  readonly run?: string
}

/** Keeps the known query parameters and drops all others. Used as the route's `validateSearch`. */
export const validateModelsSearch = ({ run }: { readonly [key: string]: unknown }): ModelsSearch =>
  typeof run === 'string' && run !== '' ? { run } : {}
