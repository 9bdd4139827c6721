/** Returns a function that runs once, on its first call, and returns that result on every call. */
export const once = <R>(run: () => R): (() => R) => {
  let made: { readonly result: R } | null = null
  return () => {
    made ??= { result: run() }
    return made.result
  }
}
