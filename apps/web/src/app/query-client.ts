import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '#lib/api/api-error.ts'
import { NoResponseError } from '#lib/api/fetch-with-timeout.ts'
import { cacheDefault } from '#lib/constants.ts'
import { isOnline } from '#lib/net/connection.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { toastProblem } from '#ui/feedback/toast.ts'

const maxRetries = 2

/**
 * Retries network failures and server errors, but not rejected requests. Doesn't retry while the browser is offline, or if the
 * server has accepted the request but hasn't responded in time.
 */
const retry = (failures: number, error: Error): boolean =>
  failures < maxRetries &&
  error instanceof ApiError &&
  error.isTransient &&
  !(error instanceof NoResponseError) &&
  (error.status !== 0 || isOnline())

/** Logs errors that the web app hides or rewords. Developers can enable these logs in the stored preferences. */
const logForDevelopers = (what: readonly unknown[], error: Error): void => {
  // biome-ignore lint/suspicious/noConsole: the developer has enabled this output
  if (preferences.read().developer === true) console.warn(what, error, error instanceof ApiError ? error.request : null)
}

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => logForDevelopers(query.queryKey, error) }),
    // A mutation that shows its own error sets `showsProblem` in its `meta`, so that each error is shown only once.
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        logForDevelopers(mutation.options.mutationKey ?? ['mutation', mutation.mutationId], error)
        if (mutation.meta?.['showsProblem'] !== true) toastProblem(error)
      },
    }),
    defaultOptions: {
      // The stale time is longer than the time between a route's prefetch and the screen's first use of the data. Count queries
      // set their own stale time and never use the cache.
      queries: {
        staleTime: cacheDefault,
        retry,
        retryDelay: (failures) => Math.min(1000 * 2 ** failures, 8000),
        networkMode: 'always',
      },
      // Without a network, a mutation fails at once. Sending it later would surprise the user.
      mutations: { networkMode: 'always' },
    },
  })
