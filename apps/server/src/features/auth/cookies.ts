import type { FastifyRequest } from 'fastify'
import type { AppContext } from '#context.ts'
import { clearedCookie, cookieSettings, readSessionCookie, sessionCookie } from '#platform/auth/sessions/session-cookie.ts'

/** The browser's session token, or null. */
export const sessionOf = (ctx: AppContext, request: FastifyRequest): string | null =>
  readSessionCookie(request, cookieSettings(ctx.config))

/** Response headers that set the browser's session. */
export const withSession = (ctx: AppContext, request: FastifyRequest, token: string) => ({
  'set-cookie': sessionCookie(request, cookieSettings(ctx.config), token, ctx.sessions.maxSeconds),
  'cache-control': 'no-store',
})

/** Response headers that clear the browser's session and its cached pages. */
export const withoutSession = (ctx: AppContext, request: FastifyRequest) => ({
  'set-cookie': clearedCookie(request, cookieSettings(ctx.config)),
  // Doesn't clear the browser's storage, because it may hold unsent answers. The web app asks before it deletes them
  'clear-site-data': '"cache"',
})
