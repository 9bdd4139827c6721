import { command, query } from '#platform/db/operations.ts'
import { type Micros, wallClock } from '#platform/time.ts'

/** What an attempt counts for, such as a name from an address, and how often it may fail. */
export type AttemptKey = { readonly key_hash: string; readonly limit: number }
export type FailedAttempts = { readonly key_hash: string; readonly failed: number; readonly until: Micros }
type Keys = { readonly keys: readonly AttemptKey[] }

/**
 * How far the clocks of several machines may be apart. What happened later than that from now on happened before the clock was set back, and nobody knows how
 * long ago: it is forgotten, because it could keep somebody out for as long as the clock was ahead.
 */
const SKEW: Micros = 60_000_000

/** What is known of the keys' failures and not forgotten yet. */
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
 * Counts a failure of each key, for a while after the first of them.
 * @param window the while, in microseconds
 */
export const countFailure = command('auth.count_failed', async (db, { keys, window }: Keys & { readonly window: number }) => {
  const at = wallClock()
  await db.sql
    .deleteFrom('failed_sign_ins')
    .where((eb) => eb.or([eb('until', '<=', at), eb('last_at', '>', at + SKEW)]))
    .execute()
  for (const { key_hash, limit } of keys.toSorted((a, b) => (a.key_hash < b.key_hash ? -1 : 1))) {
    // NOTE: several processes may be asked at once, before one has counted; what is too many then costs the time that it takes in turn
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
