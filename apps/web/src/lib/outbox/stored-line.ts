import type { AnswerIssue, Conflict, OutboxLine, Rejection } from './types.ts'

type StoredIssue = Conflict | (Omit<Rejection, 'kind'> & { readonly kind: 'refused' })

/** A line as it is stored in the browser. The property names never change, because stored lines must stay readable. */
export type StoredLine = Omit<OutboxLine, 'issue'> & { readonly trouble: StoredIssue | null }

const toStoredIssue = (issue: AnswerIssue): StoredIssue => (issue.kind === 'rejected' ? { ...issue, kind: 'refused' } : issue)
const fromStoredIssue = (issue: StoredIssue): AnswerIssue => (issue.kind === 'refused' ? { ...issue, kind: 'rejected' } : issue)

export const toStoredLine = ({ issue, ...line }: OutboxLine): StoredLine => ({ ...line, trouble: issue && toStoredIssue(issue) })

export const fromStoredLine = ({ trouble, ...line }: StoredLine): OutboxLine => ({
  ...line,
  issue: trouble && fromStoredIssue(trouble),
})
