import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import { Problem, unauthorized } from '@postil/contract/wire/errors.ts'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '#context.ts'
import { createActivity } from './activity.ts'
import { isOwner } from './actor.ts'
import { networkOf } from './attempts/network-of.ts'
import { createRequestRate } from './attempts/request-rate.ts'
import { hashToken } from './credentials.ts'
import { checkOpen, withDueSince } from './second-factor-duty.ts'
import { checkSameOrigin } from './sessions/csrf.ts'
import { cookieSettings, readSessionCookie } from './sessions/session-cookie.ts'
import { noteSession, readSession } from './sessions/sessions.ts'
import { inBrowser } from './shared-account.ts'
import type { User } from './user.ts'
import { findUserByKey, findUserByToken } from './user-queries.ts'

const API_KEY = 'x-argilla-api-key'
const BEARER = /^bearer\s+(.*)$/i

const byKey = (ctx: AppContext, key: string): Promise<User | null> =>
  ctx.store.read(findUserByKey, { api_key_hash: hashToken(key) })

const byBearer = async (ctx: AppContext, token: string): Promise<User | null> => {
  const { id, issued_at, hasShownTwo } = await ctx.tokens.read(token.trim())
  const user = await ctx.store.read(findUserByToken, { id, issued_at })
  return user === null ? null : withDueSince(ctx, { ...user, hasShownTwo }, issued_at)
}

const bySession = async (ctx: AppContext, request: FastifyRequest, token: string): Promise<User | null> => {
  const session = await readSession(ctx.store, ctx.sessions, token)
  if (session === null) return null
  // Only requests with a cookie can be forged: browsers send cookies automatically, but not keys or tokens.
  checkSameOrigin(request, ctx.config.publicUrl, true)
  if (!session.noted) await ctx.store.write(noteSession, { token_hash: hashToken(token) })
  return withDueSince(ctx, inBrowser(ctx.config, session.user), session.inserted_at)
}

/**
 * Identifies the caller. Each request counts against the user's or the address's rate limit. @throws Problem unauthorized,
 * too_many
 */
export type Authenticate = {
  readonly user: (request: FastifyRequest) => Promise<User>
  /** Accepts only API keys, in their own header or as bearer tokens. Other credentials are ignored. */
  readonly byKey: (request: FastifyRequest) => Promise<User>
  /** Counts a request that needs no user. */
  readonly stranger: (request: FastifyRequest) => Promise<void>
}

/**
 * A request's user, or null. A valid API key identifies the user. If there is no valid API key, a bearer token identifies the
 * user. The browser session is used only if the request has neither header. @throws Problem unauthorized for an invalid token
 */
const findCaller = async (ctx: AppContext, request: FastifyRequest): Promise<User | null> => {
  const key = request.headers[API_KEY]
  const bearer = BEARER.exec(request.headers.authorization ?? '')?.[1]
  const cookie = readSessionCookie(request, cookieSettings(ctx.config))
  return (
    (typeof key === 'string' ? await byKey(ctx, key) : null) ??
    (bearer === undefined ? null : await byBearer(ctx, bearer)) ??
    (key === undefined && bearer === undefined && cookie !== null ? await bySession(ctx, request, cookie) : null)
  )
}

/** The user whose API key is sent in the API key header or as a bearer token; null if there is no such user. */
const findByKey = async (ctx: AppContext, request: FastifyRequest): Promise<User | null> => {
  const key = request.headers[API_KEY] ?? BEARER.exec(request.headers.authorization ?? '')?.[1]?.trim()
  return typeof key === 'string' ? byKey(ctx, key) : null
}

/**
 * Whether an owner sent this request. Used by public routes that return more data to owners. Returns false if the owner hasn't
 * completed or set up two-factor authentication. Invalid credentials cause no error, because the route requires none.
 */
export const isFromOwner = async (ctx: AppContext, request: FastifyRequest, endpoint: AnyEndpoint): Promise<boolean> => {
  try {
    const user = await findCaller(ctx, request)
    if (user === null || !isOwner(user)) return false
    checkOpen(user, endpoint)
    return true
  } catch (error) {
    if (error instanceof Problem && ['unauthorized', 'second_factor_due', 'forbidden'].includes(error.data.kind)) return false
    throw error
  }
}

export const createAuthenticate = (ctx: AppContext): Authenticate => {
  const activity = createActivity(ctx.store)
  const rate = createRequestRate(ctx.config.requestsPerMinute)
  const countAddress = ({ ip }: FastifyRequest) => rate.count(`address ${networkOf(ip)}`)
  const admit = async (request: FastifyRequest, find: Promise<User | null>): Promise<User> => {
    const found = await find
    await (found === null ? countAddress(request) : rate.count(`user ${found.id}`))
    if (found === null) throw unauthorized()
    // Without the second factor, this may be someone else who knows the password.
    if (found.due === undefined) activity.note(found.id)
    return found
  }
  return {
    user: (request) => admit(request, findCaller(ctx, request)),
    byKey: (request) => admit(request, findByKey(ctx, request)),
    stranger: countAddress,
  }
}
