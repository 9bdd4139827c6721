import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useIdle } from '#lib/net/use-idle.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { onOfflineChange } from './offline-changes.ts'

type Counts = ReadonlyMap<string, number>

const noCounts: Counts = new Map()

const countsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['on-device', userId],
    queryFn: async (): Promise<Counts> => {
      if (preferences.read().keptFor !== userId) return noCounts
      return import('./store.ts').then(({ countRecords }) => countRecords(userId)).catch(() => noCounts)
    },
    staleTime: 0,
  })

/** Returns the number of records on this device, keyed by dataset ID. Datasets without saved records aren't included. */
export const useOfflineCounts = (userId: string): Counts => {
  const client = useQueryClient()
  // The first render doesn't need the code of the store.
  const isIdle = useIdle()
  const { data = noCounts } = useQuery({ ...countsQuery(userId), enabled: isIdle })
  useEffect(
    () => onOfflineChange(() => void client.invalidateQueries({ queryKey: countsQuery(userId).queryKey })),
    [client, userId],
  )
  return data
}
