import { hasUnstorable } from '@postil/contract/wire/code-points.ts'
import type { Role } from '#platform/db/tables.ts'
import type { ProviderConfig } from './configuration.ts'
import { type Claims, presets, textClaim } from './presets.ts'

/**
 * A user's identity at a provider. The combination of `issuer` and `subject` never changes and is never reassigned to another
 * user.
 */
export type Profile = {
  readonly issuer: string
  readonly subject: string
  readonly username: string
  readonly firstName: string
  /** Null if the provider doesn't mention roles. `workspaces` is empty if it doesn't mention workspaces. */
  readonly role: Role | null
  readonly workspaces: readonly string[]
}

/** Maximum length of a username. Usernames are index keys, which are limited in length. */
const MAX_NAME = 500
const WORKSPACE = /^[a-zA-Z0-9_-]{1,500}$/

const usable = (name: string | null): string | null =>
  name === null || hasUnstorable(name) || [...name].length > MAX_NAME ? null : name

/** @returns null if the provider supplies no usable username */
export const profileOf = (
  { kind, usernameClaim }: Pick<ProviderConfig, 'kind' | 'usernameClaim'>,
  issuer: string,
  subject: string,
  claims: Claims,
): Profile | null => {
  const preset = presets[kind]
  const username = usable(usernameClaim === null ? preset.usernameOf(claims) : textClaim(claims, usernameClaim))
  if (username === null) return null
  return {
    issuer,
    subject,
    username,
    firstName: usable(preset.firstNameOf(claims)) ?? username,
    role: preset.roleOf(claims),
    workspaces: [...new Set(preset.workspacesOf(claims))].filter((name) => WORKSPACE.test(name)),
  }
}
