import type { Comment } from '@postil/contract/comments.ts'
import { authorOf, type Usernames } from '#features/gold/public.ts'
import { printTime } from '#platform/time.ts'
import type { StoredComment } from './rows.ts'

export const usersOfComment = ({ user_id, mentions, resolved_by }: StoredComment): readonly string[] => [
  user_id,
  ...mentions,
  ...(resolved_by === null ? [] : [resolved_by]),
]

/** A comment in its wire format. */
export const printComment = (comment: StoredComment, names: Usernames): Comment => ({
  id: comment.id,
  record_id: comment.record_id,
  parent: comment.parent,
  text: comment.text,
  deleted: comment.deleted,
  about: comment.about,
  by: authorOf(comment.user_id, names),
  mentions: comment.mentions.map((id) => authorOf(id, names)),
  resolved:
    comment.resolved_by === null || comment.resolved_at === null
      ? null
      : { by: authorOf(comment.resolved_by, names), at: printTime(comment.resolved_at) },
  inserted_at: printTime(comment.inserted_at),
  edited_at: comment.edited_at === null ? null : printTime(comment.edited_at),
})
