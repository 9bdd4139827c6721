import type { SecondFactorDue } from '@postil/contract/people/second-factor.ts'
import type { Me, User } from '@postil/contract/people/users.ts'
import type { QueryClient } from '@tanstack/react-query'
import { getRouteApi, redirect } from '@tanstack/react-router'
import { ApiError } from '#lib/api/api-error.ts'
import { basePath } from '#lib/api/base.ts'
import type { SessionEnd } from '#lib/api/client.ts'
import { leave } from '#lib/leaving.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { dropUnsavedOfOthers, keepUnsaved } from '#lib/unsaved.ts'
import { safeReturnPath } from '#lib/url/redirect.ts'
import type { Exit, Provider } from './api.ts'
import {
  doubtSession,
  signOut as endOnServer,
  forgetSession,
  keepUser as keep,
  leaveSession,
  providersQuery,
  sessionQuery,
  settingsQuery,
} from './api.ts'
import { keepLeftOff, readLeftOff } from './left-off.ts'
import { whenOtherTabsTell } from './other-tabs.ts'
import { takeBackRefusal, tellRefusal } from './refusal.ts'

// What other screens ask the server, too.
export { providersQuery, settingsQuery } from './api.ts'

/** Where to go on after the next sign-in, by whatever way. */
export const rememberPath = (path: string): void => {
  keepLeftOff(null)
  preferences.write({ redirectTo: safeReturnPath(basePath() + path, location.origin, basePath()) })
}

/**
 * The same for who was there until the server ended their session: they are told, and led back, also where another one comes in before.
 * @param isAsked whether the address was opened without a session, by whoever comes in; what was on the screen at its end is for nobody else
 */
const rememberEnd = (userId: string, path: string, isAsked: boolean): void => {
  const before = readLeftOff()?.path ?? '/'
  if (isAsked && path !== '/') rememberPath(path)
  keepLeftOff({ userId, path: path === '/' ? before : path, why: 'over' })
}

/** The path that is remembered for who has come in, once, else home. */
export const takeReturnPath = (queryClient: QueryClient): string => {
  const leftOff = readLeftOff()
  const isTheirs = leftOff !== null && leftOff.userId === queryClient.getQueryData(sessionQuery().queryKey)?.id
  const path = isTheirs ? leftOff.path : preferences.read().redirectTo
  keepLeftOff(null)
  preferences.write({ redirectTo: null })
  return safeReturnPath(path === null ? null : basePath() + path, location.origin, basePath()) ?? '/'
}

const isHosted = async (queryClient: QueryClient): Promise<boolean> => {
  try {
    const settings = await queryClient.ensureQueryData(settingsQuery())
    return settings.huggingface !== undefined
  } catch {
    return false
  }
}

/** Asks who is there before any page needs to know. @returns whether anyone is who may see more; never rejects */
export const prefetchSession = async (queryClient: QueryClient): Promise<boolean> => {
  await queryClient.prefetchQuery(sessionQuery())
  const user = queryClient.getQueryData(sessionQuery().queryKey)
  return user != null && !user.second_factor_due
}

/** Other ways to sign in; never rejects. */
export const fetchProviders = async (queryClient: QueryClient): Promise<readonly Provider[]> => {
  try {
    return await queryClient.ensureQueryData(providersQuery())
  } catch {
    return []
  }
}

/** Guard of every page behind sign-in: gives the user, or remembers where the visitor wanted to go. */
export const requireSession = async (queryClient: QueryClient, path: string): Promise<Me> => {
  const user = await queryClient.ensureQueryData(sessionQuery())
  if (user) takeBackRefusal()
  if (user && !user.second_factor_due) return user
  const { signedIn, keptFor } = preferences.read()
  const leftOff = readLeftOff()
  // A session that has run out since the last visit; whoever has signed out knows it.
  if (!user && signedIn) tellRefusal(new ApiError(401, undefined))
  // What was taken along is shown to nobody without a session.
  preferences.write({ signedIn: false, keptFor: null })
  const ended = keptFor ?? (leftOff?.why === 'over' ? leftOff.userId : null)
  if (!user && ended !== null) rememberEnd(ended, path, leftOff?.why !== 'over' || leftOff.path !== path)
  else if (path !== '/') rememberPath(path)
  throw redirect({ to: user ? '/second-factor' : '/sign-in' })
}

/** Guard of the second factor that has to be shown before anything else. @returns how */
export const requireDue = async (queryClient: QueryClient): Promise<SecondFactorDue> => {
  const due = (await queryClient.ensureQueryData(sessionQuery()))?.second_factor_due
  if (!due) throw redirect({ to: takeReturnPath(queryClient) })
  return due
}

