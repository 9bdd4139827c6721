import type { ReactNode } from 'react'
import { problemMessage } from '#lib/api/messages.ts'
import { ErrorCode } from './ErrorCode.tsx'
import { Notice } from './Notice.tsx'

type Props = {
  readonly error: unknown
  /** What is said, where the sentence of the problem is not all of it. */
  readonly children?: ReactNode
  /** Whether it is the answer to what somebody has just done, and told at once. */
  readonly isAlert?: boolean
}

/** What went wrong, and below it the name of that. The name is there to be read: it is not told. */
export const ProblemText = ({ error, children, isAlert = false }: Props) => (
  <>
    <span role={isAlert ? 'alert' : undefined}>{children ?? problemMessage(error)}</span>
    <ErrorCode error={error} />
  </>
)

/** A problem, told where it matters. */
export const ProblemNotice = ({ action, ...problem }: Props & { readonly action?: ReactNode }) => (
  <Notice kind="danger" action={action}>
    <ProblemText {...problem} />
  </Notice>
)
