import type { Role } from '#platform/db/tables.ts'

/** A provider's claims about a user. */
export type Claims = { readonly [name: string]: unknown }

/**
 * The kinds of providers. The server knows the endpoints of `huggingface`, `github` and `google-oauth2`. For `keycloak`, the
 * operator sets the issuer. `oidc` is any other provider that supports OpenID Connect.
 */
export type ProviderKind = 'huggingface' | 'github' | 'google-oauth2' | 'keycloak' | 'oidc'

type Preset = {
  readonly title: string
  readonly scope: readonly string[]
  /**
   * The issuer whose OpenID Connect configuration is used, unless the operator sets another. Null if the operator must set it.
   */
  readonly issuer: string | null
  /** The authorization URL, if it is known without a request. */
  readonly authorize: string | null
  /** False if a client doesn't need a secret. */
  readonly needsSecret: boolean
  readonly usernameOf: (claims: Claims) => string | null
  readonly firstNameOf: (claims: Claims) => string | null
  /** The highest role that the claims grant; null if they don't mention roles. */
  readonly roleOf: (claims: Claims) => Role | null
  /** Names of the workspaces that the claims grant. Empty if they don't mention workspaces. */
  readonly workspacesOf: (claims: Claims) => readonly string[]
}

/** Returns the trimmed value of a claim. Null if the value isn't a string or is blank. */
export const textClaim = (claims: Claims, name: string): string | null => {
  const value = claims[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** The part of an email address before the `@`, unless the provider reports that the address is unverified. */
const mailbox = (claims: Claims): string | null =>
  claims['email_verified'] === false ? null : textClaim(claims, 'email')?.split('@')[0] || null

const ROLES: readonly Role[] = ['owner', 'admin', 'annotator']
const ROLE = 'argilla_role:'
const WORKSPACE = 'argilla_workspace:'

/** The realm roles that start with the prefix, with the prefix removed. */
const realmRoles = (claims: Claims, prefix: string): readonly string[] => {
  const access = claims['realm_access']
  const roles: unknown = typeof access === 'object' && access !== null ? Reflect.get(access, 'roles') : null
  const names = Array.isArray(roles) ? roles.filter((name) => typeof name === 'string') : []
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
}

const openid = {
  scope: ['openid', 'profile', 'email'],
  issuer: null,
  authorize: null,
  needsSecret: false,
  usernameOf: (claims) => textClaim(claims, 'preferred_username'),
  firstNameOf: (claims) => textClaim(claims, 'given_name'),
  roleOf: () => null,
  workspacesOf: () => [],
} satisfies Partial<Preset>

export const presets: { readonly [K in ProviderKind]: Preset } = {
  huggingface: {
    ...openid,
    title: 'Hugging Face',
    scope: ['openid', 'profile'],
    issuer: 'https://huggingface.co',
    authorize: 'https://huggingface.co/oauth/authorize',
  },
  github: {
    ...openid,
    title: 'GitHub',
    scope: [],
    authorize: 'https://github.com/login/oauth/authorize',
    needsSecret: true,
    usernameOf: (claims) => textClaim(claims, 'login'),
    firstNameOf: (claims) => textClaim(claims, 'name')?.split(/\s+/)[0] ?? null,
  },
  'google-oauth2': {
    ...openid,
    title: 'Google',
    scope: ['openid', 'email', 'profile'],
    issuer: 'https://accounts.google.com',
    authorize: 'https://accounts.google.com/o/oauth2/auth',
    needsSecret: true,
    usernameOf: mailbox,
  },
  keycloak: {
    ...openid,
    title: 'Keycloak',
    roleOf: (claims) => {
      const granted = realmRoles(claims, ROLE)
      return ROLES.find((role) => granted.includes(role)) ?? null
    },
    workspacesOf: (claims) => realmRoles(claims, WORKSPACE),
  },
  oidc: { ...openid, title: 'OpenID Connect' },
}
