import type { ReactNode } from 'react'
import { problemMessage } from '#lib/api/messages.ts'
import { ErrorCode } from './ErrorCode.tsx'
import { Notice } from './Notice.tsx'

type Props = {
  readonly error: unknown
  /** The text to show instead of the problem's own message. */
  readonly children?: ReactNode
  /** Whether the user's last action caused the problem. If so, the problem is announced at once. */
  readonly isAlert?: boolean
}

/** A problem's message and, below it, its code. Screen readers announce only the message, but can also read the code. */
export const ProblemText = ({ error, children, isAlert = false }: Props) => (
  <>
    <span role={isAlert ? 'alert' : undefined}>{children ?? problemMessage(error)}</span>
    <ErrorCode error={error} />
  </>
)

export const ProblemNotice = ({ action, ...problem }: Props & { readonly action?: ReactNode }) => (
  <Notice kind="danger" action={action}>
    <ProblemText {...problem} />
  </Notice>
)
