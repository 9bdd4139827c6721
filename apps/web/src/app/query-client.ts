import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '#lib/api/api-error.ts'
import { Unanswered } from '#lib/api/unanswered.ts'
import { cacheUsual } from '#lib/constants.ts'
import { isOnline } from '#lib/net/connection.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { toastProblem } from '#ui/telling/toast.ts'

const attempts = 2

/** A refusal stays a refusal; what did not arrive or broke is asked for again, unless the browser knows that there is no network, or it was waited for long enough. */
const retry = (failures: number, error: Error): boolean =>
  failures < attempts &&
  error instanceof ApiError &&
  error.isTransient &&
  !(error instanceof Unanswered) &&
  (error.status !== 0 || isOnline())

/** For who has switched it on in the stored object: what the page leaves untold, and what it tells in other words. */
const tellDeveloper = (what: readonly unknown[], error: Error): void => {
  // biome-ignore lint/suspicious/noConsole: it is what was asked for
  if (preferences.read().developer === true) console.warn(what, error, error instanceof ApiError ? error.request : null)
}

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => tellDeveloper(query.queryKey, error) }),
    // A mutation that shows its problem itself says so in its `meta`: one message per problem.
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        tellDeveloper(mutation.options.mutationKey ?? ['mutation', mutation.mutationId], error)
        if (mutation.meta?.['showsProblem'] !== true) toastProblem(error)
      },
    }),
    defaultOptions: {
      // Longer than it takes until the screen has what a route fetched ahead. What is counted says its own: it is never told from memory.
      queries: {
        staleTime: cacheUsual,
        retry,
        retryDelay: (failures) => Math.min(1000 * 2 ** failures, 8000),
        networkMode: 'always',
      },
      // What is asked for without a network is refused at once: done later it would surprise.
      mutations: { networkMode: 'always' },
    },
  })
