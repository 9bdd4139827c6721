export type Loader = ReturnType<typeof createLoader>

/** Runs one load at a time; concurrent callers wait for it. @param onEnd called after each load, whether or not it failed */
export const createLoader = ({ onBegin, onEnd }: { readonly onBegin: () => void; readonly onEnd: () => void }) => {
  let problem: unknown = null
  let loading: Promise<void> | null = null
  return {
    /** Never rejects. An error is stored in `problem`, and the load is retried when it is needed. */
    load: (work: () => Promise<void>): Promise<void> => {
      if (loading !== null) return loading
      onBegin()
      loading = work()
        .then(
          () => {
            problem = null
          },
          (error: unknown) => {
            problem = error
          },
        )
        .finally(() => {
          loading = null
          onEnd()
        })
      return loading
    },
    /** The error of the last load, or null. */
    problem: (): unknown => problem,
    clearProblem: (): void => {
      problem = null
    },
    /** The current load, or null. */
    loading: (): Promise<void> | null => loading,
  }
}
