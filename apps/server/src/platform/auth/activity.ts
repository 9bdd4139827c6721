import { command } from '#platform/db/operations.ts'
import type { Store } from '#platform/db/store.ts'
import { type Micros, now } from '#platform/time.ts'

/** Minimum time between two writes of a user's last activity. */
const INTERVAL: Micros = 5 * 60 * 1_000_000
/**
 * The maximum number of users whose last activity is kept in memory. If there are more, all entries are dropped, which costs one
 * additional write per user.
 */
const MAX_KNOWN = 100_000

const noteActivity = command('auth.note_activity', async (db, { user_id }: { user_id: string }): Promise<void> => {
  const at = now()
  await db.sql
    .insertInto('user_activity')
    .columns(['user_id', 'at'])
    // The row to insert is selected from `users`, so that nothing is stored for a user who has been deleted in the meantime.
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select((of) => ['users.id', of.val(at).as('at')])
        .where('users.id', '=', user_id),
    )
    .onConflict((oc) =>
      oc
        .column('user_id')
        .doUpdateSet({ at })
        .where('user_activity.at', '<=', at - INTERVAL),
    )
    .execute()
})

/**
 * Records that a user has sent a request. A process writes at most once per user and interval, and no request waits for the
 * write.
 */
export type Activity = { readonly note: (user_id: string) => void }

export const createActivity = (store: Pick<Store, 'write'>): Activity => {
  const noted = new Map<string, Micros>()
  return {
    note: (user_id) => {
      const at = now()
      const last = noted.get(user_id)
      if (last !== undefined && last > at - INTERVAL) return
      if (noted.size >= MAX_KNOWN) noted.clear()
      noted.set(user_id, at)
      // A failed write is ignored. The first request after the interval writes again.
      store.write(noteActivity, { user_id }).catch(() => undefined)
    },
  }
}
