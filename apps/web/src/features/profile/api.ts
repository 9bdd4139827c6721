import type { User } from '@postil/contract/people/users.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'

/** The caller's workspaces. */
export const myWorkspacesQuery = () =>
  queryOptions({
    queryKey: ['my-workspaces'],
    queryFn: async ({ signal }) => (await call('GET /me/workspaces', { signal })).items,
  })

/** Issues a new API key. The old one stops working at once. @returns the user with the new key */
export const renewApiKey = (userId: string): Promise<User> =>
  call('POST /users/:user_id/api-key', { params: { user_id: userId } })

/** Changes the user's password, given the current one. Ends their other sessions. */
export const changePassword = (current_password: string, password: string): Promise<void> =>
  call('PUT /me/password', { body: { current_password, password } })

/** Ends all sessions of the user, including this one. */
export const endAllSessions = (): Promise<void> => call('DELETE /session/all')

/** The browsers in which the user is signed in. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: ['my-sessions'],
    queryFn: async ({ signal }) => (await call('GET /me/sessions', { signal })).items,
  })

/** Ends the user's session in one browser. */
export const endSession = (id: string): Promise<void> => call('DELETE /me/sessions/:session_id', { params: { session_id: id } })

/** The identity providers that are linked to the user. */
export const identitiesQuery = () =>
  queryOptions({
    queryKey: ['my-identities'],
    queryFn: async ({ signal }) => (await call('GET /me/identities', { signal })).items,
  })

export const unlinkProvider = (provider: string): Promise<void> => call('DELETE /me/identities', { query: { provider } })
