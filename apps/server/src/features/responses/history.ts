import type { Db } from '#platform/db/db.ts'
import { earlierVersions } from '#platform/db/statements/earlier-versions.ts'
import type { StoredResponse } from './rows.ts'

type Place = { readonly dataset_no: number; readonly seq: number }
type Request = { readonly user_id: string; readonly mutation_id: string }

const versionsOf = async (db: Db, { dataset_no, seq }: Place, userId: string): Promise<readonly StoredResponse[]> => {
  const versions = await earlierVersions<StoredResponse>(db, dataset_no, [seq], 'response')
  return versions.map(({ version }) => version).filter((version) => version.user_id === userId)
}

/** Returns the ID of the answer that an idempotent request deleted; null if it deleted none. */
const deletedBy = async (db: Db, { dataset_no, seq }: Place, request: Request): Promise<string | null> => {
  const row = await db.sql
    .selectFrom('response_tombstones')
    .select('id')
    .where('dataset_no', '=', dataset_no)
    .where('seq', '=', seq)
    .where('user_id', '=', request.user_id)
    .where('last_mutation_id', '=', request.mutation_id)
    .executeTakeFirst()
  return row?.id ?? null
}

/**
 * Returns the original outcome of an idempotent request: the answer after the change or, for a deletion, before it. Null if the
 * request was never processed.
 */
export const firstOutcome = async (db: Db, place: Place, request: Request): Promise<StoredResponse | null> => {
  const earlier = await versionsOf(db, place, request.user_id)
  const replaced = earlier.find((version) => version.last_mutation_id === request.mutation_id)
  if (replaced !== undefined) return replaced
  const deletedId = await deletedBy(db, place, request)
  if (deletedId === null) return null
  const versions = earlier.filter((version) => version.id === deletedId).sort((a, b) => b.version - a.version)
  return versions[0] ?? null
}
