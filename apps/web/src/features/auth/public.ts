import type { SecondFactorDue } from '@postil/contract/people/second-factor.ts'
import type { Me, User } from '@postil/contract/people/users.ts'
import type { QueryClient } from '@tanstack/react-query'
import { getRouteApi, redirect } from '@tanstack/react-router'
import { ApiError } from '#lib/api/api-error.ts'
import { basePath } from '#lib/api/base.ts'
import type { SessionEnd } from '#lib/api/client.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { runSignOutTasks } from '#lib/sign-out-tasks.ts'
import { dropTabDataOfOthers } from '#lib/tab-data.ts'
import { saveUnsavedForms } from '#lib/unsaved-forms.ts'
import { safeReturnPath } from '#lib/url/redirect.ts'
import type { Provider, SignOutMethod } from './api.ts'
import {
  signOut as endOnServer,
  forgetSession,
  invalidateSession,
  updateUser as keep,
  leaveSession,
  providersQuery,
  sessionQuery,
  settingsQuery,
} from './api.ts'
import { isHubHost } from './hub-host.ts'
import { interruptedSession } from './interrupted-session.ts'
import { onOtherTabMessage } from './other-tabs.ts'
import { hideSessionRefusal, showSessionRefusal } from './session-refusal.ts'

// Requests that other screens also use.
export { providersQuery, settingsQuery } from './api.ts'

/** Remembers where to continue after the next sign-in, whichever method is used. */
export const rememberPath = (path: string): void => {
  interruptedSession.write(null)
  preferences.write({ redirectTo: safeReturnPath(basePath() + path, location.origin, basePath()) })
}

/**
 * Remembers a user whose session the server has ended, and the page to return to. The sign-in page then shows a message. After
 * signing in, the user returns to the remembered page.
 * @param wasRequested whether the page was requested after the session had ended. If so, any user who signs in next is taken to
 * it. If not, the page was on the screen when the session ended, and only this user returns to it
 */
const rememberSessionEnd = (userId: string, path: string, wasRequested: boolean): void => {
  const before = interruptedSession.read()?.path ?? '/'
  if (wasRequested && path !== '/') rememberPath(path)
  interruptedSession.write({ userId, path: path === '/' ? before : path, why: 'over' })
}

/** Returns and forgets the remembered path for the user who has signed in, or the path of the home page if there is none. */
export const consumeReturnPath = (queryClient: QueryClient): string => {
  const interrupted = interruptedSession.read()
  const isSameUser = interrupted !== null && interrupted.userId === queryClient.getQueryData(sessionQuery().queryKey)?.id
  const path = isSameUser ? interrupted.path : preferences.read().redirectTo
  interruptedSession.write(null)
  preferences.write({ redirectTo: null })
  return safeReturnPath(path === null ? null : basePath() + path, location.origin, basePath()) ?? '/'
}

/**
 * Whether the server runs in a Hugging Face Space. Either the host name shows this, or the server reports it according to its
 * environment variables.
 */
const isHosted = async (queryClient: QueryClient): Promise<boolean> => {
  if (isHubHost(location.hostname)) return true
  try {
    const settings = await queryClient.ensureQueryData(settingsQuery())
    return settings.huggingface !== undefined
  } catch {
    return false
  }
}

/**
 * Requests the session before a page needs it. @returns whether a user is signed in and has completed two-factor
 * authentication; never rejects
 */
export const prefetchSession = async (queryClient: QueryClient): Promise<boolean> => {
  await queryClient.prefetchQuery(sessionQuery())
  const user = queryClient.getQueryData(sessionQuery().queryKey)
  return user != null && !user.second_factor_due
}

/** Returns the identity providers. Never rejects. */
export const fetchProviders = async (queryClient: QueryClient): Promise<readonly Provider[]> => {
  try {
    return await queryClient.ensureQueryData(providersQuery())
  } catch {
    return []
  }
}

/** Returns the signed-in user. Returns null if nobody is signed in or the server can't be reached. Never rejects. */
export const findUser = async (queryClient: QueryClient): Promise<Me | null> => {
  try {
    return await queryClient.ensureQueryData(sessionQuery())
  } catch {
    return null
  }
}

/**
 * Protects every page that requires a signed-in user. Returns the user. If nobody is signed in, or if the second factor is
 * missing, remembers the requested page and redirects.
 */
export const requireSession = async (queryClient: QueryClient, path: string): Promise<Me> => {
  const user = await queryClient.ensureQueryData(sessionQuery())
  if (user) hideSessionRefusal()
  if (user && !user.second_factor_due) return user
  const { signedIn, keptFor } = preferences.read()
  const interrupted = interruptedSession.read()
  // If `signedIn` is still true, the user hasn't signed out, so the session must have expired. A sign-out needs no message.
  if (!user && signedIn) showSessionRefusal(new ApiError(401, undefined))
  // Only a signed-in user may see the records saved for offline use.
  preferences.write({ signedIn: false, keptFor: null })
  const endedUserId = keptFor ?? (interrupted?.why === 'over' ? interrupted.userId : null)
  if (!user && endedUserId !== null)
    rememberSessionEnd(endedUserId, path, interrupted?.why !== 'over' || interrupted.path !== path)
  else if (path !== '/') rememberPath(path)
  throw redirect({ to: user ? '/second-factor' : '/sign-in' })
}

