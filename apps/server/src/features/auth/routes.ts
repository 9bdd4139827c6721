import {
  createSession,
  createSessionByLink,
  createToken,
  deleteAllSessions,
  deleteSession,
  getSession,
} from '@postil/contract/auth.ts'
import { getSettings, getVersion } from '@postil/contract/info.ts'
import { checkSameOrigin } from '#platform/auth/csrf.ts'
import { readSessionCookie } from '#platform/auth/session-cookie.ts'
import { reply } from '#platform/http/answers.ts'
import { publicRoute, route } from '#platform/http/route.ts'
import { withoutSession, withSession } from './cookies.ts'
import * as info from './info.ts'
import * as auth from './service.ts'

export const authRoutes = [
  publicRoute(createToken, ({ ctx, body, request }) => auth.createToken(ctx, body, request.ip)),
  publicRoute(createSession, async ({ ctx, body, request }) => {
    checkSameOrigin(request, ctx.config.publicUrl, false)
    const { token, session } = await auth.signIn(ctx, body, request.ip)
    await auth.signOut(ctx, readSessionCookie(request))
    return reply(201, session, withSession(ctx, request, token))
  }),
  publicRoute(createSessionByLink, async ({ ctx, body, request }) => {
    checkSameOrigin(request, ctx.config.publicUrl, false)
    const { token, session } = await auth.signInByLink(ctx, body.token)
    await auth.signOut(ctx, readSessionCookie(request))
    return reply(201, session, withSession(ctx, request, token))
  }),
  route(getSession, ({ ctx, user, request }) => auth.getSession(ctx, user, readSessionCookie(request))),
  route(deleteSession, async ({ ctx, request }) => {
    await auth.signOut(ctx, readSessionCookie(request))
    return reply(204, undefined, withoutSession(ctx, request))
  }),
  route(deleteAllSessions, async ({ ctx, user, request }) => {
    await auth.signOutEverywhere(ctx, user)
    return reply(204, undefined, withoutSession(ctx, request))
  }),
  publicRoute(getSettings, ({ ctx }) => info.readSettings(ctx)),
  publicRoute(getVersion, () => info.readVersion()),
]
