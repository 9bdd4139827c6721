import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { cacheCounts } from '#lib/constants.ts'

/** Loads all data of the home page in one call. Progress from an earlier visit is always refetched. */
export const homeQuery = () =>
  queryOptions({
    queryKey: ['home'],
    queryFn: ({ signal }) => call('GET /me/home', { signal }),
    staleTime: cacheCounts,
  })
