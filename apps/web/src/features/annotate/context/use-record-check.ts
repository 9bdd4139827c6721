import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Annotator } from '../answering/annotator.ts'
import { fetchOwnRecord, recheckDataset } from '../api.ts'
import type { ListItem } from '../queue/list-item.ts'

/** How often the server is asked whether the edited record still exists, in milliseconds. */
const checkInterval = 30_000

type Options = {
  readonly datasetId: string
  readonly item: ListItem | null
  readonly annotator: Annotator
  readonly isEdited: boolean
}

/**
 * Notices if a record is deleted while the user edits the answer to it. The edits are then sent. The server rejects them, so the
 * device keeps them like any other rejected answer.
 */
export const useRecordCheck = ({ datasetId, item, annotator, isEdited }: Options): void => {
  const queryClient = useQueryClient()
  const recordId = item?.record.id ?? ''
  const { data: isThere, error } = useQuery({
    queryKey: ['dataset', datasetId, 'is-there', recordId],
    queryFn: async () => (await fetchOwnRecord(datasetId, recordId)) !== null,
    enabled: isEdited && recordId !== '',
    initialData: true,
    staleTime: checkInterval,
    refetchInterval: checkInterval,
    refetchOnWindowFocus: 'always',
    gcTime: 0,
    retry: false,
  })
  const isGone = isEdited && !isThere
  // biome-ignore lint/correctness/useExhaustiveDependencies: the item changes when its answer is sent
  useEffect(() => {
    if (isGone && item) annotator.keepEdits(item)
  }, [isGone, recordId, annotator])
  useEffect(() => recheckDataset(queryClient, datasetId, error), [queryClient, datasetId, error])
}
