import { bool, int, json, nullable, text, time, uuid } from './columns.ts'

export type Role = 'owner' | 'admin' | 'annotator'

const times = { inserted_at: time(), updated_at: time() }

/** Tables for users, authentication and the audit log. Part of `tables`. */
export const peopleTables = {
  users: {
    id: uuid(),
    first_name: text(),
    last_name: nullable(text()),
    username: text(),
    role: text<Role>(),
    password_hash: text(),
    api_key_hash: text(),
    api_key_sealed: text(),
    /** Bearer tokens issued before this time are invalid. Set by signing out everywhere and by changing the password. */
    tokens_valid_from: nullable(time()),
    /** When the user was deactivated; null for active users. */
    deactivated_at: nullable(time()),
    /** Whether the user is a program. Agents can't answer. */
    is_agent: bool(),
    ...times,
  },
  workspaces: { id: uuid(), name: text(), ...times },
  memberships: { workspace_id: uuid(), user_id: uuid(), inserted_at: time() },
  sessions: {
    token_hash: text(),
    user_id: uuid(),
    inserted_at: time(),
    seen_at: time(),
    expires_at: time(),
    /** The browser's user agent; null if it sent none. */
    agent: nullable(text()),
    /** Whether the user signed in with a second factor or through a provider that requires one. */
    two_factors: bool(),
  },
  sign_in_links: { token_hash: text(), user_id: uuid(), expires_at: time(), two_factors: bool() },
  /** When each user last sent a request, accurate to a few minutes. */
  user_activity: { user_id: uuid(), at: time() },
  /** Open and expired invitations. Accepting an invitation creates the user and deletes the invitation's row. */
  invitations: {
    id: uuid(),
    token_hash: text(),
    username: text(),
    first_name: text(),
    last_name: nullable(text()),
    role: text<Role>(),
    workspace_ids: json<readonly string[]>(),
    invited_by: uuid(),
    inserted_at: time(),
    expires_at: time(),
  },
  /** Users who chose their usernames themselves, by accepting an invitation. No provider vouches for these names. */
  invited_users: { user_id: uuid() },
  /** Links with which users can set a new password once. A user has at most one. */
  password_links: { user_id: uuid(), token_hash: text(), created_by: uuid(), inserted_at: time(), expires_at: time() },
  /**
   * Counts of failed sign-ins. Each row counts failures for an account, a client address, or a combination of both. The key is a
   * keyed hash of these. The row contains the number of failures, the time at which the count expires, and the time of the last
   * failure. Both times come from the machine's clock.
   */
  failed_sign_ins: { key_hash: text(), failed: int(), until: time(), last_at: time() },
  /** Second factors: the secret for time-based codes and the hashes of recovery codes. */
  second_factors: {
    user_id: uuid(),
    secret_sealed: text(),
    /** Null until the first code is entered. Until then, the factor is inactive. */
    active_since: nullable(time()),
    /** The last time step whose code was accepted. Each code works once. */
    last_step: int(),
    recovery: json<readonly string[]>(),
  },
  /** The audit log. The database refuses to change or remove a row. */
  audit: {
    id: uuid(),
    at: time(),
    actor_id: nullable(uuid()),
    actor_name: text(),
    action: text(),
    target_id: nullable(text()),
    target_name: nullable(text()),
    details: json<{ readonly [name: string]: string | number | boolean | null }>(),
    address: nullable(text()),
  },
  /**
   * Successful and failed sign-ins, one row for all sign-ins of the same kind within an hour. `username` is null if the name is
   * unknown, because people type passwords into the username field.
   */
  sign_ins: {
    id: uuid(),
    group_key: text(),
    at: time(),
    last_at: time(),
    times: int(),
    succeeded: bool(),
    user_id: nullable(uuid()),
    username: nullable(text()),
    means: text(),
    address: text(),
  },
  /** Users' identities at providers, and hashes of used sign-in states. Each state works once. */
  oauth_identities: {
    issuer: text(),
    subject: text(),
    user_id: uuid(),
    provider: text(),
    made_user: bool(),
    inserted_at: time(),
  },
  oauth_states: { state_hash: text(), expires_at: time() },
} as const
