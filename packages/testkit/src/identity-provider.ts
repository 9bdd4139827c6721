/// <reference path="./oidc-provider.d.ts" />
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js'

/** The claims of an account, in addition to `sub`, which is the name that its user signs in with. */
export type Account = { readonly [claim: string]: unknown }

export type IdentityProvider = {
  readonly issuer: string
  readonly client: { readonly id: string; readonly secret: string }
  /** The claims of each account, keyed by `sub`. Can be changed at any time. */
  readonly accounts: { [sub: string]: Account }
  /** The number of requests to the token endpoint. */
  readonly exchanges: () => number
  /** Stops the provider. */
  readonly close: () => Promise<void>
}

export type IdentityProviderOptions = {
  readonly accounts?: { readonly [sub: string]: Account }
  /** If true, the user's data is in the ID tokens and the JWT access tokens, and there is no userinfo endpoint. */
  readonly inTokens?: boolean
}

const CLAIMS = ['preferred_username', 'given_name', 'name', 'realm_access', 'handle']
const FORM = `<!doctype html><html lang="en"><title>Provider</title><main><h1>Who are you?</h1>
<form method="post"><label>Name <input name="login" autofocus></label><button>Continue</button><button name="deny" value="1">Deny</button></form></main></html>`

/** The package's own adapter as a subclass, because the package warns if it runs with the adapter itself. */
class Memory extends MemoryAdapter {}

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

/** Asks for a name and signs in that user without a password. */
const interact = async (provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(FORM)
    return
  }
  const form = await bodyOf(request)
  const said = form.has('deny') ? { error: 'access_denied' } : { login: { accountId: form.get('login') } }
  await provider.interactionFinished(request, response, said)
}

const inTokens = (accounts: IdentityProvider['accounts']) => ({
  conformIdTokenClaims: false,
  extraTokenClaims: (_: unknown, { accountId }: { accountId: string }) => ({
    realm_access: accounts[accountId]?.['realm_access'],
  }),
  features: {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => 'urn:postil:test',
      getResourceServerInfo: () => ({ scope: '', audience: 'account', accessTokenFormat: 'jwt' }),
    },
  },
})

/** A real OpenID Connect provider on a free port of the loopback interface. It accepts any redirect address. */
export const startIdentityProvider = async (options: IdentityProviderOptions = {}): Promise<IdentityProvider> => {
  const accounts: IdentityProvider['accounts'] = { ...options.accounts }
  const client = { id: 'postil', secret: randomBytes(24).toString('base64url') }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let exchanges = 0
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async () => undefined
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/token')) exchanges += 1
    handle(request, response).catch((error: Error) => response.writeHead(500).end(error.message))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: ['https://annotate.example.org/'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }] },
    adapter: Memory,
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], profile: CLAIMS, email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...accounts[sub] }) }),
    loadExistingGrant: async ({ oidc }: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
    ...(options.inTokens && inTokens(accounts)),
  })
  provider.Client.prototype.redirectUriAllowed = () => true
  const protocol = provider.callback()
  handle = (request, response) =>
    request.url?.startsWith('/interaction/') ? interact(provider, request, response) : protocol(request, response)
  return {
    issuer,
    client,
    accounts,
    exchanges: () => exchanges,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

const MAX_STEPS = 12

/**
 * Goes through the provider's pages as a browser does. Signs in as `login`, or denies access if it is null.
 * @returns the address that the provider redirects to
 */
export const signInAt = async (start: string, login: string | null): Promise<URL> => {
  const cookies = new Map<string, string>()
  const { host } = new URL(start)
  let at = new URL(start)
  let form: URLSearchParams | null = null
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const answer = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form !== null && { method: 'POST', body: form }),
    })
    form = null
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=', 2)
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location !== null) {
      at = new URL(location, at)
      if (at.host !== host) return at
    } else if (answer.ok) form = new URLSearchParams(login === null ? { deny: '1' } : { login })
    else throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`)
  }
  throw new Error('the provider did not redirect back')
}
