import { bool, int, json, nullable, text, time, uuid } from './columns.ts'

export type Role = 'owner' | 'admin' | 'annotator'

const times = { inserted_at: time(), updated_at: time() }

/** Who may come in, how, and what they did to the whole. Part of `tables`. */
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
    /** Bearer tokens made before do not count: set by signing out everywhere and by a new password. */
    tokens_valid_from: nullable(time()),
    /** Since when the user may not sign in; null for all others. */
    deactivated_at: nullable(time()),
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
    /** What the browser called itself; null where it did not. */
    agent: nullable(text()),
    /** Whether whoever began it had shown a second factor, or somebody vouched for one. */
    two_factors: bool(),
  },
  sign_in_links: { token_hash: text(), user_id: uuid(), expires_at: time(), two_factors: bool() },
  /** How often signing in has failed for a name and an address, as keyed hashes, and when that is forgotten; both times are those of the machine's clock. */
  failed_sign_ins: { key_hash: text(), failed: int(), until: time(), last_at: time() },
  /** What signing in takes beside a password: the secret of time-based codes and the hashes of recovery codes. */
  second_factors: {
    user_id: uuid(),
    secret_sealed: text(),
    /** Null until a first code of it was shown: it does not count yet. */
    active_since: nullable(time()),
    /** The last step of the clock whose code was taken: a code counts once. */
    last_step: int(),
    recovery: json<readonly string[]>(),
  },
  /** Who did what to the server, its people and its datasets; the store refuses to change or remove a row. */
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
  /** Who a user is at identity providers, and ways back from them that were taken: each leads in once. */
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
