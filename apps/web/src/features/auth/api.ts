import type { getSettings } from '@postil/contract/info.ts'
import type {
  createDemoSession,
  createSession,
  createSessionByLink,
  deleteSession,
  Session,
} from '@postil/contract/people/auth.ts'
import type { listOauthProviders, OauthProvider } from '@postil/contract/people/oauth.ts'
import type { getMe, Me, User } from '@postil/contract/people/users.ts'
import type { QueryClient } from '@tanstack/react-query'
import { queryOptions } from '@tanstack/react-query'
import { refusedFactor } from '#features/second-factor/service.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { call } from '#lib/api/client.ts'
import { forgetEarly } from '#lib/api/early.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { dropUnsavedOfOthers } from '#lib/unsaved.ts'
import { tellOtherTabs } from './other-tabs.ts'

const sessionKey = ['session'] as const

const fetchMe = async (signal?: AbortSignal): Promise<Me | null> => {
  try {
    const me = await call<typeof getMe>('GET', '/api/v1/me', { ...(signal && { signal }), endsSession: false })
    dropUnsavedOfOthers(me.id)
    return me
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

/** The signed-in user, or null. Fetched once; it changes by sign-in, sign-out and a 401 of any other call. */
export const sessionQuery = () =>
  queryOptions({ queryKey: sessionKey, queryFn: ({ signal }) => fetchMe(signal), staleTime: Number.POSITIVE_INFINITY })

/** Another user's answers must not be left in memory: whoever comes or goes empties the cache. */
const show = (queryClient: QueryClient, user: Me | null): void => {
  queryClient.clear()
  forgetEarly()
  queryClient.setQueryData(sessionKey, user)
}

const becomes = (queryClient: QueryClient, user: Me | null): void => {
  show(queryClient, user)
  // Whose records are on this device is said anew by who is inside.
  preferences.write({ signedIn: user !== null, keptFor: null })
}

/** Asks the server to let somebody in; the cookie of the answer is the session. */
export type Entrance = () => Promise<Session>

/**
 * Blanks around a name may be part of it: it counts without them where nobody has it as it is, since keyboards of phones put one behind a word.
 * @param code where the user has a second factor. @throws ApiError 401 for a wrong name, password or code; 429 after too many tries
 */
export const byPassword = (username: string, password: string, code?: string): Entrance => {
  const as = (name: string): Promise<Session> =>
    call<typeof createSession>('POST', '/api/v1/session', {
      body: { username: name, password, code },
      endsSession: false,
      soon: true,
    })
  return () =>
    as(username).catch((error: unknown) => {
      const name = username.trim()
      const isUnknown = error instanceof ApiError && error.status === 401 && refusedFactor(error) === undefined
      if (!isUnknown || name === '' || name === username) throw error
      return as(name)
    })
}

/** @throws ApiError 401 for a link that was used or is too old */
export const byLink =
  (token: string): Entrance =>
  () =>
    call<typeof createSessionByLink>('POST', '/api/v1/session/link', { body: { token }, endsSession: false, soon: true })

/** @throws ApiError 403 or 404 where there is no demo */
export const byDemo: Entrance = () =>
  call<typeof createDemoSession>('POST', '/api/v1/session/demo', { endsSession: false, soon: true })

export const signIn = async (queryClient: QueryClient, entrance: Entrance): Promise<void> => {
  const { user } = await entrance()
  dropUnsavedOfOthers(user.id)
  becomes(queryClient, user)
  tellOtherTabs(user.id)
}

/** What ends the session of this browser on the server. */
export type Exit = () => Promise<void>

const bySession: Exit = () => call<typeof deleteSession>('DELETE', '/api/v1/session', { endsSession: false })

/** Ends the session on the server first; when that fails the user stays signed in and is told so. */
export const signOut = async (queryClient: QueryClient, exit: Exit = bySession): Promise<void> => {
  await exit()
  dropUnsavedOfOthers(null)
  becomes(queryClient, null)
  tellOtherTabs(null)
}

export const forgetSession = (queryClient: QueryClient): void => becomes(queryClient, null)

/** The session has ended in another tab, which has also written down what the browser remembers. */
export const leaveSession = (queryClient: QueryClient): void => show(queryClient, null)

/** Asks the server anew who is there, at the next occasion. */
export const doubtSession = (queryClient: QueryClient): void => queryClient.removeQueries({ queryKey: sessionKey })

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

export type Provider = OauthProvider

/** Asked once: a failure is no reason to keep anyone from the form. */
export const providersQuery = () =>
  queryOptions({
    queryKey: ['oauth2', 'providers'],
    queryFn: async ({ signal }): Promise<readonly Provider[]> =>
      (await call<typeof listOauthProviders>('GET', '/api/v1/oauth2/providers', { signal, endsSession: false })).items,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
