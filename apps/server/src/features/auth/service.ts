import type { MySession, PasswordChange, Session, SignIn, Token } from '@postil/contract/people/auth.ts'
import { hasUnstorable } from '@postil/contract/wire/code-points.ts'
import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import { forbidden, notFound, notFoundWithReason, Problem, unauthorized, unprocessable } from '@postil/contract/wire/errors.ts'
import type { AppContext } from '#context.ts'
import * as queue from '#features/queue/public.ts'
import * as users from '#features/users/public.ts'
import { networkOf } from '#platform/auth/attempts/network-of.ts'
import { hashToken, newToken } from '#platform/auth/credentials.ts'
import { checkOpen, withDue, withShownFactor } from '#platform/auth/second-factor-duty.ts'
import type { SignInMethod } from '#platform/auth/security-log.ts'
import * as sessions from '#platform/auth/sessions/sessions.ts'
import { createSignInLink, takeSignInLink } from '#platform/auth/sessions/sign-in-links.ts'
import { checkNotShared, inBrowser } from '#platform/auth/shared-account.ts'
import type { User } from '#platform/auth/user.ts'
import { findUserById, findUserToSignIn } from '#platform/auth/user-queries.ts'
import { now, printTime } from '#platform/time.ts'
import * as secondFactor from './second-factor/service.ts'

const LINK_SECONDS = 24 * 60 * 60

type Credentials = Pick<SignIn, 'username' | 'password' | 'code'>

/** The client that sent a request. */
type RequestOrigin = {
  readonly ip: string
  readonly id: string
  readonly headers: { readonly 'user-agent'?: string | undefined }
}
const logFields = ({ ip, id }: RequestOrigin) => ({ address: ip, request: id })

/** `oldHash`: the password hash to replace with one in the current format; null if its format is current. */
type Rehash = { readonly oldHash: string | null }

/**
 * Checks a username and password. Takes the same time whether or not the username exists.
 * @param from the client; failures are counted per address
 * @throws Problem `unauthorized`, `too_many` after too many failures
 */
const checkPassword = async (
  ctx: AppContext,
  { username, password, code }: Credentials,
  from: RequestOrigin,
  means: SignInMethod,
): Promise<User> => {
  const check = async (): Promise<User & Rehash> => {
    const found = hasUnstorable(username) ? null : await ctx.store.read(findUserToSignIn, { username })
    const { matches, rehash } = await ctx.passwords.verify(found?.password_hash ?? null, password)
    if (found === null || !matches) {
      ctx.security.note('sign-in failed', { ...logFields(from), means, ...(found !== null && { user: found.id }) })
      throw unauthorized()
    }
    const { password_hash, ...user } = found
    try {
      // Must run before failed attempts are reset. Otherwise, an attacker who knows the password could guess codes without
      // limit
      const hasShownTwo = await secondFactor.checkAtSignIn(ctx, user, code)
      return { ...user, hasShownTwo, oldHash: rehash ? password_hash : null }
    } catch (error) {
      if (error instanceof Problem && code !== undefined)
        ctx.security.note('sign-in failed', { ...logFields(from), means: 'second factor', user: user.id })
      throw error
    }
  }
  const { oldHash, ...user } = await ctx.attempts.make(username, from.ip, check).catch((error: unknown) => {
    if (error instanceof Problem && error.data.kind === 'too_many') ctx.security.note('locked out', { ...logFields(from), means })
    throw error
  })
  if (oldHash !== null) await users.renewPasswordHash(ctx, user.id, oldHash, password)
  ctx.security.note('signed in', { ...logFields(from), means, user: user.id })
  return user
}

/**
 * Changes the caller's password, given the current one. Ends all sessions and tokens. @throws Problem `unprocessable` for a
 * wrong current password, `too_many`, `validation`
 */
export const changePassword = async (
  ctx: AppContext,
  user: User,
  { current_password, password }: PasswordChange,
  from: RequestOrigin,
): Promise<void> => {
  await showPassword(ctx, user, current_password, from)
  await users.setPassword(ctx, user, password)
}

/** Verifies a signed-in user's password again. @throws Problem `unprocessable` for a wrong password, `too_many` */
export const showPassword = async (ctx: AppContext, user: User, current_password: string, from: RequestOrigin): Promise<void> => {
  await ctx.attempts.make(user.username, from.ip, async () => {
    const found = await ctx.store.read(findUserToSignIn, { username: user.username })
    const { matches } = await ctx.passwords.verify(found?.password_hash ?? null, current_password)
    if (matches) return
    ctx.security.note('sign-in failed', { ...logFields(from), means: 'password', user: user.id })
    throw unprocessable('The current password is wrong')
  })
}

