import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { newDatasetId } from '#platform/ids.ts'
import type { Micros } from '#platform/time.ts'
import type { StoredResponse } from './rows.ts'

type Place = { readonly dataset_no: number; readonly seq: number }
export type Replaced = Place & { readonly before: StoredResponse; readonly action: 'update' | 'delete' }

/** Saves the versions of answers before a change to the history. @param actor the user who makes the change */
export const storeVersions = (db: Db, replaced: readonly Replaced[], actor: string | null, at: Micros): Promise<void> =>
  db.dialect.insertMany(
    db.sql,
    'history',
    replaced.map(({ dataset_no, seq, before, action }) => ({
      dataset_no,
      seq,
      id: newDatasetId(dataset_no),
      subject: 'response' as const,
      subject_id: before.id,
      action,
      user_id: actor,
      at,
      image: json(before),
    })),
  )

/**
 * Writes tombstones for deleted answers. A tombstone's version is one above the deleted answer's, and an answer that is created
 * again starts above the tombstone's version.
 * @param mutationId ID of the idempotent request that deletes the answers
 */
export const insertTombstones = (
  db: Db,
  deleted: readonly (Place & { readonly before: StoredResponse })[],
  at: Micros,
  mutationId: string | null = null,
): Promise<void> =>
  db.dialect.insertMany(
    db.sql,
    'response_tombstones',
    deleted.map(({ dataset_no, seq, before }) => ({
      dataset_no,
      id: before.id,
      seq,
      record_id: before.record_id,
      user_id: before.user_id,
      version: before.version + 1,
      last_mutation_id: mutationId,
      deleted_at: at,
    })),
  )

const versionsOf = async (db: Db, { dataset_no, seq }: Place, userId: string): Promise<readonly StoredResponse[]> => {
  const rows = await db.sql
    .selectFrom('history')
    .select('image')
    .where('dataset_no', '=', dataset_no)
    .where('seq', '=', seq)
    .where('subject', '=', 'response')
    .execute()
  return rows.map((row) => row.image as unknown as StoredResponse).filter((version) => version.user_id === userId)
}

export type Tombstones = { readonly version: number; readonly byMutation: ReadonlyMap<string, string> }

/** Returns the tombstones of a user's answers to a record; null if there are none. */
export const tombstonesOf = async (db: Db, { dataset_no, seq }: Place, userId: string): Promise<Tombstones | null> => {
  const rows = await db.sql
    .selectFrom('response_tombstones')
    .select(['id', 'version', 'last_mutation_id'])
    .where('dataset_no', '=', dataset_no)
    .where('seq', '=', seq)
    .where('user_id', '=', userId)
    .execute()
  if (rows.length === 0) return null
  return {
    version: Math.max(...rows.map(({ version }) => version)),
    byMutation: new Map(rows.flatMap(({ id, last_mutation_id }) => (last_mutation_id === null ? [] : [[last_mutation_id, id]]))),
  }
}

/**
 * Returns the original outcome of an idempotent request: the answer after the change or, for a deletion, before it. Null if the
 * request was never processed.
 */
export const firstOutcome = async (
  db: Db,
  place: Place,
  request: { readonly user_id: string; readonly mutation_id: string },
): Promise<StoredResponse | null> => {
  const versions = await versionsOf(db, place, request.user_id)
  const replaced = versions.find((version) => version.last_mutation_id === request.mutation_id)
  if (replaced !== undefined) return replaced
  const tombstones = await tombstonesOf(db, place, request.user_id)
  const deletedId = tombstones?.byMutation.get(request.mutation_id)
  if (deletedId === undefined) return null
  const [last] = versions.filter((version) => version.id === deletedId).sort((a, b) => b.version - a.version)
  return last ?? null
}
