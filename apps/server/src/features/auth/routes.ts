import { getSettings, getVersion } from '@postil/contract/info.ts'
import {
  changeMyPassword,
  createDemoSession,
  createSession,
  createSessionByLink,
  createToken,
  deleteAllSessions,
  deleteMySession,
  deleteSession,
  deleteSessionsOf,
  getSession,
  listMySessions,
  showSecondFactor,
} from '@postil/contract/people/auth.ts'
import { checkNotCrossSite, checkSameOrigin } from '#platform/auth/sessions/csrf.ts'
import { reply } from '#platform/http/answers/answers.ts'
import { publicRoute, route } from '#platform/http/route.ts'
import { sessionOf, withoutSession, withSession } from './cookies.ts'
import * as info from './info.ts'
import * as auth from './service.ts'

export const authRoutes = [
  publicRoute(createToken, ({ ctx, body, request }) => {
    checkNotCrossSite(request, ctx.config)
    return auth.createToken(ctx, body, request)
  }),
  publicRoute(createSession, async ({ ctx, body, request }) => {
    checkSameOrigin(request, ctx.config.publicUrl, false)
    const { token, session } = await auth.signIn(ctx, body, request)
    await auth.signOut(ctx, sessionOf(ctx, request))
    return reply(201, session, withSession(ctx, request, token))
  }),
  publicRoute(createSessionByLink, async ({ ctx, body, request }) => {
    checkSameOrigin(request, ctx.config.publicUrl, false)
    const { token, session } = await auth.signInByLink(ctx, body.token, request)
    await auth.signOut(ctx, sessionOf(ctx, request))
    return reply(201, session, withSession(ctx, request, token))
  }),
  publicRoute(createDemoSession, async ({ ctx, request }) => {
    checkSameOrigin(request, ctx.config.publicUrl, false)
    const { token, session } = await auth.signInToDemo(ctx, request)
    await auth.signOut(ctx, sessionOf(ctx, request))
    return reply(201, session, withSession(ctx, request, token))
  }),
  route(getSession, ({ ctx, user, request }) => auth.getSession(ctx, user, sessionOf(ctx, request))),
  route(showSecondFactor, async ({ ctx, user, body: { code }, request }) => {
    const shown = { before: sessionOf(ctx, request), code }
    const { token, session } = await auth.showSecondFactor(ctx, user, shown, request)
    return reply(200, session, withSession(ctx, request, token))
  }),
  route(deleteSession, async ({ ctx, user, request }) => {
    await auth.signOut(ctx, sessionOf(ctx, request))
    ctx.security.note('signed out', { address: request.ip, request: request.id, user: user.id })
    return reply(204, undefined, withoutSession(ctx, request))
  }),
  route(deleteAllSessions, async ({ ctx, user, request }) => {
    await auth.signOutEverywhere(ctx, user)
    ctx.security.note('signed out everywhere', { address: request.ip, request: request.id, user: user.id })
    return reply(204, undefined, withoutSession(ctx, request))
  }),
  route(listMySessions, ({ ctx, user, request }) => auth.listSessions(ctx, user, sessionOf(ctx, request))),
  route(deleteMySession, async ({ ctx, user, params, request }) => {
    await auth.endSessionOf(ctx, user, params.session_id)
    ctx.security.note('signed out', { address: request.ip, request: request.id, user: user.id })
    return reply(204, undefined)
  }),
  route(deleteSessionsOf, ({ ctx, user, params, request }) => auth.endSessionsOf(ctx, user, params.user_id, request)),
  route(changeMyPassword, async ({ ctx, user, body, request }) => {
    const before = sessionOf(ctx, request)
    await auth.changePassword(ctx, user, body, request)
    if (before === null) return reply(204, undefined)
    const { token } = await auth.openSession(ctx, user, request)
    return reply(204, undefined, withSession(ctx, request, token))
  }),
  publicRoute(getSettings, ({ ctx }) => info.readSettings(ctx)),
  publicRoute(getVersion, () => info.readVersion()),
]