/** Guard of the page for two-factor authentication. @returns which step is due */
export const requireSecondFactorDue = async (queryClient: QueryClient): Promise<SecondFactorDue> => {
  const due = (await queryClient.ensureQueryData(sessionQuery()))?.second_factor_due
  if (!due) throw redirect({ to: consumeReturnPath(queryClient) })
  return due
}

/**
 * Guard of the sign-in form. Redirects signed-in users. On a hosted Space, redirects to the Space's own sign-in page unless
 * `omitCTA` is set.
 */
export const requireSignedOut = async (
  queryClient: QueryClient,
  { omitCTA, hasLink }: { readonly omitCTA?: string; readonly hasLink: boolean },
): Promise<void> => {
  if (hasLink) return
  if (await queryClient.ensureQueryData(sessionQuery())) throw redirect({ to: consumeReturnPath(queryClient) })
  // Called even if `omitCTA` is set, because it loads the settings. The sign-in form reads from them whether the server runs a
  // demo.
  const hosted = await isHosted(queryClient)
  if (omitCTA === undefined && hosted) throw redirect({ to: '/welcome-hf-sign-in' })
}

/**
 * Guard of the sign-in page of a hosted Space. If the Space's own identity provider is not configured, redirects to the page with
 * the sign-in form.
 */
export const requireHosting = async (queryClient: QueryClient): Promise<void> => {
  if (await queryClient.ensureQueryData(sessionQuery())) throw redirect({ to: '/' })
  if (!(await isHosted(queryClient))) throw redirect({ to: '/' })
  const providers = await fetchProviders(queryClient)
  if (!providers.some(({ name }) => name === 'huggingface')) throw redirect({ to: '/sign-in', search: { omitCTA: 'true' } })
}

/** If a provider redirects back without parameters, the user is sent to the home page. */
export const requireProviderAnswer = (search: { readonly [key: string]: unknown }): void => {
  if (Object.keys(search).length === 0) throw redirect({ to: '/' })
}

let isLeaving = false

/**
 * Ends a session that the server no longer knows, and reports this to the user. Stores the page and its unsaved changes, so that
 * they can be restored after the next sign-in. All requests in flight are then rejected. Only the first rejection is reported,
 * because the others arrive when the sign-in page is already shown.
 * @returns whether this call ended the session, rather than an earlier call or the user
 */
export const endSession = (queryClient: QueryClient, path: string, { refusal, hasUnsent }: SessionEnd): boolean => {
  const user = queryClient.getQueryData(sessionQuery().queryKey)
  if (isLeaving || user === null) return false
  if (user) saveUnsavedForms(user.id)
  const isSessionOver = refusal.status === 401
  if (user && isSessionOver) rememberSessionEnd(user.id, path, false)
  else rememberPath(path)
  // No message is shown if two-factor authentication is due, because it has its own page. None is shown if there are unsent
  // answers, because the sign-in page reports them together with the end of the session.
  if (isSessionOver && !(user && hasUnsent)) showSessionRefusal(refusal)
  forgetSession(queryClient)
  return true
}

/**
 * Signs out on the server. If that fails, the promise is rejected and nothing changes.
 * @param method how to sign out; the default signs out this browser only
 */
export const signOut = async (queryClient: QueryClient, method?: SignOutMethod): Promise<void> => {
  const user = queryClient.getQueryData(sessionQuery().queryKey)
  isLeaving = true
  try {
    await runSignOutTasks()
    await endOnServer(queryClient, method)
    // Records saved for offline use must not be available to the next user.
    if (user) await import('#lib/offline/store.ts').then(({ dropAll }) => dropAll(user.id)).catch(() => undefined)
  } finally {
    isLeaving = false
  }
}

type Tab = {
  /** The path of the current page if it requires sign-in, or null. */
  readonly currentPath: () => string | null
  readonly toSignIn: () => unknown
  /** Continues to the page for a signed-in user. */
  readonly continueToPage: () => unknown
}

/**
 * Signs this tab out as soon as, in another tab, the user signs out or a different user signs in. If the first user signs in
 * again there, this tab returns to its page. Unsent answers stay on the device, as they do whenever a session ends.
 */
export const followOtherTabs = (queryClient: QueryClient, { currentPath, toSignIn, continueToPage }: Tab): void =>
  onOtherTabMessage(async (userId) => {
    dropTabDataOfOthers(userId)
    const user = await queryClient.ensureQueryData(sessionQuery()).catch(() => undefined)
    if (user === undefined || user?.id === userId) return
    if (user === null) {
      if (userId === null || interruptedSession.read()?.userId !== userId) return
      invalidateSession(queryClient)
      continueToPage()
      return
    }
    interruptedSession.write({ userId: user.id, path: currentPath() ?? '/', why: userId === null ? 'gone' : 'replaced' })
    leaveSession(queryClient)
    toSignIn()
    await import('#lib/outbox/browser-outbox.ts').then(({ outbox }) => outbox.stop()).catch(() => undefined)
  })

/** Updates the signed-in user after a change on the server. */
export const updateUser = (queryClient: QueryClient, user: User): void => keep(queryClient, user)

/** Returns the signed-in user, or null. For requests that are sent before a page is shown. */
export const signedInUser = (queryClient: QueryClient): Me | null => queryClient.getQueryData(sessionQuery().queryKey) ?? null

const signedInRoute = getRouteApi('/inside')

/**
 * The signed-in user on pages behind sign-in. The user is read from the route instead of the cache. A page that is still shown
 * when its session ends therefore keeps its user.
 */
export const useUser = (): Me => signedInRoute.useRouteContext().user
