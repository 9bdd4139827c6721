import { Comment } from '@postil/contract/comments.ts'
import type { ForeignComment } from './foreign/define.ts'
import { timeIn } from './foreign/times.ts'

/** The column of the comments in a download as JSON Lines. */
export const OWN_COMMENTS = 'comments'

/** Comments in a cell of a download. Deleted comments have no text and are left out. */
export const ownComments = (cell: unknown): readonly ForeignComment[] =>
  (Array.isArray(cell) ? cell : []).flatMap((value: unknown): readonly ForeignComment[] => {
    const found = Comment.safeParse(value)
    if (!found.success || found.data.deleted) return []
    const { id, parent, text, about, by, resolved, inserted_at } = found.data
    return [
      {
        key: id,
        parent: parent ?? undefined,
        author: by.username ?? by.id,
        text,
        at: timeIn(inserted_at),
        resolved: resolved === null ? undefined : (timeIn(resolved.at) ?? true),
        about: about === null ? undefined : { question: about.question, span: about.span },
      },
    ]
  })
