import { z } from 'zod'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { bool, itemsOf, printedDatetime, text } from '../wire/scalars.ts'
import { Session, Token } from './auth.ts'

const provider = { provider: text({ keep: false }) }
const asText = text({ keep: false })

/** `title`: what people read on the button, where the operator has named it. */
export const OauthProvider = z.strictObject({ name: z.string(), title: z.string().exactOptional() })
export type OauthProvider = z.infer<typeof OauthProvider>

/**
 * What somebody comes back from the provider with. Absent `code` or `state` is told in one sentence by the handler, hence optional
 * here; `iss` says who answers (RFC 9207), `error` that the provider said no.
 */
export const ProviderAnswer = z.object({
  code: asText.optional(),
  state: asText.optional(),
  iss: asText.optional(),
  error: asText.optional(),
})
export type ProviderAnswer = z.infer<typeof ProviderAnswer>

/** Why nobody was signed in, as the key `reason` of the refusal. */
export type OauthProblem =
  | 'expired'
  | 'refused'
  | 'unreachable'
  | 'no_username'
  | 'name_taken'
  | 'deactivated'
  | 'linked_otherwise'
  | 'unknown_provider'
  | 'parameter'

export const listOauthProviders = defineEndpoint({
  id: 'oauth.providers',
  method: 'GET',
  path: '/oauth2/providers',
  access: 'none',
  result: itemsOf(OauthProvider),
  summary: 'Configured identity providers',
})
/** Answers a redirect to the provider; the query parameters of the request travel along. */
export const startOauth = defineEndpoint({
  id: 'oauth.authentication',
  method: 'GET',
  path: '/oauth2/providers/:provider/authentication',
  params: provider,
  access: 'none',
  query: z.record(z.string(), z.unknown()),
  status: 303,
  errors: [404],
  summary: 'Go to the provider to sign in',
})
export const finishOauth = defineEndpoint({
  id: 'oauth.access_token',
  method: 'GET',
  path: '/oauth2/providers/:provider/access-token',
  params: provider,
  access: 'none',
  query: ProviderAnswer,
  result: Token,
  errors: [401, 404, 409, 429, 500],
  summary: "Exchange the provider's code for a bearer token",
})
/** `link`: whom the provider vouches for becomes one with the user whose session the browser has, who stays signed in. */
export const createSessionByProvider = defineEndpoint({
  id: 'session.create_by_provider',
  method: 'POST',
  path: '/session/oauth/:provider',
  params: provider,
  access: 'none',
  body: ProviderAnswer.extend({ link: bool().default(false) }),
  status: 201,
  result: Session,
  errors: [403, 404, 409, 500],
  addition: true,
  summary: "Sign a browser in with the provider's code",
})
/** For a page in a frame: the window that it opened hands over to it, and both see other cookies. */
export const createHandover = defineEndpoint({
  id: 'session.hand_over',
  method: 'POST',
  path: '/session/oauth/:provider/handover',
  params: provider,
  access: 'none',
  body: ProviderAnswer,
  status: 201,
  result: z.strictObject({ token: z.string() }),
  errors: [403, 404, 409, 500],
  addition: true,
  summary: "Exchange the provider's code for a sign-in link's token that lives a minute",
})

export const MyIdentity = z.strictObject({ provider: z.string(), removable: z.boolean(), inserted_at: printedDatetime() })
export type MyIdentity = z.infer<typeof MyIdentity>

export const listMyIdentities = defineEndpoint({
  id: 'oauth.my_identities',
  method: 'GET',
  path: '/me/identities',
  result: itemsOf(MyIdentity),
  addition: true,
  summary: 'The identity providers that the caller is linked to',
})
export const deleteMyIdentity = defineEndpoint({
  id: 'oauth.delete_my_identity',
  method: 'DELETE',
  path: '/me/identities',
  query: z.object({ provider: asText }),
  errors: [403],
  addition: true,
  summary: "End the caller's link to a provider, unless it is the one that they came by",
})

export const oauthEndpoints = [
  listOauthProviders,
  startOauth,
  finishOauth,
  createSessionByProvider,
  createHandover,
  listMyIdentities,
  deleteMyIdentity,
] as const
