import { Problem } from '@postil/contract/wire/errors.ts'
import type { Logger } from 'pino'
import { createAttempts } from '#platform/auth/attempts/attempts.ts'
import { createPasswords, type PasswordCost } from '#platform/auth/passwords/passwords.ts'
import { masterSecret } from '#platform/auth/secrets/master-secret.ts'
import type { Secrets } from '#platform/auth/secrets/secrets.ts'
import { secretsOfStore } from '#platform/auth/secrets/store-secret.ts'
import { createSecurityLog } from '#platform/auth/security-log.ts'
import { createTokens } from '#platform/auth/sessions/tokens.ts'
import { recordingSignIns } from '#platform/auth/sign-in-record.ts'
import type { Config } from '#platform/config/read-config.ts'
import { currentRequest } from '#platform/current-request.ts'
import { latestTime, startAfter } from '#platform/db/latest-time.ts'
import { openStore } from '#platform/db/open.ts'
import { type Watcher, watchStore } from '#platform/db/watch-store.ts'
import { entryUrl } from '#platform/entry.ts'
import { createLog } from '#platform/log.ts'
import { createUserShares } from '#platform/shares.ts'
import type { AppContext } from './context.ts'

export type ContextOptions = {
  /** True for a server, which owns its data folder; false for tools that run alongside one. */
  readonly exclusive: boolean
  readonly log?: Logger
  /** Tests use cheap hashes. */
  readonly passwordCost?: PasswordCost
}

/**
 * Opens everything that the configuration names: secrets, store and log.
 * @throws StoreError with a message for users if the store can't be opened or was sealed with another secret
 */
export const openContext = async (config: Config, options: ContextOptions): Promise<AppContext> => {
  const log = options.log ?? createLog(config.logLevel)
  const master = await masterSecret(config)
  const upgraded: { readonly from: string; readonly to: string; readonly begun: number }[] = []
  const store = await openStore({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    databaseDirectUrl: config.databaseDirectUrl,
    databaseReadUrl: config.databaseReadUrl,
    poolSize: config.databasePoolSize + config.databaseMaxOverflow,
    timeoutMs: config.sqliteTimeoutMs,
    operations: entryUrl('../operations').href,
    exclusive: options.exclusive,
    onReplicaAway: ({ message }) =>
      log.warn({ reason: message }, 'the replica is unavailable; using the primary database for long reads'),
    onUpgrade: (upgrade) => {
      log.info(upgrade, 'upgrading the database schema')
      upgraded.push({ ...upgrade, begun: performance.now() })
    },
    onEnd: (error) => log.error({ err: error }, 'a database thread exited and is being restarted'),
  })
  for (const { begun, ...upgrade } of upgraded)
    log.info({ ...upgrade, ms: Math.round(performance.now() - begun) }, 'upgraded the database schema')
  let secrets: Secrets
  try {
    secrets = await secretsOfStore(store, master, config)
    const latest = await store.read(latestTime, null).catch((error: unknown) => {
      if (!(error instanceof Problem && error.data.kind === 'unavailable')) throw error
      // A node of a cluster is down. The others can be used.
      log.warn({ reason: error.message }, 'could not compare the system clock with the latest time in the database')
      return 0
    })
    const behind = startAfter(latest)
    if (behind !== null)
      log.warn(
        { seconds: Math.round(behind / 1e6) },
        'the system clock is behind the latest time in the database; new times continue from there',
      )
  } catch (error) {
    await store.close()
    throw error
  }
  const watchers = new Set<Watcher>()
  if (config.slowMs > 0) {
    watchers.add(({ kind, name, ms }) => {
      if (ms <= config.slowMs) return
      const request = currentRequest()
      log.warn({ kind, name, ms: Math.round(ms), ...(request !== undefined && { request }) }, 'slow database operation')
    })
  }
  const key = config.authSecretKey === undefined ? secrets.keyFor('jwt') : Buffer.from(config.authSecretKey, 'utf8')
  const watched = watchStore(store, watchers)
  const limits = { perAccount: config.signInAttempts, windowMs: config.signInWaitMs }
  return {
    config,
    store: watched,
    watchers,
    ...createUserShares(),
    secrets,
    passwords: createPasswords(options.passwordCost),
    tokens: createTokens({ key, algorithm: config.authAlgorithm, seconds: config.authTokenSeconds }),
    attempts: createAttempts({ store: watched, key: secrets.keyFor('attempts') }, limits),
    security: recordingSignIns(createSecurityLog(log), watched),
    sessions: { idleSeconds: config.sessionIdleSeconds, maxSeconds: config.sessionMaxSeconds },
    log,
  }
}
