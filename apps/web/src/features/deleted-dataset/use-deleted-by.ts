import { useQuery } from '@tanstack/react-query'
import { useUser } from '#features/auth/public.ts'
import { call } from '#lib/api/client.ts'

/**
 * The username of the person who deleted something, or null if it is unknown.
 * @param action the ID of the endpoint that deletes it
 */
export const useDeletedBy = (targetId: string, action: 'datasets.delete' | 'records.delete'): string | null => {
  const { role } = useUser()
  const { data } = useQuery({
    queryKey: ['deleted-by', targetId],
    queryFn: async ({ signal }) => {
      const query = { target_id: targetId, action, limit: 1 }
      return (await call('GET /audit', { query, signal })).items[0]?.actor.name ?? null
    },
    // Only owners can read the audit log.
    enabled: role === 'owner',
    retry: false,
  })
  return data ?? null
}
