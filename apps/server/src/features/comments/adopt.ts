import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { commentsOfRecords, insertComments, removeMentions, type StoredComment } from './rows.ts'

/** A comment from another server. `listed_for`: the people whose lists of mentions contain the comment. */
export type AdoptedComment = StoredComment & { readonly seq: number; readonly listed_for: readonly string[] }

const isOfThread = (first: string) => (comment: StoredComment) => comment.id === first || comment.parent === first

/** Updates a comment that has changed on the other server since it was copied. */
const update = async (
  db: Db,
  datasetNo: number,
  { before, comment, all }: { before: StoredComment; comment: AdoptedComment; all: readonly StoredComment[] },
): Promise<void> => {
  const isEdited = !before.deleted && (comment.deleted || (comment.edited_at ?? 0) > (before.edited_at ?? 0))
  // No time is stored when a thread is opened again, so it isn't known which server has the later state. A thread that is
  // resolved on one of the servers stays resolved.
  const isResolved = comment.resolved_at !== null && before.resolved_at === null
  if (!isEdited && !isResolved) return
  const { text, deleted, edited_at, mentions, resolved_by, resolved_at } = comment
  await db.sql
    .updateTable('comments')
    .set({
      ...(isEdited && { text, deleted, edited_at, mentions: json(mentions) }),
      ...(isResolved && { resolved_by, resolved_at }),
    })
    .where('dataset_no', '=', datasetNo)
    .where('seq', '=', comment.seq)
    .where('id', '=', comment.id)
    .execute()
  if (isResolved)
    await removeMentions(
      db,
      datasetNo,
      all.filter(isOfThread(comment.id)).map(({ id }) => id),
    )
}

/**
 * Stores comments from another server with their IDs, authors and times. Updates comments that were copied earlier and have
 * changed since. The caller has locked the records.
 */
export const adoptComments = async (db: Db, datasetNo: number, comments: readonly AdoptedComment[]): Promise<void> => {
  const stored = await commentsOfRecords(db, datasetNo, [...new Set(comments.map(({ seq }) => seq))])
  const added: AdoptedComment[] = []
  for (const comment of comments) {
    const all = stored.get(comment.seq) ?? []
    const before = all.find(({ id }) => id === comment.id)
    if (before === undefined) added.push(comment)
    else await update(db, datasetNo, { before, comment, all })
  }
  await insertComments(
    db,
    datasetNo,
    added.map(({ listed_for: _, ...comment }) => comment),
  )
  await db.dialect.insertMany(
    db.sql,
    'mentions',
    added.flatMap(({ id, record_id, user_id, inserted_at, listed_for }) =>
      listed_for.map((mentioned) => ({
        user_id: mentioned,
        comment_id: id,
        dataset_no: datasetNo,
        record_id,
        by_id: user_id,
        at: inserted_at,
      })),
    ),
    { ignoreConflicts: true },
  )
}
