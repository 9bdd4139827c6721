import type { InvitationCreate } from '@postil/contract/people/account-links.ts'
import type { QueryClient } from '@tanstack/react-query'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'

/** The open and expired invitations that the user may manage. */
export const invitationsQuery = () =>
  queryOptions({
    queryKey: ['administration', 'invitations'],
    queryFn: async ({ signal }) => (await call('GET /invitations', { signal })).items,
  })

/** Open links for new passwords. For owners. */
export const passwordLinksQuery = () =>
  queryOptions({
    queryKey: ['administration', 'password-links'],
    queryFn: async ({ signal }) => (await call('GET /password-links', { signal })).items,
  })

/** A link that is shown once. */
export type ShownLink = { readonly link: string; readonly expires_at: string }

/** Mutations of invitations and of links for new passwords. Each call rejects with ApiError on failure. */
export const invitationCalls = (client: QueryClient) => {
  const thenRefresh = async <T>(done: Promise<T>): Promise<T> => {
    try {
      return await done
    } finally {
      await client.invalidateQueries({ queryKey: ['administration'] })
    }
  }
  return {
    invite: (invitation: InvitationCreate): Promise<ShownLink> => thenRefresh(call('POST /invitations', { body: invitation })),
    renew: (id: string): Promise<ShownLink> =>
      thenRefresh(call('POST /invitations/:invitation_id/link', { params: { invitation_id: id } })),
    revoke: (id: string) => thenRefresh(call('DELETE /invitations/:invitation_id', { params: { invitation_id: id } })),
    createPasswordLink: (userId: string): Promise<ShownLink> =>
      thenRefresh(call('POST /users/:user_id/password-link', { params: { user_id: userId } })),
    revokePasswordLink: (userId: string) =>
      thenRefresh(call('DELETE /users/:user_id/password-link', { params: { user_id: userId } })),
  }
}
