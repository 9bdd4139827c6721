import type { changeMyPassword, deleteAllSessions, deleteMySession, listMySessions } from '@postil/contract/people/auth.ts'
import type { deleteMyIdentity, listMyIdentities } from '@postil/contract/people/oauth.ts'
import type { changeApiKey, User } from '@postil/contract/people/users.ts'
import type { listMyWorkspaces } from '@postil/contract/people/workspace-endpoints.ts'
import { queryOptions } from '@tanstack/react-query'
import { call, path } from '#lib/api/client.ts'

/** The caller's workspaces. */
export const myWorkspacesQuery = () =>
  queryOptions({
    queryKey: ['my-workspaces'],
    queryFn: async ({ signal }) => (await call<typeof listMyWorkspaces>('GET', '/api/v1/me/workspaces', { signal })).items,
  })

/** Issues a new API key. The old one stops working at once. @returns the user with the new key */
export const renewApiKey = (userId: string): Promise<User> =>
  call<typeof changeApiKey>('POST', path('/api/v1/users', userId, 'api-key'))

/** Changes the user's password, given the current one. Ends their other sessions. */
export const changePassword = (current_password: string, password: string): Promise<void> =>
  call<typeof changeMyPassword>('PUT', '/api/v1/me/password', { body: { current_password, password } })

/** Ends all sessions of the user, including this one. */
export const endAllSessions = (): Promise<void> => call<typeof deleteAllSessions>('DELETE', '/api/v1/session/all')

/** The browsers in which the user is signed in. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: ['my-sessions'],
    queryFn: async ({ signal }) => (await call<typeof listMySessions>('GET', '/api/v1/me/sessions', { signal })).items,
  })

/** Ends the user's session in one browser. */
export const endSession = (id: string): Promise<void> => call<typeof deleteMySession>('DELETE', path('/api/v1/me/sessions', id))

/** The identity providers that are linked to the user. */
export const identitiesQuery = () =>
  queryOptions({
    queryKey: ['my-identities'],
    queryFn: async ({ signal }) => (await call<typeof listMyIdentities>('GET', '/api/v1/me/identities', { signal })).items,
  })

export const unlinkProvider = (provider: string): Promise<void> =>
  call<typeof deleteMyIdentity>('DELETE', '/api/v1/me/identities', { query: { provider } })
