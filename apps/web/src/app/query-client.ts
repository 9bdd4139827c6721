import { MutationCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '#lib/api/api-error.ts'
import { toastProblem } from '#ui/toast.ts'

const attempts = 2

/** A refusal stays a refusal; what did not arrive or broke is asked for again. */
const retry = (failures: number, error: Error): boolean => failures < attempts && error instanceof ApiError && error.isTransient

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    // A mutation that shows its problem itself says so in its `meta`: one message per problem.
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (mutation.meta?.['showsProblem'] !== true) toastProblem(error)
      },
    }),
    defaultOptions: {
      // Just long enough that what a route fetched ahead is not fetched again by the screen: progress is never told from memory.
      queries: { staleTime: 1000, retry, retryDelay: (failures) => Math.min(1000 * 2 ** failures, 8000), networkMode: 'always' },
    },
  })
