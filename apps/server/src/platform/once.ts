/** The same function, which runs when it is first called: all calls get what it gave then. */
export const once = <R>(run: () => R): (() => R) => {
  let made: { readonly result: R } | null = null
  return () => {
    made ??= { result: run() }
    return made.result
  }
}
