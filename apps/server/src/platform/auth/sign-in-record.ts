import { command } from '#platform/db/operations.ts'
import type { Store } from '#platform/db/store.ts'
import { newId } from '#platform/ids.ts'
import { type Micros, now } from '#platform/time.ts'
import { networkOf } from './attempts/network-of.ts'
import type { SecurityEvent, SecurityLog, SignInMethod } from './security-log.ts'

const HOUR: Micros = 60 * 60 * 1_000_000
const KEPT: Micros = 90 * 24 * HOUR
/** Maximum numbers of rows. Failures have a separate maximum, so that an attacker can't displace successful sign-ins. */
const MOST = { succeeded: 50_000, failed: 10_000 } as const

type SignInAttempt = {
  readonly succeeded: boolean
  readonly user_id: string | null
  readonly means: SignInMethod
  readonly address: string
  readonly most?: number
}

/** Records a sign-in. Repetitions within an hour only increase a count, and old rows are removed. */
export const noteSignIn = command(
  'auth.note_sign_in',
  async (db, { succeeded, user_id, means, address, most }: SignInAttempt): Promise<void> => {
    const at = now()
    const hour = Math.floor(at / HOUR)
    const group_key = [succeeded ? 'yes' : 'no', user_id ?? '', means, networkOf(address), hour].join(' ')
    const repeated = await db.sql
      .updateTable('sign_ins')
      .set((eb) => ({ times: eb('times', '+', 1), last_at: at }))
      .where('group_key', '=', group_key)
      .executeTakeFirst()
    if (repeated.numUpdatedRows > 0n) return
    const user =
      user_id === null
        ? undefined
        : await db.sql.selectFrom('users').select('username').where('id', '=', user_id).executeTakeFirst()
    await db.sql
      .insertInto('sign_ins')
      .values({
        id: newId(),
        group_key,
        at,
        last_at: at,
        times: 1,
        succeeded,
        user_id,
        username: user?.username ?? null,
        means,
        address,
      })
      .onConflict((oc) => oc.column('group_key').doUpdateSet((eb) => ({ times: eb('sign_ins.times', '+', 1), last_at: at })))
      .execute()
    await db.sql
      .deleteFrom('sign_ins')
      .where('at', '<', at - KEPT)
      .execute()
    const first = await db.sql
      .selectFrom('sign_ins')
      .select('id')
      .where('succeeded', '=', succeeded)
      .orderBy('id', 'desc')
      .offset(most ?? (succeeded ? MOST.succeeded : MOST.failed))
      .limit(1)
      .executeTakeFirst()
    if (first !== undefined)
      await db.sql.deleteFrom('sign_ins').where('succeeded', '=', succeeded).where('id', '<=', first.id).execute()
  },
)

const RECORDED: { readonly [E in SecurityEvent]?: boolean } = { 'signed in': true, 'sign-in failed': false }

/** Wraps the security log so that sign-ins are also stored for the audit log. No request waits for the write. */
export const recordingSignIns = (log: SecurityLog, store: Pick<Store, 'write'>): SecurityLog => ({
  note: (event, fields) => {
    log.note(event, fields)
    const succeeded = RECORDED[event]
    if (succeeded === undefined || fields.means === undefined) return
    const { user, means, address } = fields
    // The security log has the event, even if the store can't record it.
    store.write(noteSignIn, { succeeded, user_id: user ?? null, means, address }).catch(() => undefined)
  },
})
