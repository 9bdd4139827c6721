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

export const accountLinkRoutes = [
  route(listInvitations, ({ ctx, user }) => links.listInvitations(ctx, user)),
  route(createInvitation, ({ ctx, user, body, request }) => links.createInvitation(ctx, user, body, request)),
  route(renewInvitation, ({ ctx, user, params, request }) => links.renewInvitation(ctx, user, params.invitation_id, request)),
  route(deleteInvitation, ({ ctx, user, params }) => links.deleteInvitation(ctx, user, params.invitation_id)),
  publicRoute(readInvitation, ({ ctx, body, request }) => {
    checkSameOrigin(request, ctx.config.publicUrl, false)
    return links.readInvitation(ctx, body.token, request)
  }),
  publicRoute(acceptInvitation, async ({ ctx, body, request }) => {
    checkSameOrigin(request, ctx.config.publicUrl, false)
    const { token, session } = await links.acceptInvitation(ctx, body, request)
    await auth.signOut(ctx, auth.sessionOf(ctx, request))
    return reply(201, session, auth.withSession(ctx, request, token))
  }),
  route(listPasswordLinks, ({ ctx, user }) => links.listPasswordLinks(ctx, user)),
  route(createPasswordLink, ({ ctx, user, params, request }) => links.createPasswordLink(ctx, user, params.user_id, request)),
  route(deletePasswordLink, ({ ctx, user, params }) => links.deletePasswordLink(ctx, user, params.user_id)),
  publicRoute(readPasswordLink, ({ ctx, body, request }) => {
    checkSameOrigin(request, ctx.config.publicUrl, false)
    return links.readPasswordLink(ctx, body.token, request)
  }),
  publicRoute(usePasswordLink, async ({ ctx, body, request }) => {
    checkSameOrigin(request, ctx.config.publicUrl, false)
    await links.usePasswordLink(ctx, body, request)
    return reply(204, undefined)
  }),
]
