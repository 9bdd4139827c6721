import {
  activateSecondFactor,
  beginSecondFactor,
  getSecondFactor,
  removeSecondFactor,
  removeSecondFactorOf,
  renewRecoveryCodes,
} from '@postil/contract/people/second-factor.ts'
import { withShownFactor } from '#platform/auth/second-factor-duty.ts'
import { reply } from '#platform/http/answers/answers.ts'
import { route } from '#platform/http/route.ts'
import { sessionOf, withSession } from '../cookies.ts'
import * as auth from '../service.ts'
import * as factor from './service.ts'

export const secondFactorRoutes = [
  route(getSecondFactor, ({ ctx, user }) => factor.getFactor(ctx, user)),
  route(beginSecondFactor, async ({ ctx, user, body, request }) => {
    // Users who must set up a second factor aren't asked for their password. They have just signed in, and users of an identity
    // provider may not know it
    if (user.due === undefined) await auth.showPassword(ctx, user, body.current_password ?? '', request)
    return factor.beginFactor(ctx, user)
  }),
  route(activateSecondFactor, async ({ ctx, user, body, request }) => {
    const next = sessionOf(ctx, request) === null ? null : auth.newSession(ctx, withShownFactor(user), request)
    const codes = await factor.activateFactor(ctx, user, body.code, { ip: request.ip, session: next?.row ?? null })
    return next === null ? codes : reply(200, codes, withSession(ctx, request, next.token))
  }),
  route(renewRecoveryCodes, ({ ctx, user, body, request }) => factor.renewCodes(ctx, user, body.code, request.ip)),
  route(removeSecondFactor, async ({ ctx, user, body, request }) => {
    await auth.showPassword(ctx, user, body.current_password, request)
    await factor.removeFactor(ctx, user, body.code, request.ip)
    return reply(204, undefined)
  }),
  route(removeSecondFactorOf, ({ ctx, user, params }) => factor.removeFactorOf(ctx, user, params.user_id)),
]
