import type { ImportedComments } from '@postil/contract/jobs.ts'
import { maxCommentLength } from '@postil/contract/wire/limits.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { FaultyRow } from '../faulty-row.ts'
import type { ConvertedComment } from '../foreign/define.ts'
import type { SourceRow } from '../inspect/layout.ts'
import type { Recipe } from './recipe.ts'

export const noCommentCounts: ImportedComments = { stored: 0, kept: 0, invalid: 0, left_out: 0 }

export const addCommentCounts = (a: ImportedComments, b: Partial<ImportedComments>): ImportedComments => ({
  stored: a.stored + (b.stored ?? 0),
  kept: a.kept + (b.kept ?? 0),
  invalid: a.invalid + (b.invalid ?? 0),
  left_out: a.left_out + (b.left_out ?? 0),
})

/** Whether a file has comments. If it has none, the import's report doesn't mention comments. */
export const hasComments = ({ stored, kept, invalid, left_out }: ImportedComments): boolean =>
  stored + kept + invalid + left_out > 0

/** The comments of a row that are imported as comments on its record. `faults` are comments that can't be imported. */
export type RowComments = {
  readonly comments: readonly ConvertedComment[]
  readonly faults: readonly FaultyRow[]
  readonly counts: ImportedComments
}

const none: RowComments = { comments: [], faults: [], counts: noCommentCounts }

/** The question or the part of a field that a comment is about. Undefined if the dataset doesn't have it. */
const aboutIn = ({ about }: ConvertedComment, { schema }: Recipe): ConvertedComment['about'] => {
  if (about === undefined) return undefined
  const { question, span } = about
  if (question !== null) return schema.questions.some(({ name }) => name === question) ? about : undefined
  return span !== null && schema.fields.some(({ name }) => name === span.field) ? about : undefined
}

export const commentsOf = (source: SourceRow, recipe: Recipe): RowComments => {
  if ('fault' in source || source.annotated === undefined) return none
  const { comments, leftOut } = source.annotated.remarks
  if (comments.length + leftOut === 0) return none
  const { row, line } = source
  const filled = comments.filter(({ text }) => text.trim() !== '')
  const isTooLong = ({ text }: ConvertedComment): boolean => text.length > maxCommentLength
  const valid = filled.filter((comment) => !isTooLong(comment))
  const reason = message('commentTooLong', { limit: maxCommentLength })
  const faults = filled.filter(isTooLong).map(() => ({ row, line, column: null, reason }))
  return {
    comments: valid.map((comment) => ({ ...comment, text: comment.text.toWellFormed(), about: aboutIn(comment, recipe) })),
    faults,
    counts: { ...noCommentCounts, invalid: faults.length, left_out: leftOut + comments.length - filled.length },
  }
}
