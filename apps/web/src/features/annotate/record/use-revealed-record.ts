import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { useQuery } from '@tanstack/react-query'
import { useUser } from '#features/auth/public.ts'
import { call } from '#lib/api/client.ts'
import { suggestionSettingsQuery } from '#lib/api/dataset-queries.ts'
import type { ListItem } from '../queue/list-item.ts'

/**
 * Returns the record together with the suggestions that the server shows only after an answer. These suggestions were missing
 * when the record was loaded.
 * @returns null if there is no item
 */
export const useRevealedRecord = (datasetId: string, item: ListItem | null): AnnotationRecord | null => {
  const { role } = useUser()
  const { data: settings } = useQuery({ ...suggestionSettingsQuery(datasetId), enabled: role === 'annotator' })
  const record = item?.record ?? null
  const wasHidden = role === 'annotator' && settings?.show === 'after_answer' && (record?.suggestions ?? []).length === 0
  const recordId = record?.id ?? ''
  const { data: revealed } = useQuery({
    queryKey: ['dataset', datasetId, 'revealed-suggestions', recordId],
    queryFn: async ({ signal }) =>
      (await call('GET /records/:record_id/suggestions', { params: { record_id: recordId }, signal })).items,
    enabled: wasHidden && item?.serverAnswer?.status === 'submitted',
    staleTime: Number.POSITIVE_INFINITY,
  })
  return record && wasHidden && revealed ? { ...record, suggestions: revealed } : record
}
