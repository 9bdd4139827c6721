import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { preferences } from '#lib/prefs/preferences.ts'
import { whenTakenChanges } from './changes.ts'

type Counts = ReadonlyMap<string, number>

const none: Counts = new Map()

const countsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['on-device', userId],
    queryFn: async (): Promise<Counts> => {
      if (preferences.read().keptFor !== userId) return none
      // NOTE: the code of the store comes only to who has taken something along
      return import('./store.ts').then(({ recordCounts }) => recordCounts(userId)).catch(() => none)
    },
    staleTime: 0,
  })

/** How many records of each dataset are on this device, by the dataset's id; of those that nothing was taken of there is no number. */
export const useOnDevice = (userId: string): Counts => {
  const client = useQueryClient()
  const { data = none } = useQuery(countsQuery(userId))
  useEffect(
    () => whenTakenChanges(() => void client.invalidateQueries({ queryKey: countsQuery(userId).queryKey })),
    [client, userId],
  )
  return data
}