export const createToken = async (ctx: AppContext, credentials: Credentials, from: RequestOrigin): Promise<Token> => ({
  access_token: await ctx.tokens.issue(await checkPassword(ctx, credentials, from, 'password for a token')),
  token_type: 'bearer',
})

/** A browser session, with the token for its cookie. */
export type NewSession = { readonly token: string; readonly session: Session }

const MAX_AGENT_LENGTH = 200

/** The browser's user agent, reduced to printable ASCII. */
const agentOf = ({ headers }: Pick<RequestOrigin, 'headers'>): string | null =>
  headers['user-agent']?.replace(/[^\x20-\x7e]/g, '').slice(0, MAX_AGENT_LENGTH) || null

/** Creates a session token for a user who has proven their identity, and the session row to store. */
export const newSession = (ctx: AppContext, { id, hasShownTwo }: User, from: Pick<RequestOrigin, 'headers'>) => {
  const token = newToken()
  const { maxSeconds } = ctx.sessions
  const two_factors = hasShownTwo === true
  return { token, row: { token_hash: hashToken(token), user_id: id, maxSeconds, agent: agentOf(from), two_factors } }
}

/** Opens a session for a user who has proven their identity. */
export const openSession = async (ctx: AppContext, user: User, from: Pick<RequestOrigin, 'headers'>): Promise<NewSession> => {
  const { token, row } = newSession(ctx, user, from)
  const { expires_at } = await ctx.store.write(sessions.createSession, row)
  const me = await users.getMe(ctx, await withDue(ctx, inBrowser(ctx.config, user)))
  return { token, session: { user: me, expires_at: printTime(expires_at) } }
}

/**
 * Checks a code of the second factor. If it is correct, replaces the session, which began without a second factor, with a new
 * one.
 * @throws Problem conflict, business, too_many, unauthorized
 */
export const showSecondFactor = async (
  ctx: AppContext,
  user: User,
  { before, code }: { readonly before: string | null; readonly code: string },
  from: RequestOrigin,
): Promise<NewSession> => {
  const factor = await secondFactor.activeFactor(ctx, user)
  await getSession(ctx, user, before)
  const about = { ...logFields(from), means: 'second factor', user: user.id } as const
  try {
    await secondFactor.show(ctx, user, factor, code, from.ip)
  } catch (error) {
    ctx.security.note('sign-in failed', about)
    throw error
  }
  const shown = withShownFactor(user)
  const { token, row } = newSession(ctx, shown, from)
  const { expires_at } = await ctx.store.write(sessions.replaceSession, { ended: hashToken(before ?? ''), session: row })
  ctx.security.note('signed in', about)
  return { token, session: { user: await users.getMe(ctx, shown), expires_at: printTime(expires_at) } }
}

export const signIn = async (ctx: AppContext, credentials: Credentials, from: RequestOrigin): Promise<NewSession> =>
  openSession(ctx, await checkPassword(ctx, credentials, from, 'password'), from)

/**
 * Signs a user in with a one-time link. @throws Problem `unauthorized` if the link was already used, has expired or never existed
 */
export const signInByLink = async (ctx: AppContext, token: string, from: RequestOrigin): Promise<NewSession> => {
  const usedLink = await ctx.store.write(takeSignInLink, { token_hash: hashToken(token) })
  const user = usedLink === null ? null : await ctx.store.read(findUserById, { id: usedLink.user_id })
  if (user === null) {
    ctx.security.note('sign-in failed', { ...logFields(from), means: 'link' })
    throw unauthorized('This sign-in link has expired or was already used')
  }
  ctx.security.note('signed in', { ...logFields(from), means: 'link', user: user.id })
  return openSession(ctx, { ...user, hasShownTwo: usedLink?.two_factors === true }, from)
}

/**
 * Signs any visitor in as the demo user, without a password. The operator chooses this user in the configuration. The user must
 * be an annotator. Each demo sign-in counts as an attempt from the client's address. These attempts are counted separately from
 * password attempts.
 * @throws Problem `not_found` if the server has no demo user, `forbidden` if the demo user isn't an annotator who may sign in,
 * `too_many`
 */
export const signInToDemo = async (ctx: AppContext, from: RequestOrigin): Promise<NewSession> => {
  const username = ctx.config.demoUser
  if (username === undefined) throw notFoundWithReason('This server has no demo account')
  await ctx.attempts.spend(`demo ${networkOf(from.ip)}`)
  const found = await ctx.store.read(findUserToSignIn, { username })
  if (found === null || found.role !== 'annotator') {
    ctx.security.note('sign-in failed', { ...logFields(from), means: 'demo', ...(found !== null && { user: found.id }) })
    throw forbidden()
  }
  const { password_hash: _, ...user } = found
  ctx.security.note('signed in', { ...logFields(from), means: 'demo', user: user.id })
  return openSession(ctx, user, from)
}

