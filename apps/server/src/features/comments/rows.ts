import type { CommentAbout } from '@postil/contract/comments.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import type { Micros } from '#platform/time.ts'

/** A comment, as the database returns it. */
export type StoredComment = {
  readonly id: string
  readonly record_id: string
  readonly parent: string | null
  readonly user_id: string
  readonly text: string
  readonly deleted: boolean
  readonly about: CommentAbout | null
  readonly mentions: readonly string[]
  readonly resolved_by: string | null
  readonly resolved_at: Micros | null
  readonly edited_at: Micros | null
  readonly inserted_at: Micros
}

const columns = [
  'id',
  'record_id',
  'parent',
  'user_id',
  'text',
  'deleted',
  'about',
  'mentions',
  'resolved_by',
  'resolved_at',
  'edited_at',
  'inserted_at',
] as const

/** The comments on records, by `seq`, oldest first. Records without any are left out. */
export const commentsOfRecords = async (
  db: Db,
  datasetNo: number,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, readonly StoredComment[]>> => {
  if (seqs.length === 0) return new Map()
  const rows = await db.sql
    .selectFrom('comments')
    .select(['seq', ...columns])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .orderBy('inserted_at')
    .orderBy('id')
    .execute()
  const found = new Map<number, StoredComment[]>()
  for (const { seq, deleted, ...row } of rows) {
    // The contract's schema validated `about` before it was stored.
    const comment = { ...row, deleted: Boolean(deleted) } as unknown as StoredComment
    const known = found.get(seq)
    if (known === undefined) found.set(seq, [comment])
    else known.push(comment)
  }
  return found
}

/** Stores new comments. Doesn't add them to the mention lists of the people whom they mention. */
export const insertComments = (
  db: Db,
  datasetNo: number,
  comments: readonly (StoredComment & { readonly seq: number })[],
): Promise<void> =>
  db.dialect.insertMany(
    db.sql,
    'comments',
    comments.map(({ about, mentions, ...comment }) => ({
      ...comment,
      dataset_no: datasetNo,
      about: about && json(about),
      mentions: json(mentions),
    })),
  )

/** Removes the comments on records that are being deleted. */
export const removeComments = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<void> => {
  const among = db.dialect.listed(seqs)
  const rows = await db.sql
    .selectFrom('comments')
    .select('id')
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', among)
    .execute()
  if (rows.length === 0) return
  await removeMentions(
    db,
    datasetNo,
    rows.map(({ id }) => id),
  )
  await db.sql.deleteFrom('comments').where('dataset_no', '=', datasetNo).where('seq', 'in', among).execute()
}

/** Deletes the mentions in comments, so that the comments no longer appear in the lists of the mentioned people. */
export const removeMentions = async (db: Db, datasetNo: number, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await db.sql
    .deleteFrom('mentions')
    .where('dataset_no', '=', datasetNo)
    .where('comment_id', 'in', [...ids])
    .execute()
}
