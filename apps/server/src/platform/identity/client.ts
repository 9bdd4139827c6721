import type { Configuration, CustomFetch, DiscoveryRequestOptions } from 'openid-client'
import type { ProviderConfig } from './configuration.ts'
import { presets } from './presets.ts'

/** A provider without OpenID Connect: its issuer name and user endpoint. */
export type PlainProvider = { readonly issuer: string; readonly user: URL }
/** How to communicate with a provider. `plain` is set only for providers that support OAuth 2 but not OpenID Connect. */
export type ProviderClient = { readonly configuration: Configuration; readonly plain: PlainProvider | null }

const TIMEOUT_SECONDS = 10
/** How long a provider's metadata is cached. Providers rarely change their keys and endpoints and don't announce changes. */
const CACHE_TTL_MS = 60 * 60 * 1000
const GITHUB = 'https://github.com'

/** The protocol library, loaded at the first sign-in through a provider. */
export const protocol = () => import('openid-client')

/** Gives error responses an error status, because GitHub sends status 200 even for errors. */
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
  // The standard's default is Basic.
  const post = methods?.includes('client_secret_post') === true
  return post ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret)
}

/** Creates a client for OAuth 2 without OpenID Connect: the endpoints are fixed, and the user is read from the API. */
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

type CachedClient = { readonly client: Promise<ProviderClient>; readonly until: number }

/** Returns each provider's client. Provider metadata is cached for an hour; failures are not cached. */
export const createClients = (now: () => number = Date.now) => {
  const known = new Map<string, CachedClient>()
  return (provider: ProviderConfig): Promise<ProviderClient> => {
    const { name, issuer } = provider
    const cached = known.get(name)
    if (cached !== undefined && cached.until > now()) return cached.client
    const client = issuer === null ? plainClient(provider) : discover(provider, issuer)
    known.set(name, { client, until: now() + CACHE_TTL_MS })
    client.catch(() => known.delete(name))
    return client
  }
}

/** The authorization endpoint if it is known without a request to the provider; otherwise null. */
export const authorizeAddress = ({ kind, issuer, endpoint }: ProviderConfig): string | null => {
  const { authorize, issuer: own } = presets[kind]
  return issuer === own && endpoint === null ? authorize : null
}