/** Creates the token for a one-time sign-in link, which is valid for a day by default. */
export const createLinkFor = async (
  ctx: AppContext,
  { id, hasShownTwo }: Pick<User, 'id' | 'hasShownTwo'>,
  seconds = LINK_SECONDS,
): Promise<string> => {
  const token = newToken()
  const link = { token_hash: hashToken(token), user_id: id, seconds, two_factors: hasShownTwo === true }
  await ctx.store.write(createSignInLink, link)
  return token
}

/** @throws Problem `unauthorized` when the caller used an API key or a bearer token */
export const getSession = async (ctx: AppContext, user: User, token: string | null): Promise<Session> => {
  const found = token === null ? null : await sessions.readSession(ctx.store, ctx.sessions, token)
  if (found === null || found.user.id !== user.id) throw unauthorized('There is no browser session')
  return { user: await users.getMe(ctx, user), expires_at: printTime(found.expires_at) }
}

/**
 * Returns the user of a session cookie, for a public route. @throws Problem `unauthorized` if there is no session;
 * `second_factor_due` if the second factor is missing
 */
export const userOfSession = async (ctx: AppContext, token: string | null, route: Pick<AnyEndpoint, 'id'>): Promise<User> => {
  const found = token === null ? null : await sessions.readSession(ctx.store, ctx.sessions, token)
  if (found === null) throw unauthorized('There is no browser session')
  const user = inBrowser(ctx.config, found.user)
  checkOpen(await withDue(ctx, user), route)
  checkNotShared(user, route)
  return user
}

/** Releases a user's leases when their last session ends. @param endingSession the token hash of the session that is ending */
const releaseAfterLastSession = async (ctx: AppContext, user_id: string, endingSession: string): Promise<void> => {
  const { idleSeconds } = ctx.sessions
  const live = await ctx.store.read(sessions.listSessions, { user_id, idleSeconds })
  if (live.every(({ token_hash }) => token_hash === endingSession)) await queue.releaseEverywhere(ctx, user_id)
}

/** Ends a browser's session. Releases the user's leases first. If this fails, the user is still signed in and can retry. */
export const signOut = async (ctx: AppContext, token: string | null): Promise<void> => {
  const found = token === null ? null : await sessions.readSession(ctx.store, ctx.sessions, token)
  if (token === null || found === null) return
  const token_hash = hashToken(token)
  await releaseAfterLastSession(ctx, found.user.id, token_hash)
  await ctx.store.write(sessions.endSession, { token_hash })
}

export const signOutEverywhere = async (ctx: AppContext, { id }: Pick<User, 'id'>): Promise<void> => {
  await queue.releaseEverywhere(ctx, id)
  await ctx.store.write(sessions.endAllSessions, { user_id: id, at: now() })
}

/** Signs a user out everywhere, at an owner's request. @throws Problem not_found, forbidden */
export const endSessionsOf = async (ctx: AppContext, user: User, id: string, from: RequestOrigin): Promise<undefined> => {
  await users.checkMayUpdate(ctx, user, id)
  await signOutEverywhere(ctx, { id })
  ctx.security.note('signed out everywhere', { ...logFields(from), user: id })
}

/**
 * The user's live sessions, most recently used first. For a shared account, only the caller's session. @param token the calling
 * browser's token
 */
export const listSessions = async (ctx: AppContext, user: User, token: string | null): Promise<{ items: MySession[] }> => {
  const { idleSeconds } = ctx.sessions
  const own = token === null ? null : hashToken(token)
  const found = await ctx.store.read(sessions.listSessions, { user_id: user.id, idleSeconds })
  const shown = user.isShared === true ? found.filter(({ token_hash }) => token_hash === own) : found
  const items = shown.map(({ id, token_hash, inserted_at, seen_at, expires_at, agent }) => ({
    id,
    inserted_at: printTime(inserted_at),
    seen_at: printTime(seen_at),
    expires_at: printTime(expires_at),
    agent,
    current: token_hash === own,
  }))
  return { items }
}

/** Ends one of the user's own sessions. @throws Problem not_found, including for another user's session */
export const endSessionOf = async (ctx: AppContext, user: User, id: string): Promise<void> => {
  const { idleSeconds } = ctx.sessions
  const session = (await ctx.store.read(sessions.listSessions, { user_id: user.id, idleSeconds })).find((one) => one.id === id)
  if (session === undefined) throw notFound('session', id)
  await releaseAfterLastSession(ctx, user.id, session.token_hash)
  await ctx.store.write(sessions.endSession, { token_hash: session.token_hash })
}
