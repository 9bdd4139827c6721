import type { OwnAssignments } from '@postil/contract/assignments.ts'
import type { QueryClient } from '@tanstack/react-query'
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

/**
 * Removes a deleted dataset from the list on the home page. Otherwise, the list would show the dataset until the list is
 * refetched.
 */
export const removeFromHome = (client: QueryClient, datasetId: string): void => {
  client.setQueryData(
    homeQuery().queryKey,
    (home) => home && { ...home, datasets: home.datasets.filter(({ dataset }) => dataset.id !== datasetId) },
  )
  void client.invalidateQueries({ queryKey: homeQuery().queryKey })
}

/** The caller's assignments, keyed by dataset ID. */
export const ownAssignmentsQuery = () =>
  queryOptions({
    queryKey: ['my-assignments'],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, OwnAssignments>> => {
      const { items } = await call('GET /me/assignments', { signal })
      return new Map(items.map((item) => [item.dataset.id, item]))
    },
    staleTime: cacheCounts,
  })
