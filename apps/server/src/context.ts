import type { Logger } from 'pino'
import type { Attempts } from '#platform/auth/attempts/attempts.ts'
import type { Passwords } from '#platform/auth/passwords/passwords.ts'
import type { Secrets } from '#platform/auth/secrets/secrets.ts'
import type { SecurityLog } from '#platform/auth/security-log.ts'
import type { SessionSettings } from '#platform/auth/sessions/sessions.ts'
import type { Tokens } from '#platform/auth/sessions/tokens.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import type { Watcher } from '#platform/db/watch-store.ts'
import type { UserShares } from '#platform/shares.ts'

/** Resources that every part of the server uses, created once at startup by `open-context.ts`. */
export type AppContext = UserShares & {
  readonly config: Config
  readonly store: Store
  /** Notified of every read and write of the store. */
  readonly watchers: Set<Watcher>
  readonly secrets: Secrets
  readonly passwords: Passwords
  readonly tokens: Tokens
  readonly attempts: Attempts
  readonly security: SecurityLog
  readonly sessions: SessionSettings
  readonly log: Logger
}
