import { command, query } from '#platform/db/operations.ts'
import { type Micros, wallClock } from '#platform/time.ts'

/**
 * A key under which failed attempts are counted, for example for one username from one address. `limit` is the maximum number of
 * failures for the key.
 */
export type AttemptKey = { readonly key_hash: string; readonly limit: number }
type FailedAttempts = { readonly key_hash: string; readonly failed: number; readonly until: Micros }
type Keys = { readonly keys: readonly AttemptKey[] }

/**
 * The allowed clock difference between machines. A failure dated further in the future was recorded before the clock was set
 * back, so its age is unknown. It is ignored, because it could lock a user out for as long as the clock was ahead.
 */
const SKEW: Micros = 60_000_000

/** Returns the keys' failures that have not expired. */
export const findFailures = query(
  'auth.failed_attempts',
  async (db, { keys }: Keys): Promise<readonly FailedAttempts[]> =>
    db.sql
      .selectFrom('failed_sign_ins')
      .select(['key_hash', 'failed', 'until'])
      .where(
        'key_hash',
        'in',
        keys.map(({ key_hash }) => key_hash),
      )
      .where('until', '>', wallClock())
      .where('last_at', '<=', wallClock() + SKEW)
      .execute(),
  { single: true },
)

/**
 * Counts a failure for each key. The count expires `window` after the first failure. Each failure beyond the key's limit makes it
 * expire later.
 * @param window in microseconds
 */
export const countFailure = command('auth.count_failed', async (db, { keys, window }: Keys & { readonly window: number }) => {
  const at = wallClock()
  await db.sql
    .deleteFrom('failed_sign_ins')
    .where((eb) => eb.or([eb('until', '<=', at), eb('last_at', '>', at + SKEW)]))
    .execute()
  for (const { key_hash, limit } of keys.toSorted((a, b) => (a.key_hash < b.key_hash ? -1 : 1))) {
    // Several processes may allow attempts before any of them has counted a failure. Each failure beyond the limit extends the
    // wait by one attempt's share of the window.
    const longer = Math.ceil(window / limit)
    await db.sql
      .insertInto('failed_sign_ins')
      .values({ key_hash, failed: 1, until: at + window, last_at: at })
      .onConflict((oc) =>
        oc.column('key_hash').doUpdateSet((eb) => ({
          failed: eb('failed_sign_ins.failed', '+', 1),
          last_at: at,
          until: eb
            .case()
            .when('failed_sign_ins.failed', '>=', limit)
            .then(eb('failed_sign_ins.until', '+', longer))
            .else(eb.ref('failed_sign_ins.until'))
            .end(),
        })),
      )
      .execute()
  }
})

export const forgiveFailures = command('auth.forgive_failed', async (db, { key_hash }: Pick<AttemptKey, 'key_hash'>) => {
  await db.sql.deleteFrom('failed_sign_ins').where('key_hash', '=', key_hash).execute()
})
