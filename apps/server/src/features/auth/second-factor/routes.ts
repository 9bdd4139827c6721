import {
  activateSecondFactor,
  beginSecondFactor,
  getSecondFactor,
  removeSecondFactor,
  removeSecondFactorOf,
  renewRecoveryCodes,
} from '@postil/contract/second-factor.ts'
import { reply } from '#platform/http/answers.ts'
import { route } from '#platform/http/route.ts'
import { sessionOf, withSession } from '../cookies.ts'
import * as auth from '../service.ts'
import * as factor from './service.ts'

export const secondFactorRoutes = [
  route(getSecondFactor, ({ ctx, user }) => factor.getFactor(ctx, user)),
  route(beginSecondFactor, async ({ ctx, user, body, request }) => {
    await auth.showPassword(ctx, user, body.current_password, request)
    return factor.beginFactor(ctx, user)
  }),
  route(activateSecondFactor, async ({ ctx, user, body, request }) => {
    const before = sessionOf(ctx, request)
    const codes = await factor.activateFactor(ctx, user, body.code, request.ip)
    await auth.signOutEverywhere(ctx, user)
    if (before === null) return codes
    const { token } = await auth.openSession(ctx, user, request)
    return reply(200, codes, withSession(ctx, request, token))
  }),
  route(renewRecoveryCodes, ({ ctx, user, body, request }) => factor.renewCodes(ctx, user, body.code, request.ip)),
  route(removeSecondFactor, async ({ ctx, user, body, request }) => {
    await auth.showPassword(ctx, user, body.current_password, request)
    await factor.removeFactor(ctx, user, body.code, request.ip)
    return reply(204, undefined)
  }),
  route(removeSecondFactorOf, ({ ctx, user, params }) => factor.removeFactorOf(ctx, user, params.user_id)),
]
