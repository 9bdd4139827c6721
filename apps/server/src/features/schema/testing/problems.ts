type Answer = { readonly status: number; readonly body: unknown }
type Validation = { readonly detail: { readonly params: { readonly errors: readonly { type: string; loc: unknown[] }[] } } }

/** Returns the type and the path (below `body`) of each problem in a 422 response. Throws for any other response. */
export const problemsOf = ({ status, body }: Answer): unknown[][] => {
  const errors = (body as Partial<Validation>).detail?.params?.errors
  if (status !== 422 || errors === undefined) throw new Error(`the server answered ${status} ${JSON.stringify(body)}`)
  return errors.map(({ type, loc }) => [type, ...loc.slice(1)])
}
