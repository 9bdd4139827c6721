import type { createSession, createSessionByLink, deleteSession } from '@postil/contract/auth.ts'
import type { getSettings } from '@postil/contract/info.ts'
import type { finishOauth, listOauthProviders } from '@postil/contract/oauth.ts'
import type { getMe, User } from '@postil/contract/users.ts'
import type { QueryClient } from '@tanstack/react-query'
import { queryOptions } from '@tanstack/react-query'
import { ApiError } from '#lib/api/api-error.ts'
import { call, path } from '#lib/api/client.ts'
import { preferences } from '#lib/prefs/preferences.ts'

const sessionKey = ['session'] as const

const fetchMe = async (signal?: AbortSignal): Promise<User | null> => {
  try {
    return await call<typeof getMe>('GET', '/api/v1/me', { ...(signal && { signal }), endsSession: false })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

/** The signed-in user, or null. Fetched once; it changes by sign-in, sign-out and a 401 of any other call. */
export const sessionQuery = () =>
  queryOptions({ queryKey: sessionKey, queryFn: ({ signal }) => fetchMe(signal), staleTime: Number.POSITIVE_INFINITY })

/** Another user's answers must not be left in memory: whoever comes or goes empties the cache. */
const becomes = (queryClient: QueryClient, user: User | null): void => {
  queryClient.clear()
  queryClient.setQueryData(sessionKey, user)
  preferences.write({ signedIn: user !== null })
}

export type Credentials =
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  | { readonly kind: 'link'; readonly token: string }
  /** The answer of an identity provider, as the query of the page it returned to. */
  | { readonly kind: 'provider'; readonly provider: string; readonly query: { readonly [key: string]: unknown } }

/** @throws ApiError 401 for a wrong name or password, or a link that was used or is too old; 429 after too many tries. */
export const signIn = async (queryClient: QueryClient, credentials: Credentials): Promise<void> =>
  becomes(queryClient, await userOf(credentials))

const userOf = async (credentials: Credentials): Promise<User | null> => {
  if (credentials.kind === 'password') {
    const { username, password } = credentials
    return (await call<typeof createSession>('POST', '/api/v1/session', { body: { username, password }, endsSession: false }))
      .user
  }
  if (credentials.kind === 'link') {
    const { token } = credentials
    return (await call<typeof createSessionByLink>('POST', '/api/v1/session/link', { body: { token }, endsSession: false })).user
  }
  const { provider, query } = credentials
  await call<typeof finishOauth>('GET', path('/api/v1/oauth2/providers', provider, 'access-token'), { query, endsSession: false })
  return fetchMe()
}

/** Ends the session on the server first; when that fails the user stays signed in and is told so. */
export const signOut = async (queryClient: QueryClient): Promise<void> => {
  await call<typeof deleteSession>('DELETE', '/api/v1/session', { endsSession: false })
  becomes(queryClient, null)
}

export const forgetSession = (queryClient: QueryClient): void => becomes(queryClient, null)

/** The same user, changed: a new key, another name. */
export const keepUser = (queryClient: QueryClient, user: User): void => {
  queryClient.setQueryData(sessionKey, user)
}

/** What the server says about its surroundings. */
export const settingsQuery = () =>
  queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => call<typeof getSettings>('GET', '/api/v1/settings', { signal, endsSession: false }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export type Provider = { readonly name: string }

/** Asked once: a failure is no reason to keep anyone from the form. */
export const providersQuery = () =>
  queryOptions({
    queryKey: ['oauth2', 'providers'],
    queryFn: async ({ signal }): Promise<readonly Provider[]> =>
      (await call<typeof listOauthProviders>('GET', '/api/v1/oauth2/providers', { signal, endsSession: false })).items,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
