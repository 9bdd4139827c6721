import { useQuery } from '@tanstack/react-query'
import { useUser } from '#features/auth/public.ts'
import { suggestionSettingsQuery } from '#lib/api/dataset-queries.ts'

/** Whether the user sees all suggestions of a dataset. For other users, the server refuses to filter and sort by suggestions. */
export const useSeesSuggestions = (datasetId: string): boolean => {
  const { role } = useUser()
  const isLead = role !== 'annotator'
  const { data } = useQuery({ ...suggestionSettingsQuery(datasetId), enabled: !isLead })
  return isLead || (data?.show === 'always' && data.blind_share === 0)
}
