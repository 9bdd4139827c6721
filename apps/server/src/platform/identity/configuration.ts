import { type ProviderKind, presets } from './presets.ts'
import { readFileOf, type Section } from './yaml-file.ts'

/** An identity provider as configured by the operator. */
export type ProviderConfig = {
  readonly name: string
  /** The label of the provider's sign-in button. */
  readonly title: string
  readonly kind: ProviderKind
  readonly clientId: string
  readonly clientSecret: string | null
  readonly scope: readonly string[]
  /** The redirect URI as configured: a URL, or a path on this server. Null: the web app's own path is used. */
  readonly redirectUri: string | null
  readonly syncUser: boolean
  /** Whether the operator states that the provider requires a second factor from everyone. */
  readonly secondFactor: boolean
  /** The OpenID Connect issuer; null if the provider doesn't support it. */
  readonly issuer: string | null
  /** Base URL of a GitHub Enterprise server. Null for github.com and for all other providers. */
  readonly endpoint: string | null
  /** The claim that contains the username; null for the default claim. */
  readonly usernameClaim: string | null
}

export type IdentityConfig = {
  readonly providers: readonly ProviderConfig[]
  readonly allowedWorkspaces: readonly string[]
  readonly allowHttpRedirect: boolean
  /** Notes about ignored settings in the file. */
  readonly notes: readonly string[]
}

/** An invalid configuration file, with a one-sentence message for users. */
export class IdentityConfigError extends Error {}

export const noProviders: IdentityConfig = { providers: [], allowedWorkspaces: [], allowHttpRedirect: false, notes: [] }

type Given = {
  readonly oauthFile: string
  /** The `OAUTH2_*` and `SOCIAL_AUTH_*` variables. */
  readonly oauthEnv: { readonly [name: string]: string }
  readonly space: unknown
}
type Env = Given['oauthEnv']

const KNOWN = Object.keys(presets).filter((kind) => kind !== 'oidc')
const KEYCLOAK = 'SOCIAL_AUTH_KEYCLOAK_OIDC_ENDPOINT'
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$/
const WORKSPACE = /^[a-zA-Z0-9_-]{1,500}$/
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

const isKind = (name: string): name is ProviderKind => KNOWN.includes(name)

/** Returns a provider's value from the first of its `OAUTH2_*` and `SOCIAL_AUTH_*` variables that is not empty. */
const fromEnv = (env: Env, name: string, oauth2Suffix: string, socialAuthSuffix: string): string | null => {
  const upper = name.toUpperCase()
  const plain = upper.replace(/[-.]/g, '_')
  const names = [`OAUTH2_${upper}_${oauth2Suffix}`, `OAUTH2_${plain}_${oauth2Suffix}`, `SOCIAL_AUTH_${plain}_${socialAuthSuffix}`]
  return names.map((key) => env[key]).find((value) => value !== undefined && value !== '') ?? null
}

const words = (text: string): readonly string[] => text.split(/[\s,]+/).filter((word) => word !== '')

/**
 * Secrets and responses must not be readable in transit. Plain http is therefore allowed only for addresses on this machine,
 * unless the operator accepts it for all addresses.
 */
const checkedUrl = (section: Section, key: string, value: string, plainHttp: boolean): string => {
  const url = URL.canParse(value) ? new URL(value) : null
  if (url === null || !/^https?:$/.test(url.protocol)) throw section.wrong(key, 'must be a URL such as https://id.example.org')
  if (url.protocol === 'http:' && !plainHttp && !LOOPBACK.test(url.hostname)) {
    throw section.wrong(key, 'must be an https URL (allow_http_redirect: true allows http)')
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    throw section.wrong(key, 'must be a URL without a user, query or fragment')
  }
  return value.replace(/\/+$/, '')
}

type Reading = { readonly section: Section; readonly env: Env; readonly plainHttp: boolean }

const readName = (section: Section): string => {
  const name = section.text('name')
  if (name === null) throw section.wrong('name', 'is missing')
  if (!NAME.test(name)) throw section.wrong('name', 'may contain only letters, digits, ".", "-" and "_"')
  return name
}

const readAddress = ({ section, plainHttp }: Reading, key: string): string | null => {
  const value = section.text(key)
  return value === null ? null : checkedUrl(section, key, value, plainHttp)
}

/** Determines a provider's kind from its name, and reads its issuer or endpoint. Known providers have a default issuer. */
const readPlace = (reading: Reading, name: string): Pick<ProviderConfig, 'kind' | 'issuer' | 'endpoint'> => {
  const { section, env, plainHttp } = reading
  const kind = isKind(name) ? name : 'oidc'
  const issuer = readAddress(reading, 'issuer')
  const endpoint = readAddress(reading, 'endpoint')
  if (kind === 'github') {
    if (issuer !== null) throw section.wrong('issuer', 'is not supported for github; use "endpoint"')
    return { kind, issuer, endpoint }
  }
  if (endpoint !== null) throw section.wrong('endpoint', `is supported only for github; use "issuer" for ${name}`)
  if (kind === 'oidc' && issuer === null) {
    throw section.wrong(
      'name',
      `is "${name}", which is not a known provider (${KNOWN.join(', ')}); other providers need "issuer"`,
    )
  }
  const { [KEYCLOAK]: fromOutside } = env
  if (kind !== 'keycloak' || issuer !== null) return { kind, issuer: issuer ?? presets[kind].issuer, endpoint }
  if (!fromOutside) throw section.wrong('issuer', `is missing for keycloak: set it, or ${KEYCLOAK}, to the URL of the realm`)
  return { kind, issuer: checkedUrl(section, `issuer (${KEYCLOAK})`, fromOutside, plainHttp), endpoint }
}

