import type { FastifyRequest } from 'fastify'
import type { AppContext } from '#context.ts'
import { clearedCookie, cookieSettings, readSessionCookie, sessionCookie } from '#platform/auth/sessions/session-cookie.ts'

/** The token of the session that the browser has, or null. */
export const sessionOf = (ctx: AppContext, request: FastifyRequest): string | null =>
  readSessionCookie(request, cookieSettings(ctx.config))

/** Headers that give a browser its session. */
export const withSession = (ctx: AppContext, request: FastifyRequest, token: string) => ({
  'set-cookie': sessionCookie(request, cookieSettings(ctx.config), token, ctx.sessions.maxSeconds),
  'cache-control': 'no-store',
})

/** Headers that make a browser forget its session, and what it keeps of its pages. */
export const withoutSession = (ctx: AppContext, request: FastifyRequest) => ({
  'set-cookie': clearedCookie(request, cookieSettings(ctx.config)),
  // NOTE: what the page keeps of answers that are not sent yet stays: it is the page that asks before it forgets them
  'clear-site-data': '"cache"',
})
