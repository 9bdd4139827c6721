import type { Question } from '@postil/contract/questions.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { toastProblem } from '#ui/feedback/toast.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { addComment, commentsQuery, mentionsQuery } from './api.ts'
import styles from './Comments.module.css'
import { CommentThread } from './CommentThread.tsx'
import { Composer } from './Composer.tsx'
import { isOpen, threadsOf } from './threads.ts'

type Props = { readonly recordId: string; readonly questions: readonly Question[] }

/** The threads on a record, open ones first, and a field for a new comment. */
export const Comments = ({ recordId, questions }: Props) => {
  const { t } = useTranslation('features/comments')
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(commentsQuery(recordId))
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } finally {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: commentsQuery(recordId).queryKey }),
        queryClient.invalidateQueries({ queryKey: mentionsQuery().queryKey }),
      ])
    }
  }
  const attempt = (work: () => Promise<unknown>): void => void change(work).catch(toastProblem)
  const threads = threadsOf(data ?? [])
  const ordered = [...threads.filter(isOpen), ...threads.filter((thread) => !isOpen(thread))]
  return (
    <div className={styles['comments']} aria-busy={!data && !error}>
      {error && <ProblemNotice error={error} action={<Button onClick={() => void refetch()}>{t('retry')}</Button>} />}
      {!data && !error && <Skeleton height="4lh" />}
      {ordered.length > 0 && (
        <ol className={styles['threads']} aria-label={t('title')}>
          {ordered.map((thread) => (
            <CommentThread key={thread.first.id} thread={thread} questions={questions} change={change} attempt={attempt} />
          ))}
        </ol>
      )}
      <Composer
        label={t('new')}
        action={t('send')}
        questions={questions}
        onSend={(text, question) => change(() => addComment(recordId, { text, question }))}
      />
    </div>
  )
}
