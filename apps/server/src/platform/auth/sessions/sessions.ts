import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import type { Store } from '#platform/db/store.ts'
import { type Micros, now } from '#platform/time.ts'
import { hashToken } from '../credentials.ts'
import type { User } from '../user.ts'

/** A browser session's idle and maximum lifetime, in seconds. */
export type SessionSettings = { readonly idleSeconds: number; readonly maxSeconds: number }

const MICROS = 1_000_000
/** Minimum time between two updates of a session's activity, in microseconds, so that reads rarely cause writes. */
const NOTE_INTERVAL = 5 * 60 * MICROS

/** A session to be created. */
export type NewSessionRow = {
  readonly token_hash: string
  readonly user_id: string
  readonly maxSeconds: number
  readonly agent: string | null
  readonly two_factors: boolean
}

/** A live session. `noted` is true if its activity was recorded recently. */
export type Session = {
  readonly user: User
  readonly inserted_at: Micros
  readonly expires_at: Micros
  readonly noted: boolean
}

type CreatedSession = { readonly expires_at: Micros }

/** Runs inside a command. */
export const insertSession = async (db: Db, { maxSeconds, ...session }: NewSessionRow): Promise<CreatedSession> => {
  const at = now()
  // A user's expired sessions are deleted when a new one begins. No other cleanup is needed.
  await db.sql.deleteFrom('sessions').where('user_id', '=', session.user_id).where('expires_at', '<=', at).execute()
  const expires_at = at + maxSeconds * MICROS
  await db.sql
    .insertInto('sessions')
    .values({ ...session, inserted_at: at, seen_at: at, expires_at })
    .execute()
  return { expires_at }
}

export const createSession = command('auth.create_session', insertSession)

/** Starts a session that replaces another one. */
export const replaceSession = command(
  'auth.replace_session',
  async (db, { ended, session }: { ended: string; session: NewSessionRow }): Promise<CreatedSession> => {
    await db.sql.deleteFrom('sessions').where('token_hash', '=', ended).execute()
    return insertSession(db, session)
  },
)

const findSession = query(
  'auth.find_session',
  async (db, { token_hash, idleSeconds }: { token_hash: string; idleSeconds: number }): Promise<Session | null> => {
    const at = now()
    const row = await db.sql
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['users.id', 'users.username', 'users.first_name', 'users.role', 'users.is_agent'])
      .select(['sessions.inserted_at', 'sessions.seen_at', 'sessions.expires_at', 'sessions.two_factors'])
      .where('sessions.token_hash', '=', token_hash)
      .where('users.deactivated_at', 'is', null)
      .where('sessions.expires_at', '>', at)
      .where('sessions.seen_at', '>', at - idleSeconds * MICROS)
      .executeTakeFirst()
    if (row === undefined) return null
    const { inserted_at, seen_at, expires_at, two_factors, ...user } = row
    return { user: { ...user, hasShownTwo: two_factors }, inserted_at, expires_at, noted: seen_at > at - NOTE_INTERVAL }
  },
  { single: true },
)

/** Returns the live session for a cookie's token, or null. */
export const readSession = (store: Store, { idleSeconds }: SessionSettings, token: string): Promise<Session | null> =>
  store.read(findSession, { token_hash: hashToken(token), idleSeconds })

export const noteSession = command('auth.note_session', async (db, { token_hash }: { token_hash: string }): Promise<void> => {
  await db.sql.updateTable('sessions').set({ seen_at: now() }).where('token_hash', '=', token_hash).execute()
})

export const endSession = command('auth.end_session', async (db, { token_hash }: { token_hash: string }): Promise<void> => {
  await db.sql.deleteFrom('sessions').where('token_hash', '=', token_hash).execute()
})

/** A session as shown to its user. The ID reveals nothing about the token. */
type ListedSession = {
  readonly id: string
  readonly token_hash: string
  readonly inserted_at: Micros
  readonly seen_at: Micros
  readonly expires_at: Micros
  readonly agent: string | null
}

const idOf = (token_hash: string): string => {
  const hex = hashToken(`session ${token_hash}`)
  // A version 8 UUID (RFC 9562), which has a custom layout.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const liveSessions = async (db: Db, user_id: string, idleSeconds: number): Promise<ListedSession[]> => {
  const at = now()
  const rows = await db.sql
    .selectFrom('sessions')
    .select(['token_hash', 'inserted_at', 'seen_at', 'expires_at', 'agent'])
    .where('user_id', '=', user_id)
    .where('expires_at', '>', at)
    .where('seen_at', '>', at - idleSeconds * MICROS)
    .orderBy('seen_at', 'desc')
    .orderBy('token_hash')
    .execute()
  return rows.map((row) => ({ id: idOf(row.token_hash), ...row }))
}

export const listSessions = query(
  'auth.list_sessions',
  (db, { user_id, idleSeconds }: { user_id: string; idleSeconds: number }): Promise<ListedSession[]> =>
    liveSessions(db, user_id, idleSeconds),
  { single: true },
)

/**
 * Ends all of a user's sessions, open sign-in links and bearer tokens. Runs inside a command.
 * @param at the caller's current time. It must come from the thread that dates tokens, because each thread has its own clock
 */
export const signOutEverywhere = async (db: Db, user_id: string, at: Micros): Promise<void> => {
  await db.sql.deleteFrom('sessions').where('user_id', '=', user_id).execute()
  await db.sql.deleteFrom('sign_in_links').where('user_id', '=', user_id).execute()
  await db.sql.updateTable('users').set({ tokens_valid_from: at }).where('id', '=', user_id).execute()
}

export const endAllSessions = command(
  'auth.end_all_sessions',
  (db, { user_id, at }: { user_id: string; at: Micros }): Promise<void> => signOutEverywhere(db, user_id, at),
)