type ClientKeys = 'clientId' | 'clientSecret' | 'scope' | 'redirectUri'

/** Reads our client registration with the provider. */
const readClient = (reading: Reading, name: string, kind: ProviderKind): Pick<ProviderConfig, ClientKeys> => {
  const { section, env } = reading
  const { needsSecret, scope: usual } = presets[kind]
  const clientId = section.text('client_id') ?? fromEnv(env, name, 'CLIENT_ID', 'KEY')
  if (clientId === null) throw section.wrong('client_id', `is missing for ${name}`)
  const clientSecret = section.text('client_secret') ?? fromEnv(env, name, 'CLIENT_SECRET', 'SECRET')
  if (clientSecret === null && needsSecret) throw section.wrong('client_secret', `is missing for ${name}`)
  const envScope = fromEnv(env, name, 'SCOPE', 'SCOPE')
  const scope = section.words('scope') ?? (envScope === null ? usual : words(envScope))
  if (kind !== 'github' && !scope.includes('openid')) throw section.wrong('scope', `must include "openid" for ${name}`)
  const redirect = section.text('redirect_uri')
  const isPath = redirect !== null && /^\/(?![/\\])[^?#\s]*$/.test(redirect)
  return { clientId, clientSecret, scope, redirectUri: isPath ? redirect : readAddress(reading, 'redirect_uri') }
}

const readProvider = (reading: Reading): ProviderConfig => {
  const { section } = reading
  const name = readName(section)
  const place = readPlace(reading, name)
  return {
    name,
    ...place,
    ...readClient(reading, name, place.kind),
    title: section.text('title') ?? (place.kind === 'oidc' ? name : presets[place.kind].title),
    syncUser: section.flag('sync_user') ?? false,
    secondFactor: section.flag('second_factor') ?? false,
    usernameClaim: section.text('username_claim'),
  }
}

const readWorkspace = (section: Section): string => {
  const name = section.text('name')
  if (name === null) throw section.wrong('name', 'is missing')
  if (!WORKSPACE.test(name))
    throw section.wrong('name', `is "${name}", but workspace names may contain only letters, digits, "-" and "_"`)
  return name
}

/** Reads the OAuth client for the Hub from the environment. A Hub Space provides this client only there. */
const ofSpace = ({ space, oauthEnv }: Given): IdentityConfig => {
  const clientId = fromEnv(oauthEnv, 'huggingface', 'CLIENT_ID', 'KEY')
  if (space === undefined || clientId === null) return noProviders
  const { title, scope, issuer } = presets.huggingface
  const asked = fromEnv(oauthEnv, 'huggingface', 'SCOPE', 'SCOPE')
  const provider: ProviderConfig = {
    name: 'huggingface',
    kind: 'huggingface',
    title,
    clientId,
    clientSecret: fromEnv(oauthEnv, 'huggingface', 'CLIENT_SECRET', 'SECRET'),
    scope: asked === null ? scope : [...new Set(['openid', ...words(asked)])],
    redirectUri: null,
    syncUser: false,
    secondFactor: false,
    issuer,
    endpoint: null,
    usernameClaim: null,
  }
  return { ...noProviders, providers: [provider] }
}

/**
 * Reads the identity providers from the configured file, with the environment as a fallback. Without a file there are no
 * providers, except the Hub inside a Space.
 * @throws IdentityConfigError that names the file and the problem
 */
export const readIdentityConfig = async (given: Given): Promise<IdentityConfig> => {
  const file = await readFileOf(given.oauthFile, (sentence) => new IdentityConfigError(sentence))
  if (file === null) return ofSpace(given)
  const allowHttpRedirect = file.flag('allow_http_redirect') ?? false
  const providers: ProviderConfig[] = []
  for (const section of file.sections('providers')) {
    const provider = readProvider({ section, env: given.oauthEnv, plainHttp: allowHttpRedirect })
    if (providers.some(({ name }) => name === provider.name))
      throw section.wrong('name', `"${provider.name}" is used more than once`)
    providers.push(provider)
  }
  const allowedWorkspaces = file.sections('allowed_workspaces').map(readWorkspace)
  return {
    providers,
    allowedWorkspaces: [...new Set(allowedWorkspaces)],
    allowHttpRedirect,
    notes: file.unread(['extra_backends']),
  }
}
