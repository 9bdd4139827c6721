import type { ReactNode } from 'react'
import { problemMessage } from '#lib/api/messages.ts'
import { ErrorCode } from './ErrorCode.tsx'
import { Notice } from './Notice.tsx'

type Props = {
  readonly error: unknown
  /** The text to show instead of the problem's own message. */
  readonly children?: ReactNode
  /** Whether the problem results from the user's last action, so that it is announced at once. */
  readonly isAlert?: boolean
}

/** The message of a problem and, below it, its code. The code can be read but is not announced. */
export const ProblemText = ({ error, children, isAlert = false }: Props) => (
  <>
    <span role={isAlert ? 'alert' : undefined}>{children ?? problemMessage(error)}</span>
    <ErrorCode error={error} />
  </>
)

/** A notice about a problem, shown where it matters. */
export const ProblemNotice = ({ action, ...problem }: Props & { readonly action?: ReactNode }) => (
  <Notice kind="danger" action={action}>
    <ProblemText {...problem} />
  </Notice>
)
