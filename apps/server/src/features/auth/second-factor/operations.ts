import { insertSession, type NewSessionRow, signOutEverywhere } from '#platform/auth/sessions/sessions.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import { type Micros, now } from '#platform/time.ts'

type Of = { readonly user_id: string }
export type FactorRow = {
  readonly secret_sealed: string
  /** Null until the user has entered a first code. */
  readonly active_since: Micros | null
  readonly recovery: readonly string[]
}

const rowOf = (db: Db, { user_id }: Of) =>
  db.sql.selectFrom('second_factors').select(['secret_sealed', 'active_since', 'recovery']).where('user_id', '=', user_id)

export const findFactor = query(
  'second_factor.find',
  async (db, of: Of): Promise<FactorRow | null> => (await rowOf(db, of).executeTakeFirst()) ?? null,
  { single: true },
)

/**
 * Stores a secret that isn't confirmed by a code yet, replacing an earlier unconfirmed one. @returns false if a second factor
 * is already active
 */
export const storeSecret = command(
  'second_factor.keep',
  async (db, { user_id, secret_sealed }: Of & { readonly secret_sealed: string }): Promise<boolean> => {
    const known = await db.dialect.forUpdate(rowOf(db, { user_id })).executeTakeFirst()
    if (known !== undefined && known.active_since !== null) return false
    await db.sql.deleteFrom('second_factors').where('user_id', '=', user_id).execute()
    const row = { user_id, secret_sealed, active_since: null, last_step: 0, recovery: json([]) }
    await db.sql.insertInto('second_factors').values(row).execute()
    return true
  },
)

/** Records that the code for a time step was used. @returns whether the step is later than every step used before */
export const consumeStep = command(
  'second_factor.take_step',
  async (db, { user_id, step }: Of & { readonly step: number }): Promise<boolean> => {
    const used = await db.sql
      .updateTable('second_factors')
      .set({ last_step: step })
      .where('user_id', '=', user_id)
      .where('last_step', '<', step)
      .executeTakeFirst()
    return used.numUpdatedRows > 0n
  },
  { isPreparation: true },
)

/** Consumes a recovery code. @returns whether the code existed */
export const consumeRecoveryCode = command(
  'second_factor.take_recovery',
  async (db, { user_id, hash }: Of & { readonly hash: string }): Promise<boolean> => {
    const row = await db.dialect.forUpdate(rowOf(db, { user_id })).executeTakeFirst()
    if (row === undefined || !row.recovery.includes(hash)) return false
    const recovery = json(row.recovery.filter((one) => one !== hash))
    await db.sql.updateTable('second_factors').set({ recovery }).where('user_id', '=', user_id).execute()
    return true
  },
  { isPreparation: true },
)

type Codes = { readonly recovery: readonly string[] }
/** The current time. It must come from the clock that dates bearer tokens, because it is compared with their issue times. */
type StepAtTime = { readonly at: Micros }

/**
 * Activates the second factor. Ends all sessions and tokens that were issued without it, and starts the given session.
 * @returns whether there was a second factor to activate
 */
export const activate = command(
  'second_factor.activate',
  async (
    db,
    { user_id, recovery, at, session }: Of & Codes & StepAtTime & { readonly session: NewSessionRow | null },
  ): Promise<boolean> => {
    const row = await db.dialect.forUpdate(rowOf(db, { user_id })).executeTakeFirst()
    if (row === undefined || row.active_since !== null) return false
    await db.sql
      .updateTable('second_factors')
      .set({ active_since: now(), recovery: json([...recovery]) })
      .where('user_id', '=', user_id)
      .execute()
    await signOutEverywhere(db, user_id, at)
    if (session !== null) await insertSession(db, session)
    return true
  },
)

/** Replaces the recovery codes. @returns whether a second factor is active */
export const renewRecovery = command('second_factor.renew', async (db, { user_id, recovery }: Of & Codes): Promise<boolean> => {
  const renewed = await db.sql
    .updateTable('second_factors')
    .set({ recovery: json([...recovery]) })
    .where('user_id', '=', user_id)
    .where('active_since', 'is not', null)
    .executeTakeFirst()
  return renewed.numUpdatedRows > 0n
})

const deleteFactor = async (db: Db, user_id: string): Promise<boolean> => {
  const deleted = await db.sql.deleteFrom('second_factors').where('user_id', '=', user_id).executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/**
 * Removes a user's second factor at the user's request. Sessions continue with a single factor. Bearer tokens end because they
 * claim two factors.
 */
export const removeFactor = command('second_factor.remove', async (db, { user_id, at }: Of & StepAtTime): Promise<boolean> => {
  await db.sql.updateTable('sessions').set({ two_factors: false }).where('user_id', '=', user_id).execute()
  await db.sql.updateTable('users').set({ tokens_valid_from: at }).where('id', '=', user_id).execute()
  return deleteFactor(db, user_id)
})

/**
 * Removes the second factor of a user who lost their device. Signs the user out everywhere, including on the lost device.
 * @returns whether there was a second factor
 */
export const resetFactor = command('second_factor.reset', async (db, { user_id, at }: Of & StepAtTime): Promise<boolean> => {
  await signOutEverywhere(db, user_id, at)
  return deleteFactor(db, user_id)
})
