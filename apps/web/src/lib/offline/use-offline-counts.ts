import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { preferences } from '#lib/prefs/preferences.ts'
import { onOfflineChange } from './offline-changes.ts'

type Counts = ReadonlyMap<string, number>

const noCounts: Counts = new Map()

const countsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['on-device', userId],
    queryFn: async (): Promise<Counts> => {
      if (preferences.read().keptFor !== userId) return noCounts
      // Loads the code of the store only for users who have saved records.
      return import('./store.ts').then(({ countRecords }) => countRecords(userId)).catch(() => noCounts)
    },
    staleTime: 0,
  })

/** Returns the number of records on this device by dataset ID. Datasets without saved records aren't included. */
export const useOfflineCounts = (userId: string): Counts => {
  const client = useQueryClient()
  const { data = noCounts } = useQuery(countsQuery(userId))
  useEffect(
    () => onOfflineChange(() => void client.invalidateQueries({ queryKey: countsQuery(userId).queryKey })),
    [client, userId],
  )
  return data
}
