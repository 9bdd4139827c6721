/** Returns a function that calls `run` only the first time it is called. It returns the result of that call every time. */
export const once = <R>(run: () => R): (() => R) => {
  let made: { readonly result: R } | null = null
  return () => {
    made ??= { result: run() }
    return made.result
  }
}
