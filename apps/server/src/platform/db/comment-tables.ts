import type { CommentAbout } from '@postil/contract/comments.ts'
import { bool, int, json, nullable, text, time, uuid } from './columns.ts'

/** Tables for the discussion of records. Part of `tables`. */
export const commentTables = {
  /** Comments on records. Threads have one level: a reply names the first comment as its `parent`. */
  comments: {
    dataset_no: int(),
    seq: int(),
    id: uuid(),
    record_id: uuid(),
    parent: nullable(uuid()),
    user_id: uuid(),
    text: text(),
    /** Whether the comment was deleted. A deleted comment that has replies is kept, but its text is removed. */
    deleted: bool(),
    about: nullable(json<CommentAbout>()),
    /** The IDs of the users whom the text mentions. */
    mentions: json<string[]>(),
    resolved_by: nullable(uuid()),
    resolved_at: nullable(time()),
    edited_at: nullable(time()),
    inserted_at: time(),
  },
  /** The comments in open threads that mention a user and that the user has not replied to. */
  mentions: { user_id: uuid(), comment_id: uuid(), dataset_no: int(), record_id: uuid(), by_id: uuid(), at: time() },
}
