import type { FastifyRequest } from 'fastify'
import type { AppContext } from '#context.ts'
import { type CookieSettings, clearedCookie, sessionCookie } from '#platform/auth/session-cookie.ts'

const settings = ({ config }: AppContext): CookieSettings => ({
  baseUrl: config.baseUrl,
  https: config.publicUrl?.startsWith('https:') === true,
  framed: config.space !== undefined,
})

/** Headers that give a browser its session. */
export const withSession = (ctx: AppContext, request: FastifyRequest, token: string) => ({
  'set-cookie': sessionCookie(request, settings(ctx), token, ctx.sessions.maxSeconds),
  'cache-control': 'no-store',
})

/** Headers that make a browser forget its session, and what it keeps of its pages. */
export const withoutSession = (ctx: AppContext, request: FastifyRequest) => ({
  'set-cookie': clearedCookie(request, settings(ctx)),
})