/** Guard of sign-in. `omitCTA` asks for the form itself where a hosted space offers its own way first. */
export const requireSignedOut = async (
  queryClient: QueryClient,
  { omitCTA, hasLink }: { readonly omitCTA?: string; readonly hasLink: boolean },
): Promise<void> => {
  if (hasLink) return
  if (await queryClient.ensureQueryData(sessionQuery())) throw redirect({ to: takeReturnPath(queryClient) })
  // The form says from the same settings whether there is a demo.
  const hosted = await isHosted(queryClient)
  if (omitCTA === undefined && hosted) throw redirect({ to: '/welcome-hf-sign-in' })
}

/** Guard of the way in that a hosted space has of its own; where it was given none, the form is the way. */
export const requireHosting = async (queryClient: QueryClient): Promise<void> => {
  if (await queryClient.ensureQueryData(sessionQuery())) throw redirect({ to: '/' })
  if (!(await isHosted(queryClient))) throw redirect({ to: '/' })
  const providers = await fetchProviders(queryClient)
  if (!providers.some(({ name }) => name === 'huggingface')) throw redirect({ to: '/sign-in', search: { omitCTA: 'true' } })
}

/** A return from a provider without an answer leads home. */
export const requireProviderAnswer = (search: { readonly [key: string]: unknown }): void => {
  if (Object.keys(search).length === 0) throw redirect({ to: '/' })
}

let isLeaving = false

/**
 * The server no longer knows the session: forget it, tell why, and remember the page, with what is not saved in it, for after the next
 * sign-in. Of the calls that are under way then, each is refused: the first one says all, and the others come when the page is sign-in.
 * @returns whether it has ended by this, and not already, or by the user's own wish
 */
export const endSession = (queryClient: QueryClient, path: string, { refusal, hasUnsent }: SessionEnd): boolean => {
  const user = queryClient.getQueryData(sessionQuery().queryKey)
  if (isLeaving || user === null) return false
  if (user) keepUnsaved(user.id)
  const isOver = refusal.status === 401
  if (user && isOver) rememberEnd(user.id, path, false)
  else rememberPath(path)
  // A second factor that is due has a page of its own, which says so; sign-in says it beside what is not sent.
  if (isOver && !(user && hasUnsent)) tellRefusal(refusal)
  forgetSession(queryClient)
  return true
}

/** Signs out on the server; rejects when that did not work, and then nothing has changed. @param exit this browser alone where it is left out */
export const signOut = async (queryClient: QueryClient, exit?: Exit): Promise<void> => {
  const user = queryClient.getQueryData(sessionQuery().queryKey)
  isLeaving = true
  try {
    await leave()
    await endOnServer(queryClient, exit)
    // Records that were taken along are not left to whoever comes next.
    if (user) await import('#lib/taken/store.ts').then(({ dropAll }) => dropAll(user.id)).catch(() => undefined)
  } finally {
    isLeaving = false
  }
}

type Tab = {
  /** The page that is shown, as long as it is one behind sign-in. */
  readonly place: () => string | null
  readonly toSignIn: () => unknown
  /** Where the page leads whoever is signed in. */
  readonly goOn: () => unknown
}

/**
 * Who goes in another tab is gone from this one at once, and is led back when they come in again. Answers that were not sent stay on the
 * device, as at any end of a session.
 */
export const followOtherTabs = (queryClient: QueryClient, { place, toSignIn, goOn }: Tab): void =>
  whenOtherTabsTell(async (userId) => {
    dropUnsavedOfOthers(userId)
    const user = await queryClient.ensureQueryData(sessionQuery()).catch(() => undefined)
    if (user === undefined || user?.id === userId) return
    if (user === null) {
      if (userId === null || readLeftOff()?.userId !== userId) return
      doubtSession(queryClient)
      goOn()
      return
    }
    keepLeftOff({ userId: user.id, path: place() ?? '/', why: userId === null ? 'gone' : 'replaced' })
    leaveSession(queryClient)
    toSignIn()
    await import('#lib/outbox/browser-outbox.ts').then(({ outbox }) => outbox.stop()).catch(() => undefined)
  })

/** The signed-in user has changed on the server. */
export const keepUser = (queryClient: QueryClient, user: User): void => keep(queryClient, user)

const inside = getRouteApi('/inside')

/**
 * The signed-in user, on pages behind sign-in. It comes from the route and not from the cache: a page that is still shown
 * while its session ends keeps its user.
 */
export const useUser = (): Me => inside.useRouteContext().user
