import { z } from 'zod'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { bool, itemsOf, printedDatetime, text } from '../wire/scalars.ts'
import { Session, Token } from './auth.ts'

const provider = { provider: text({ keep: false }) }
const asText = text({ keep: false })

/** `title`: the label of the sign-in button, if the operator has set one. */
export const OauthProvider = z.strictObject({ name: z.string(), title: z.string().exactOptional() })
export type OauthProvider = z.infer<typeof OauthProvider>

/**
 * The query parameters of the provider's redirect. `code` and `state` are optional here because the handler reports a missing
 * parameter with a single sentence. `iss` identifies the issuer (RFC 9207). `error` means that the provider refused.
 */
export const ProviderAnswer = z.object({
  code: asText.optional(),
  state: asText.optional(),
  iss: asText.optional(),
  error: asText.optional(),
})
export type ProviderAnswer = z.infer<typeof ProviderAnswer>

/** Why a sign-in failed. Sent as `reason` in the error body. */
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
  summary: 'List the configured identity providers',
})
/** Redirects to the provider and passes on the query parameters of the request. */
export const startOauth = defineEndpoint({
  id: 'oauth.authentication',
  method: 'GET',
  path: '/oauth2/providers/:provider/authentication',
  params: provider,
  access: 'none',
  query: z.record(z.string(), z.unknown()),
  status: 303,
  errors: [404],
  summary: 'Redirect to the provider to sign in',
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
/** `link`: links the account at the provider to the user who is signed in on this browser. The user stays signed in. */
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
  summary: "Sign in a browser with the provider's code",
})
/**
 * Used if the page is in a frame. The sign-in window that the page opens has different cookies than the page, so the window
 * passes a token to the page.
 */
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
  summary: "Exchange the provider's code for a sign-in link token that is valid for one minute",
})

export const MyIdentity = z.strictObject({ provider: z.string(), removable: z.boolean(), inserted_at: printedDatetime() })
export type MyIdentity = z.infer<typeof MyIdentity>

export const listMyIdentities = defineEndpoint({
  id: 'oauth.my_identities',
  method: 'GET',
  path: '/me/identities',
  result: itemsOf(MyIdentity),
  addition: true,
  summary: 'List the identity providers that the caller is linked to',
})
export const deleteMyIdentity = defineEndpoint({
  id: 'oauth.delete_my_identity',
  method: 'DELETE',
  path: '/me/identities',
  query: z.object({ provider: asText }),
  errors: [403],
  addition: true,
  summary: 'Unlink the caller from a provider, unless it is the provider that created their user',
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
