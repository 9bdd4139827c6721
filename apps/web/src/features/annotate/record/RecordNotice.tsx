import { Suspense } from 'react'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { AnswerNotice, ReturnedNotice } from '../lazy-parts.ts'
import type { AnswerNoticeProps } from './AnswerNotice.tsx'

/** Notices about this record's answer: it was returned by a reviewer, was rejected, has a conflict, or has restored edits. */
export const RecordNotice = (props: AnswerNoticeProps) => {
  const { item, annotator, isEdited, isRestored } = props
  const issue = useOutbox().lines.get(item.record.id)?.issue
  const answer = issue?.kind === 'conflict' ? issue.standing : annotator.statusOf(item) === 'draft' ? item.serverAnswer : null
  return (
    <Suspense>
      {answer?.returned != null && <ReturnedNotice returned={answer.returned} questions={props.questions} />}
      {(issue || (isEdited && isRestored)) && <AnswerNotice {...props} />}
    </Suspense>
  )
}
