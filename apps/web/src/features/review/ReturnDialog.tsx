import type { ComparedAnswer, Comparison } from '@postil/contract/review.ts'
import { maxNoteLength } from '@postil/contract/wire/limits.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { recordQuery } from '#features/annotate/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { comparisonQuery } from '#lib/api/review-queries.ts'
import { valueText } from '#question-types/value-text.ts'
import { Button } from '#ui/controls/Button.tsx'
import { RadioList } from '#ui/controls/RadioList.tsx'
import { TextArea } from '#ui/controls/TextArea.tsx'
import { ProblemText } from '#ui/feedback/ProblemNotice.tsx'
import { showSuccess } from '#ui/feedback/success-toast.ts'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { returnAnswer } from './api.ts'
import { type Decisions, likelyReturned, type ReviewedQuestion } from './decisions.ts'
import styles from './ReturnDialog.module.css'

type Props = {
  readonly comparison: Comparison
  /** The question whose values tell the answers apart. */
  readonly about: ReviewedQuestion | null
  readonly decisions: Decisions
  readonly onReturned: () => void
  readonly onClose: () => void
}

/** Returns an answer to its author with a comment. */
export const ReturnDialog = ({ comparison, about, decisions, onReturned, onClose }: Props) => {
  const { t } = useTranslation('features/review')
  const queryClient = useQueryClient()
  const { answers, record_id } = comparison
  const [chosen, setChosen] = useState(() => likelyReturned(answers, about, decisions)?.id ?? '')
  const [comment, setComment] = useState('')
  const form = useRef<HTMLDivElement>(null)
  // The preselected answer is usually the right one, so the focus starts in the comment.
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const nameOf = ({ by }: ComparedAnswer, index: number): string =>
    by === null ? t('return.answer', { number: formatCount(index + 1) }) : (by.username ?? t('formerUser'))
  const shownValue = ({ groups }: ComparedAnswer): string => {
    const group = about?.compared.groups[groups[about.question.name] ?? -1]
    return about && group ? valueText(about.question, group.value) : t('return.noValue')
  }
  const { mutate, isPending, error } = useMutation({
    mutationFn: (answer: ComparedAnswer) => returnAnswer(answer, comment.trim()),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: comparisonQuery(record_id).queryKey }),
        queryClient.invalidateQueries({ queryKey: recordQuery(record_id).queryKey }),
      ]),
    onSuccess: () => {
      showSuccess(t('return.done'))
      onReturned()
    },
  })
  const answer = answers.find(({ id }) => id === chosen)
  const isReady = answer !== undefined && comment.trim() !== ''
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('return.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('return.cancel')}</Button>
          <Button look="primary" busy={isPending} disabled={!isReady} onClick={() => isReady && mutate(answer)}>
            {t('return.action')}
          </Button>
        </>
      }
    >
      <div ref={form} className={styles['form']}>
        <p className={styles['hint']}>{t('return.hint')}</p>
        <RadioList
          legend={t('return.which')}
          hideLegend
          options={answers.map((one, index) => ({ value: one.id, label: nameOf(one, index), hint: shownValue(one) }))}
          value={chosen}
          onChange={setChosen}
        />
        <TextArea
          className={styles['comment']}
          label={t('return.comment')}
          hint={t('return.commentHint')}
          maxLength={maxNoteLength}
          value={comment}
          onChange={({ target }) => setComment(target.value)}
        />
        {error && (
          <p role="alert">
            <ProblemText error={error} />
          </p>
        )}
      </div>
    </Dialog>
  )
}
