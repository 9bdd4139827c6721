import { z } from 'zod'
import { Author } from './gold.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { maxCommentLength, maxUniqueName } from './wire/limits.ts'
import { bool, int, itemsOf, printedDatetime, printedUuid, text, uuid } from './wire/scalars.ts'

/** What a comment is about. Exactly one key is set. */
const CommentAbout = z
  .object({
    /** An answer to the record. */
    response_id: uuid().nullish(),
    /** A question, by name. */
    question: text({ max: maxUniqueName }).nullish(),
    /** A part of a field's text. */
    span: z.object({ field: text({ max: maxUniqueName }), start: int({ ge: 0 }), end: int({ ge: 1 }) }).nullish(),
  })
  .superRefine(({ response_id = null, question = null, span = null }, ctx) => {
    const refuse = (message: string) => ctx.addIssue({ code: 'custom', message, params: { type: 'value_error' } })
    if ([response_id, question, span].filter((one) => one !== null).length !== 1)
      refuse("Value error, exactly one of 'response_id', 'question' and 'span' must be provided")
    else if (span !== null && span.start >= span.end) refuse("Value error, the span's 'end' must be greater than its 'start'")
  })

const PrintedAbout = z.strictObject({
  response_id: printedUuid().nullable(),
  question: z.string().nullable(),
  span: z.strictObject({ field: z.string(), start: z.int(), end: z.int() }).nullable(),
})
export type CommentAbout = z.infer<typeof PrintedAbout>

export const Comment = z.strictObject({
  id: printedUuid(),
  record_id: printedUuid(),
  /** The first comment of the thread. Null if this is the first comment. */
  parent: printedUuid().nullable(),
  /** Empty if the comment was deleted. A deleted comment remains while it has replies. */
  text: z.string(),
  deleted: z.boolean(),
  about: PrintedAbout.nullable(),
  by: Author,
  /** The people named in the text with @username. */
  mentions: z.array(Author),
  /** Who resolved the thread. Null for replies and open threads. */
  resolved: z.strictObject({ by: Author, at: printedDatetime() }).nullable(),
  inserted_at: printedDatetime(),
  /** When the text was last changed. */
  edited_at: printedDatetime().nullable(),
})
export type Comment = z.infer<typeof Comment>

const commentText = () => text({ min: 1, max: maxCommentLength })

export const CommentCreate = z.object({ text: commentText(), about: CommentAbout.nullish(), parent: uuid().nullish() })
export type CommentCreate = z.infer<typeof CommentCreate>
export const CommentUpdate = z.object({
  text: commentText().nullish(),
  /** Whether the thread is resolved. Only a thread's first comment can have this key. */
  resolved: bool().nullish(),
})
export type CommentUpdate = z.infer<typeof CommentUpdate>

/** A comment in an open thread that mentions the caller. */
export const Mention = z.strictObject({
  comment_id: printedUuid(),
  record_id: printedUuid(),
  dataset_id: printedUuid(),
  dataset_name: z.string(),
  by: Author,
  at: printedDatetime(),
})
export type Mention = z.infer<typeof Mention>

export const listComments = defineEndpoint({
  id: 'comments.list',
  method: 'GET',
  path: '/records/:record_id/comments',
  result: itemsOf(Comment),
  errors: [403, 404],
  addition: true,
  summary: 'List the comments on a record, oldest first',
})
export const createComment = defineEndpoint({
  id: 'comments.create',
  method: 'POST',
  path: '/records/:record_id/comments',
  body: CommentCreate,
  status: 201,
  result: Comment,
  errors: [403, 404, 422],
  addition: true,
  summary: 'Comment on a record, or reply to a comment',
})
export const updateComment = defineEndpoint({
  id: 'comments.update',
  method: 'PATCH',
  path: '/records/:record_id/comments/:comment_id',
  body: CommentUpdate,
  result: Comment,
  errors: [403, 404, 422],
  addition: true,
  summary: "Resolve or reopen a thread, or change the caller's comment",
})
export const deleteComment = defineEndpoint({
  id: 'comments.delete',
  method: 'DELETE',
  path: '/records/:record_id/comments/:comment_id',
  errors: [403, 404],
  addition: true,
  summary: "Delete the caller's comment; replies are kept",
})
export const listMentions = defineEndpoint({
  id: 'comments.mentions',
  method: 'GET',
  path: '/me/mentions',
  result: itemsOf(Mention),
  addition: true,
  summary: 'List the latest comments that mention the caller, in open threads to which the caller has not replied since',
})

export const commentEndpoints = [listComments, createComment, updateComment, deleteComment, listMentions] as const
