import type { Session } from '@postil/contract/people/auth.ts'
import type { OauthProvider } from '@postil/contract/people/oauth.ts'
import type { Me, User } from '@postil/contract/people/users.ts'
import type { QueryClient } from '@tanstack/react-query'
import { queryOptions } from '@tanstack/react-query'
import { secondFactorRefusal } from '#features/second-factor/public.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { call } from '#lib/api/client.ts'
import { clearEarlyResponses } from '#lib/api/early-responses.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { dropTabDataOfOthers } from '#lib/tab-data.ts'
import { notifyOtherTabs } from './other-tabs.ts'

const sessionKey = ['session'] as const

const fetchMe = async (signal?: AbortSignal): Promise<Me | null> => {
  try {
    const me = await call('GET /me', { ...(signal && { signal }), endsSession: false })
    dropTabDataOfOthers(me.id)
    return me
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

/** The signed-in user, or null. Fetched once; changes on sign-in, sign-out and a 401 response to any other request. */
export const sessionQuery = () =>
  queryOptions({ queryKey: sessionKey, queryFn: ({ signal }) => fetchMe(signal), staleTime: Number.POSITIVE_INFINITY })

/** Clears the cache on every sign-in and sign-out, because another user's answers must not stay in memory. */
const setSession = (queryClient: QueryClient, user: Me | null): void => {
  queryClient.clear()
  clearEarlyResponses()
  queryClient.setQueryData(sessionKey, user)
}

const storeSession = (queryClient: QueryClient, user: Me | null): void => {
  setSession(queryClient, user)
  // `keptFor` is set again when a user signs in.
  preferences.write({ signedIn: user !== null, keptFor: null })
}

/** A request that signs a user in. The response sets the session cookie. */
export type SignInMethod = () => Promise<Session>

/**
 * Signs in with a password. Phone keyboards add a space after a word, but a username can itself contain surrounding spaces. The
 * trimmed name is therefore tried only if the exact one is unknown.
 * @param code for users with two-factor authentication
 * @throws ApiError 401 for a wrong name, password or code; 429 after too many attempts
 */
export const byPassword = (username: string, password: string, code?: string): SignInMethod => {
  const as = (name: string): Promise<Session> =>
    call('POST /session', { body: { username: name, password, code }, endsSession: false, hasTimeout: true })
  return () =>
    as(username).catch((error: unknown) => {
      const name = username.trim()
      const isWrongCredentials = error instanceof ApiError && error.status === 401 && secondFactorRefusal(error) === undefined
      if (!isWrongCredentials || name === '' || name === username) throw error
      return as(name)
    })
}

/** @throws ApiError 401 for a link that was used or has expired */
export const byLink =
  (token: string): SignInMethod =>
  () =>
    call('POST /session/link', { body: { token }, endsSession: false, hasTimeout: true })

/** @throws ApiError 403 or 404 if there is no demo */
export const byDemo: SignInMethod = () => call('POST /session/demo', { endsSession: false, hasTimeout: true })

export const signIn = async (queryClient: QueryClient, signInMethod: SignInMethod): Promise<void> => {
  const { user } = await signInMethod()
  dropTabDataOfOthers(user.id)
  storeSession(queryClient, user)
  notifyOtherTabs(user.id)
}

/** A request that ends this browser's session on the server. */
export type SignOutMethod = () => Promise<void>

const bySession: SignOutMethod = () => call('DELETE /session', { endsSession: false })

/** Ends the session on the server first. If that fails, the user stays signed in and the error is thrown. */
export const signOut = async (queryClient: QueryClient, signOutMethod: SignOutMethod = bySession): Promise<void> => {
  await signOutMethod()
  dropTabDataOfOthers(null)
  storeSession(queryClient, null)
  notifyOtherTabs(null)
}

export const forgetSession = (queryClient: QueryClient): void => storeSession(queryClient, null)

/** Handles a session that has ended in another tab, which has already updated the stored preferences. */
export const leaveSession = (queryClient: QueryClient): void => setSession(queryClient, null)

/** Makes the next use of the session ask the server again. */
export const invalidateSession = (queryClient: QueryClient): void => queryClient.removeQueries({ queryKey: sessionKey })

export const updateUser = (queryClient: QueryClient, user: User): void => {
  queryClient.setQueryData(sessionKey, user)
}

/** The server's settings. */
export const settingsQuery = () =>
  queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => call('GET /settings', { signal, endsSession: false }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export type Provider = OauthProvider

/** Not retried, so that a failure doesn't delay the form. */
export const providersQuery = () =>
  queryOptions({
    queryKey: ['oauth2', 'providers'],
    queryFn: async ({ signal }): Promise<readonly Provider[]> =>
      (await call('GET /oauth2/providers', { signal, endsSession: false })).items,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
