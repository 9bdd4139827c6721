import { z } from 'zod'
import { Token } from './auth.ts'
import { defineEndpoint } from './define-endpoint.ts'
import { itemsOf, text } from './scalars.ts'

const provider = { provider: text({ keep: false }) }
const asText = text({ keep: false })

export const listOauthProviders = defineEndpoint({
  id: 'oauth.providers',
  method: 'GET',
  path: '/oauth2/providers',
  access: 'none',
  result: itemsOf(z.strictObject({ name: z.string() })),
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
/** Absent `code` or `state` is told in one sentence by the handler, hence optional here. */
export const finishOauth = defineEndpoint({
  id: 'oauth.access_token',
  method: 'GET',
  path: '/oauth2/providers/:provider/access-token',
  params: provider,
  access: 'none',
  query: z.object({ code: asText.optional(), state: asText.optional() }),
  result: Token,
  errors: [404],
  summary: "Exchange the provider's code for a bearer token",
})

export const oauthEndpoints = [listOauthProviders, startOauth, finishOauth] as const
