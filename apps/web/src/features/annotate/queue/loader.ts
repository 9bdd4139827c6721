export type Loader = ReturnType<typeof createLoader>

/** Loads one thing at a time; who asks meanwhile waits for that one. @param onEnd after each, whatever became of it */
export const createLoader = ({ onBegin, onEnd }: { readonly onBegin: () => void; readonly onEnd: () => void }) => {
  let problem: unknown = null
  let loading: Promise<void> | null = null
  return {
    /** Never rejects: what failed is `problem`, and is asked for again when it is needed. */
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
    /** Why the last load failed; null when it did not. */
    problem: (): unknown => problem,
    forget: (): void => {
      problem = null
    },
    /** What is on its way; null while nothing is. */
    loading: (): Promise<void> | null => loading,
  }
}
