import type { Comment } from '@postil/contract/comments.ts'

/** A first comment with its replies. */
export type Thread = { readonly first: Comment; readonly replies: readonly Comment[] }

/** Groups comments into threads, oldest first. */
export const threadsOf = (comments: readonly Comment[]): readonly Thread[] =>
  comments
    .filter(({ parent }) => parent === null)
    .map((first) => ({ first, replies: comments.filter(({ parent }) => parent === first.id) }))

export const isOpen = ({ first }: Thread): boolean => first.resolved === null

/** The comments in open threads. */
export const openComments = (comments: readonly Comment[]): readonly Comment[] =>
  threadsOf(comments)
    .filter(isOpen)
    .flatMap(({ first, replies }) => [first, ...replies])
    .filter(({ deleted }) => !deleted)

/** Whether a comment mentions a user. */
export const mentions = ({ mentions: people }: Comment, userId: string): boolean => people.some(({ id }) => id === userId)
