import { insertSession, type NewSessionRow, signOutEverywhere } from '#platform/auth/sessions/sessions.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import { type Micros, now } from '#platform/time.ts'

type Of = { readonly user_id: string }
export type FactorRow = {
  readonly secret_sealed: string
  /** Null until a first code of it was shown. */
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

/** Keeps a secret of which no code was shown yet, in place of an earlier one. @returns whether none counts already */
export const keepSecret = command(
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

/** Notes that a code of a step was shown. @returns whether it is the first of that step, or a later one */
export const takeStep = command(
  'second_factor.take_step',
  async (db, { user_id, step }: Of & { readonly step: number }): Promise<boolean> => {
    const taken = await db.sql
      .updateTable('second_factors')
      .set({ last_step: step })
      .where('user_id', '=', user_id)
      .where('last_step', '<', step)
      .executeTakeFirst()
    return taken.numUpdatedRows > 0n
  },
  { before: true },
)

/** Uses up a recovery code. @returns whether there was one */
export const takeRecovery = command(
  'second_factor.take_recovery',
  async (db, { user_id, hash }: Of & { readonly hash: string }): Promise<boolean> => {
    const row = await db.dialect.forUpdate(rowOf(db, { user_id })).executeTakeFirst()
    if (row === undefined || !row.recovery.includes(hash)) return false
    const recovery = json(row.recovery.filter((one) => one !== hash))
    await db.sql.updateTable('second_factors').set({ recovery }).where('user_id', '=', user_id).execute()
    return true
  },
  { before: true },
)

type Codes = { readonly recovery: readonly string[] }
/** The present by the clock that bearer tokens are made by. */
type At = { readonly at: Micros }

/**
 * Has the factor count from now on. All sessions and tokens that were begun without it end, and the one that is given begins.
 * @returns whether there was one that did not count yet
 */
export const activate = command(
  'second_factor.activate',
  async (
    db,
    { user_id, recovery, at, session }: Of & Codes & At & { readonly session: NewSessionRow | null },
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

/** Puts recovery codes in the place of those that there are. @returns whether there is a factor that counts */
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
  const gone = await db.sql.deleteFrom('second_factors').where('user_id', '=', user_id).executeTakeFirst()
  return gone.numDeletedRows > 0n
}

/** For its user. Sessions go on, as begun by one factor, and bearer tokens, which say otherwise, end. */
export const removeFactor = command('second_factor.remove', async (db, { user_id, at }: Of & At): Promise<boolean> => {
  await db.sql.updateTable('sessions').set({ two_factors: false }).where('user_id', '=', user_id).execute()
  await db.sql.updateTable('users').set({ tokens_valid_from: at }).where('id', '=', user_id).execute()
  return deleteFactor(db, user_id)
})

/** For somebody whose device is lost: whoever has it now is signed out with them. @returns whether there was one */
export const resetFactor = command('second_factor.reset', async (db, { user_id, at }: Of & At): Promise<boolean> => {
  await signOutEverywhere(db, user_id, at)
  return deleteFactor(db, user_id)
})
