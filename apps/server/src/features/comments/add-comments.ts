import { maxCommentsPerRecord } from '@postil/contract/wire/limits.ts'
import type { Db } from '#platform/db/db.ts'
import { newDatasetId } from '#platform/ids.ts'
import { type Micros, now } from '#platform/time.ts'
import { commentsOfRecords, insertComments, type StoredComment } from './rows.ts'

/** A comment that was written elsewhere. */
export type AddedComment = {
  readonly record: { readonly id: string; readonly seq: number }
  readonly user_id: string
  readonly text: string
  /** Missing if it isn't known. */
  readonly at?: Micros | undefined
  /** When the comment's thread was resolved. True if the thread was resolved at an unknown time. */
  readonly resolved?: Micros | true | undefined
  /** Identifies the comment on its record, so that replies can refer to it. */
  readonly key?: string | undefined
  /** The key of the first comment in the thread. */
  readonly parent?: string | undefined
  readonly about?: Pick<NonNullable<StoredComment['about']>, 'question' | 'span'> | undefined
}

/** `kept`: the record already has the same comment by this user. `full`: the record has too many comments. */
type Outcome = 'stored' | 'kept' | 'full'

/**
 * Adds comments to records that the command has locked or created. The comments mention nobody, because they were written
 * elsewhere.
 * @param importer stored as the user who resolved the threads, because the actual user isn't known
 * @returns the outcome of each comment
 */
export const addComments = async (
  db: Db,
  datasetNo: number,
  comments: readonly AddedComment[],
  importer: string,
): Promise<readonly Outcome[]> => {
  if (comments.length === 0) return []
  const stored = await commentsOfRecords(db, datasetNo, [...new Set(comments.map(({ record }) => record.seq))])
  const bySeq = new Map<number, StoredComment[]>([...stored].map(([seq, list]) => [seq, [...list]]))
  /** The ID of the first comment in each comment's thread. The key consists of the record's `seq` and the comment's key. */
  const threads = new Map<string, string>()
  const added: (StoredComment & { readonly seq: number })[] = []
  const outcomes = comments.map(({ record, user_id, text, at, resolved, key, parent, about }): Outcome => {
    const { seq } = record
    const list = bySeq.get(seq) ?? []
    bySeq.set(seq, list)
    const remember = (id: string): void => {
      if (key !== undefined) threads.set(`${seq} ${key}`, id)
    }
    const same = list.find((one) => !one.deleted && one.user_id === user_id && one.text === text)
    if (same !== undefined) {
      remember(same.parent ?? same.id)
      return 'kept'
    }
    if (list.length >= maxCommentsPerRecord) return 'full'
    const thread = parent === undefined ? null : (threads.get(`${seq} ${parent}`) ?? null)
    const written = at ?? now()
    const isResolved = resolved !== undefined && thread === null
    const comment = {
      id: newDatasetId(datasetNo),
      seq,
      record_id: record.id,
      parent: thread,
      user_id,
      text,
      deleted: false,
      about: about === undefined ? null : { response_id: null, ...about },
      mentions: [],
      resolved_by: isResolved ? importer : null,
      resolved_at: isResolved ? Math.max(written, resolved === true ? now() : resolved) : null,
      edited_at: null,
      inserted_at: written,
    }
    list.push(comment)
    added.push(comment)
    remember(comment.id)
    return 'stored'
  })
  await insertComments(db, datasetNo, added)
  return outcomes
}
