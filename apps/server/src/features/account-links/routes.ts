import {
  acceptInvitation,
  createInvitation,
  createPasswordLink,
  deleteInvitation,
  deletePasswordLink,
  listInvitations,
  listPasswordLinks,
  readInvitation,
  readPasswordLink,
  renewInvitation,
  usePasswordLink,
} from '@postil/contract/people/account-links.ts'
import * as auth from '#features/auth/public.ts'
import { checkSameOrigin } from '#platform/auth/sessions/csrf.ts'
import { reply } from '#platform/http/answers/answers.ts'
import { publicRoute, route } from '#platform/http/route.ts'
import * as links from './service.ts'

/** A route that anyone with a link may use, but only from our own pages. */
const linkRoute: typeof publicRoute = (endpoint, handle) =>
  publicRoute(endpoint, (input) => {
    checkSameOrigin(input.request, input.ctx.config.publicUrl, false)
    return handle(input)
  })

export const accountLinkRoutes = [
  route(listInvitations, ({ ctx, user }) => links.listInvitations(ctx, user)),
  route(createInvitation, ({ ctx, user, body, request }) => links.createInvitation(ctx, user, body, request)),
  route(renewInvitation, ({ ctx, user, params, request }) => links.renewInvitation(ctx, user, params.invitation_id, request)),
  route(deleteInvitation, ({ ctx, user, params }) => links.deleteInvitation(ctx, user, params.invitation_id)),
  linkRoute(readInvitation, ({ ctx, body, request }) => links.readInvitation(ctx, body.token, request)),
  linkRoute(acceptInvitation, async ({ ctx, body, request }) => {
    const { token, session } = await links.acceptInvitation(ctx, body, request)
    await auth.signOut(ctx, auth.sessionOf(ctx, request))
    return reply(201, session, auth.withSession(ctx, request, token))
  }),
  route(listPasswordLinks, ({ ctx, user }) => links.listPasswordLinks(ctx, user)),
  route(createPasswordLink, ({ ctx, user, params, request }) => links.createPasswordLink(ctx, user, params.user_id, request)),
  route(deletePasswordLink, ({ ctx, user, params }) => links.deletePasswordLink(ctx, user, params.user_id)),
  linkRoute(readPasswordLink, ({ ctx, body, request }) => links.readPasswordLink(ctx, body.token, request)),
  linkRoute(usePasswordLink, async ({ ctx, body, request }) => {
    await links.usePasswordLink(ctx, body, request)
    return reply(204, undefined)
  }),
]
