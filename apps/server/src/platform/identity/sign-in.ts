import { decodeJwt } from 'jose'
import { authorizeAddress, type PlainProvider, type ProviderClient, protocol } from './client.ts'
import type { ProviderConfig } from './configuration.ts'
import { faultOf, ProviderFault, plainCode } from './faults.ts'
import type { Claims } from './presets.ts'
import { type Profile, profileOf } from './profile.ts'

/** The state and secrets of one sign-in: see `handshake.ts`. */
type Handshake = {
  readonly state: string
  readonly verifier: string
  readonly nonce: string
  readonly redirectUri: string
}

type ClientOf = (provider: ProviderConfig) => Promise<ProviderClient>

/**
 * Maximum length of a subject in bytes. It is limited because a subject is an index key. The standard allows 255 characters.
 */
const MAX_SUBJECT = 255

const addressOf = async (clientOf: ClientOf, provider: ProviderConfig): Promise<string> => {
  const known = authorizeAddress(provider)
  if (known !== null) return known
  const { configuration } = await clientOf(provider).catch((error) => Promise.reject(faultOf(error)))
  const address = configuration.serverMetadata().authorization_endpoint
  if (address === undefined) throw new ProviderFault('unreachable', 'no_authorization_endpoint')
  return address
}

/**
 * Returns the URL at which a user signs in.
 * @param further additional parameters for the provider, such as `login_hint`
 * @throws ProviderFault
 */
export const authorizationUrl = async (
  clientOf: ClientOf,
  provider: ProviderConfig,
  { state, verifier, nonce, redirectUri }: Handshake,
  further: readonly (readonly [string, string])[],
): Promise<string> => {
  const url = new URL(await addressOf(clientOf, provider))
  const { calculatePKCECodeChallenge } = await protocol()
  const parameters = {
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    ...(provider.scope.length > 0 && { scope: provider.scope.join(' ') }),
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(provider.issuer !== null && { nonce }),
  }
  for (const [name, value] of [...Object.entries(parameters), ...further]) url.searchParams.append(name, value)
  return url.href
}

/** Reads the user from the API of a provider that has no ID tokens. */
const askForUser = async (
  { configuration }: ProviderClient,
  { issuer, user }: PlainProvider,
  accessToken: string,
): Promise<{ issuer: string; subject: string; claims: Claims }> => {
  const { fetchProtectedResource } = await protocol()
  const headers = new Headers({ accept: 'application/json', 'user-agent': 'Postil' })
  const answer = await fetchProtectedResource(configuration, accessToken, user, 'GET', null, headers)
  if (!answer.ok) throw new ProviderFault(answer.status >= 500 ? 'unreachable' : 'refused', `status_${answer.status}`)
  const claims = (await answer.json()) as Claims
  return { issuer, subject: Number.isSafeInteger(claims['id']) ? String(claims['id']) : '', claims }
}

/**
 * The claims in an access token, if it is a JWT from the issuer. It is trusted because this server has just received it from
 * the issuer over its own connection. Some providers list a realm's roles only there.
 */
const claimsInside = (accessToken: string, issuer: string): Claims => {
  try {
    const claims = decodeJwt(accessToken)
    return claims.iss === issuer ? claims : {}
  } catch {
    return {}
  }
}

type Answer = { readonly code: string; readonly iss: string | null }

const exchange = async (client: ProviderClient, handshake: Handshake, { code, iss }: Answer) => {
  const { authorizationCodeGrant, fetchUserInfo } = await protocol()
  const { configuration, plain } = client
  const { state, verifier, nonce, redirectUri } = handshake
  const returned = new URL(redirectUri)
  for (const [name, value] of Object.entries({ code, state, ...(iss !== null && plain === null && { iss }) })) {
    returned.searchParams.set(name, value)
  }
  const tokens = await authorizationCodeGrant(configuration, returned, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    ...(plain === null && { expectedNonce: nonce, idTokenExpected: true }),
  })
  if (plain !== null) return askForUser(client, plain, tokens.access_token)
  const stated: Claims & { sub?: string } = tokens.claims() ?? {}
  const { issuer, userinfo_endpoint } = configuration.serverMetadata()
  const subject = stated.sub ?? ''
  const asked = userinfo_endpoint === undefined ? {} : await fetchUserInfo(configuration, tokens.access_token, subject)
  return { issuer, subject, claims: { ...claimsInside(tokens.access_token, issuer), ...asked, ...stated } }
}

/**
 * Exchanges the authorization code for the user's profile.
 * @throws ProviderFault
 */
export const readProfile = async (
  clientOf: ClientOf,
  provider: ProviderConfig,
  handshake: Handshake,
  answer: Answer,
): Promise<Profile> => {
  const found = await clientOf(provider)
    .then((client) => exchange(client, handshake, answer))
    .catch((error) => Promise.reject(faultOf(error)))
  const { issuer, subject, claims } = found
  if (subject === '' || Buffer.byteLength(subject) > MAX_SUBJECT) throw new ProviderFault('no_username', 'no_subject')
  const profile = profileOf(provider, issuer, subject, claims)
  if (profile === null) throw new ProviderFault('no_username', plainCode(provider.usernameClaim ?? 'no_username'))
  return profile
}
