import type { Comment, CommentAbout, CommentCreate, CommentUpdate } from '@postil/contract/comments.ts'
import { forbidden, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { maxCommentsPerRecord } from '@postil/contract/wire/limits.ts'
import { message } from '@postil/contract/wire/message.ts'
import {
  commentsOfRecords,
  insertComments,
  printComment,
  removeMentions,
  type StoredComment,
  usersOfComment,
} from '#features/comments/public.ts'
import { usernamesOf } from '#features/gold/public.ts'
import { recordScope, type ScopeDataset, type ScopeRecord } from '#features/records/public.ts'
import { responsesOfRecords } from '#features/responses/public.ts'
import { fieldRows, questionRows } from '#features/schema/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'
import { newDatasetId } from '#platform/ids.ts'
import { now } from '#platform/time.ts'
import { mentionedIn } from './mentions.ts'
import { threadPolicy } from './policy.ts'

type OnRecord = { readonly user: Actor; readonly record_id: string }
type OnComment = OnRecord & { readonly comment_id: string }
type Thread = { readonly dataset: ScopeDataset; readonly record: ScopeRecord; readonly comments: readonly StoredComment[] }

/**
 * Reads a record's comments. With `hold`, nobody else can change the comments until the command ends.
 * @throws Problem not_found, forbidden
 */
const threadsOf = async (db: Db, { user, record_id }: OnRecord, hold: { readonly hold: boolean }): Promise<Thread> => {
  const { dataset, record } = await recordScope(db, record_id, user, hold)
  if (!threadPolicy.discuss(user, dataset)) throw forbidden()
  const comments = (await commentsOfRecords(db, dataset.no, [record.seq])).get(record.seq) ?? []
  return { dataset, record, comments }
}

/** @throws Problem not_found */
const commentIn = ({ comments }: Thread, id: string): StoredComment => {
  const found = comments.find((comment) => comment.id === id && !comment.deleted)
  if (found === undefined) throw notFound('Comment', id)
  return found
}

const print = async (db: Db, comments: readonly StoredComment[]): Promise<Comment[]> => {
  const names = await usernamesOf(db, comments.flatMap(usersOfComment))
  return comments.map((comment) => printComment(comment, names))
}

const printOne = async (db: Db, comment: StoredComment): Promise<Comment> => {
  const [printed] = await print(db, [comment])
  if (printed === undefined) throw new Error('the comment was not printed')
  return printed
}

/** Checks that the answer, question and field to which a comment refers exist. @throws Problem not_found, unprocessable */
const checkedAbout = async (
  db: Db,
  { dataset, record }: Thread,
  { response_id = null, question = null, span = null }: NonNullable<CommentCreate['about']>,
): Promise<CommentAbout> => {
  if (response_id !== null) {
    const answers = (await responsesOfRecords(db, dataset.no, [record.seq])).get(record.seq) ?? []
    if (!answers.some(({ id }) => id === response_id)) throw notFound('response', response_id)
  }
  if (question !== null && !(await questionRows(db, dataset.id)).some(({ name }) => name === question))
    throw unprocessable(message('notInDataset', { part: 'Question', name: question }))
  if (span !== null && !(await fieldRows(db, dataset.id)).some(({ name }) => name === span.field))
    throw unprocessable(message('notInDataset', { part: 'Field', name: span.field }))
  return { response_id, question, span }
}

/**
 * Replaces the stored mentions of a comment. Doesn't store a mention of the comment's own author. The comment's thread must be
 * open.
 */
const storeMentions = async (
  db: Db,
  { dataset }: Thread,
  { id, record_id, user_id, mentions, inserted_at }: StoredComment,
): Promise<void> => {
  await removeMentions(db, dataset.no, [id])
  const others = mentions.filter((mentioned) => mentioned !== user_id)
  if (others.length === 0) return
  await db.sql
    .insertInto('mentions')
    .values(
      others.map((mentioned) => ({
        user_id: mentioned,
        comment_id: id,
        dataset_no: dataset.no,
        record_id,
        by_id: user_id,
        at: inserted_at,
      })),
    )
    .execute()
}

const isOfThread = (first: string) => (comment: StoredComment) => comment.id === first || comment.parent === first

/** The comments on a record, oldest first. @throws Problem not_found, forbidden */
export const listComments = query(
  'comments.list',
  async (db, of: OnRecord): Promise<Comment[]> => print(db, (await threadsOf(db, of, { hold: false })).comments),
)

/** @throws Problem not_found, forbidden, unprocessable */
export const createComment = command(
  'comments.create',
  async (db, { body, ...of }: OnRecord & { readonly body: CommentCreate }): Promise<Comment> => {
    const thread = await threadsOf(db, of, { hold: true })
    const { dataset, record, comments } = thread
    const { text, parent = null, about = null } = body
    if (comments.length >= maxCommentsPerRecord)
      throw unprocessable(message('tooManyComments', { record: record.id, limit: maxCommentsPerRecord }))
    const first = parent === null ? null : (comments.find(({ id }) => id === parent) ?? null)
    if (parent !== null && first === null) throw notFound('Comment', parent)
    if (first !== null && first.parent !== null) throw unprocessable(message('replyToReply', { comment: first.id }))
    const comment: StoredComment = {
      id: newDatasetId(dataset.no),
      record_id: record.id,
      parent,
      user_id: of.user.id,
      text,
      deleted: false,
      about: about && (await checkedAbout(db, thread, about)),
      mentions: await mentionedIn(db, dataset.no, text),
      resolved_by: null,
      resolved_at: null,
      edited_at: null,
      inserted_at: now(),
    }
    await insertComments(db, dataset.no, [{ ...comment, seq: record.seq }])
    if (first !== null) {
      // A reply reopens a resolved thread. A user who replies has seen the thread, so the user's mentions in it are deleted.
      if (first.resolved_at !== null) await setResolved(db, thread, first, null)
      const own = comments.filter(isOfThread(first.id)).map(({ id }) => id)
      await db.sql
        .deleteFrom('mentions')
        .where('dataset_no', '=', dataset.no)
        .where('user_id', '=', of.user.id)
        .where('comment_id', 'in', own)
        .execute()
    }
    await storeMentions(db, thread, comment)
    return printOne(db, comment)
  },
)

/** Resolves or reopens a thread. @param by who resolves it; null to reopen it */
const setResolved = async (db: Db, thread: Thread, first: StoredComment, by: string | null): Promise<StoredComment> => {
  const { dataset, record, comments } = thread
  const changed = { ...first, resolved_by: by, resolved_at: by === null ? null : now() }
  const { resolved_by, resolved_at } = changed
  await db.sql
    .updateTable('comments')
    .set({ resolved_by, resolved_at })
    .where('dataset_no', '=', dataset.no)
    .where('seq', '=', record.seq)
    .where('id', '=', first.id)
    .execute()
  const all = comments.filter(isOfThread(first.id))
  if (by === null) for (const comment of all) await storeMentions(db, thread, comment)
  else
    await removeMentions(
      db,
      dataset.no,
      all.map(({ id }) => id),
    )
  return changed
}

/** @throws Problem not_found, forbidden, unprocessable */
export const updateComment = command(
  'comments.update',
  async (db, { comment_id, body, ...of }: OnComment & { readonly body: CommentUpdate }): Promise<Comment> => {
    const thread = await threadsOf(db, of, { hold: true })
    const { dataset, record, comments } = thread
    const { text = null, resolved = null } = body
    // A thread can be resolved even if its first comment was deleted.
    const stored = resolved === null ? commentIn(thread, comment_id) : comments.find(({ id }) => id === comment_id)
    if (stored === undefined) throw notFound('Comment', comment_id)
    if (text !== null && (stored.deleted || !threadPolicy.change(of.user, stored))) throw forbidden()
    if (resolved !== null && stored.parent !== null) throw unprocessable(message('replyResolved', { comment: comment_id }))
    let comment = stored
    if (text !== null && text !== stored.text) {
      comment = { ...comment, text, mentions: await mentionedIn(db, dataset.no, text), edited_at: now() }
      await db.sql
        .updateTable('comments')
        .set({ text, mentions: json(comment.mentions), edited_at: comment.edited_at })
        .where('dataset_no', '=', dataset.no)
        .where('seq', '=', record.seq)
        .where('id', '=', comment_id)
        .execute()
      const first = comments.find(({ id }) => id === (stored.parent ?? stored.id))
      if (first?.resolved_at === null) await storeMentions(db, thread, comment)
    }
    if (resolved !== null && resolved !== (comment.resolved_at !== null))
      comment = await setResolved(db, thread, comment, resolved ? of.user.id : null)
    return printOne(db, comment)
  },
)

/** Deletes a comment. If it has replies, only its text is deleted. @throws Problem not_found, forbidden */
export const deleteComment = command('comments.delete', async (db, { comment_id, ...of }: OnComment): Promise<void> => {
  const thread = await threadsOf(db, of, { hold: true })
  const { dataset, record, comments } = thread
  const comment = commentIn(thread, comment_id)
  if (!threadPolicy.change(of.user, comment)) throw forbidden()
  await removeMentions(db, dataset.no, [comment_id])
  const rows = (ids: readonly string[]) => ({ dataset_no: dataset.no, seq: record.seq, ids })
  if (comments.some(({ parent }) => parent === comment_id)) {
    await db.sql
      .updateTable('comments')
      .set({ text: '', mentions: json([]), deleted: true })
      .where('dataset_no', '=', dataset.no)
      .where('seq', '=', record.seq)
      .where('id', '=', comment_id)
      .execute()
    return
  }
  const first = comments.find(({ id }) => id === comment.parent)
  const isLastReply = !comments.some(({ id, parent }) => id !== comment_id && parent === comment.parent)
  const gone = rows(first?.deleted && isLastReply ? [comment_id, first.id] : [comment_id])
  await db.sql
    .deleteFrom('comments')
    .where('dataset_no', '=', gone.dataset_no)
    .where('seq', '=', gone.seq)
    .where('id', 'in', [...gone.ids])
    .execute()
})
