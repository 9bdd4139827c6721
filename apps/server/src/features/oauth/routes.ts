import {
  createHandover,
  createSessionByProvider,
  deleteMyIdentity,
  finishOauth,
  listMyIdentities,
  listOauthProviders,
  type ProviderAnswer,
  startOauth,
} from '@postil/contract/people/oauth.ts'
import { Problem } from '@postil/contract/wire/errors.ts'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '#context.ts'
import * as auth from '#features/auth/public.ts'
import { checkSameOrigin } from '#platform/auth/sessions/csrf.ts'
import { reply } from '#platform/http/answers/answers.ts'
import { publicRoute, type Registration, route } from '#platform/http/route.ts'
import type { IdentityConfig, ProviderConfig } from '#platform/identity/configuration.ts'
import { unlinkUser } from './commands.ts'
import { clearedStateCookie, stateCookie } from './cookie.ts'
import { createOauth, myIdentities } from './service.ts'

/**
 * Lifetime of a sign-in link in seconds. Short, because the window that is opened for the sign-in uses the link immediately.
 */
const HANDOVER_SECONDS = 60
const noStore = { 'cache-control': 'no-store' }

const isUnreachable = (error: unknown): boolean => error instanceof Problem && error.data.extra?.['reason'] === 'unreachable'

export const oauthRoutes = (config: IdentityConfig): readonly Registration[] => {
  const oauth = createOauth(config)
  const plainHttp = config.allowHttpRedirect
  /** Links the user of the browser's session to the provider's identity and returns the user. */
  const linkedUser = async (ctx: AppContext, provider: ProviderConfig, request: FastifyRequest, answer: ProviderAnswer) => {
    const user = await auth.userOfSession(ctx, auth.sessionOf(ctx, request), createSessionByProvider)
    await oauth.link(ctx, provider, request, answer, user)
    return user
  }
  const finishSignIn = async (ctx: AppContext, provider: ProviderConfig, request: FastifyRequest, answer: ProviderAnswer) => {
    const about = { address: request.ip, request: request.id, means: 'provider' } as const
    try {
      const user = await oauth.finish(ctx, provider, request, answer)
      ctx.security.note('signed in', { ...about, user: user.id })
      return user
    } catch (error) {
      ctx.security.note('sign-in failed', about)
      throw error
    }
  }
  return [
    publicRoute(listOauthProviders, () => oauth.list()),
    publicRoute(startOauth, async ({ ctx, params, query, request }) => {
      const provider = oauth.find(params.provider)
      try {
        const { location, state } = await oauth.begin(ctx, provider, request, query)
        return reply(303, undefined, {
          ...noStore,
          location,
          'set-cookie': stateCookie(request, provider.name, state, plainHttp),
        })
      } catch (error) {
        if (!isUnreachable(error) || !request.headers.accept?.includes('text/html')) throw error
        // A person who followed a link should see a page, not JSON
        const location = `${ctx.config.baseUrl}oauth/${provider.name}/callback?error=temporarily_unavailable`
        return reply(303, undefined, { ...noStore, location })
      }
    }),
    publicRoute(finishOauth, async ({ ctx, params, query, request }) => {
      const provider = oauth.find(params.provider)
      const user = await finishSignIn(ctx, provider, request, query)
      const token = { access_token: await ctx.tokens.issue(user), token_type: 'bearer' as const }
      return reply(200, token, { ...noStore, 'set-cookie': clearedStateCookie(request, provider.name, plainHttp) })
    }),
    publicRoute(createSessionByProvider, async ({ ctx, params, body, request }) => {
      checkSameOrigin(request, ctx.config.publicUrl, false)
      const provider = oauth.find(params.provider)
      const user = body.link ? await linkedUser(ctx, provider, request, body) : await finishSignIn(ctx, provider, request, body)
      const { token, session } = await auth.openSession(ctx, user, request)
      await auth.signOut(ctx, auth.sessionOf(ctx, request))
      const opened = auth.withSession(ctx, request, token)
      return reply(201, session, {
        ...opened,
        'set-cookie': [opened['set-cookie'], clearedStateCookie(request, provider.name, plainHttp)],
      })
    }),
    publicRoute(createHandover, async ({ ctx, params, body, request }) => {
      checkSameOrigin(request, ctx.config.publicUrl, false)
      const provider = oauth.find(params.provider)
      const user = await finishSignIn(ctx, provider, request, body)
      const token = await auth.createLinkFor(ctx, user, HANDOVER_SECONDS)
      return reply(201, { token }, { ...noStore, 'set-cookie': clearedStateCookie(request, provider.name, plainHttp) })
    }),
    route(listMyIdentities, ({ ctx, user }) => myIdentities(ctx, user)),
    route(deleteMyIdentity, async ({ ctx, user, query }) => {
      await ctx.store.write(unlinkUser, { user_id: user.id, provider: query.provider })
      return reply(204, undefined)
    }),
  ]
}
