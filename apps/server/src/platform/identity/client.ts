import type { Configuration, CustomFetch, DiscoveryRequestOptions } from 'openid-client'
import type { ProviderConfig } from './configuration.ts'
import { presets } from './presets.ts'

/** A provider that is no OpenID Connect issuer: what it is and where it answers. */
export type PlainProvider = { readonly issuer: string; readonly user: URL }
/** How to speak with a provider; `plain` where it speaks OAuth 2 only. */
export type ProviderClient = { readonly configuration: Configuration; readonly plain: PlainProvider | null }

const TIMEOUT_SECONDS = 10
/** Providers change their keys and addresses seldom, and say so nowhere. */
const KNOWN_FOR_MS = 60 * 60 * 1000
const GITHUB = 'https://github.com'

/** The library of the protocol, loaded by the first who signs in through a provider. */
export const protocol = () => import('openid-client')

/** Says an error with the status of an error: GitHub answers all with 200. */
const withStatuses: CustomFetch = async (url, options) => {
  const answer = await fetch(url, options as RequestInit)
  if (!answer.ok || answer.headers.get('content-type')?.includes('json') !== true) return answer
  const body: unknown = await answer.clone().json()
  const failed = typeof body === 'object' && body !== null && typeof Reflect.get(body, 'error') === 'string'
  return failed ? new Response(JSON.stringify(body), { status: 400, headers: { 'content-type': 'application/json' } }) : answer
}

const clientAuth = async ({ clientSecret }: ProviderConfig, methods: readonly string[] | undefined) => {
  const { ClientSecretBasic, ClientSecretPost, None } = await protocol()
  if (clientSecret === null) return None()
  // NOTE: where nothing is said the standard means Basic
  const post = methods?.includes('client_secret_post') === true
  return post ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret)
}

/** OAuth 2 without OpenID Connect: addresses that are known, and a user who is asked for by the API. */
const plainClient = async (provider: ProviderConfig): Promise<ProviderClient> => {
  const oidc = await protocol()
  const { endpoint, clientId } = provider
  const host = endpoint ?? GITHUB
  const configuration = new oidc.Configuration(
    {
      issuer: host,
      authorization_endpoint: `${host}/login/oauth/authorize`,
      token_endpoint: `${host}/login/oauth/access_token`,
    },
    clientId,
    undefined,
    await clientAuth(provider, ['client_secret_post']),
  )
  configuration.timeout = TIMEOUT_SECONDS
  configuration[oidc.customFetch] = withStatuses
  if (host.startsWith('http:')) oidc.allowInsecureRequests(configuration)
  const user = new URL(endpoint === null ? 'https://api.github.com/user' : `${endpoint}/api/v3/user`)
  return { configuration, plain: { issuer: host, user } }
}

const discover = async (provider: ProviderConfig, issuer: string): Promise<ProviderClient> => {
  const { discovery, allowInsecureRequests, Configuration } = await protocol()
  const options: DiscoveryRequestOptions = {
    timeout: TIMEOUT_SECONDS,
    ...(issuer.startsWith('http:') && { execute: [allowInsecureRequests] }),
  }
  const found = await discovery(new URL(issuer), provider.clientId, undefined, undefined, options)
  const metadata = found.serverMetadata()
  const auth = await clientAuth(provider, metadata.token_endpoint_auth_methods_supported)
  const configuration = new Configuration(metadata, provider.clientId, undefined, auth)
  configuration.timeout = TIMEOUT_SECONDS
  if (issuer.startsWith('http:')) allowInsecureRequests(configuration)
  return { configuration, plain: null }
}

type Known = { readonly client: Promise<ProviderClient>; readonly until: number }

/** Gives the client of each provider; what one has said of itself is kept for an hour, a failure for nobody else. */
export const createClients = (now: () => number = Date.now) => {
  const known = new Map<string, Known>()
  return (provider: ProviderConfig): Promise<ProviderClient> => {
    const { name, issuer } = provider
    const kept = known.get(name)
    if (kept !== undefined && kept.until > now()) return kept.client
    const client = issuer === null ? plainClient(provider) : discover(provider, issuer)
    known.set(name, { client, until: now() + KNOWN_FOR_MS })
    client.catch(() => known.delete(name))
    return client
  }
}

/** The client to send people to the provider with: where its address is known anyway, it is not asked. */
export const authorizeAddress = ({ kind, issuer, endpoint }: ProviderConfig): string | null => {
  const { authorize, issuer: own } = presets[kind]
  return issuer === own && endpoint === null ? authorize : null
}
