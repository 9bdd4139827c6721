import type { Question } from '@postil/contract/questions.ts'
import type { SuggestionUse } from '@postil/contract/suggestion-use.ts'
import type { MouseEvent } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { CheckIcon, EditIcon } from '#ui/marks/icons.tsx'
import styles from './SuggestionState.module.css'

type Props = {
  readonly question: Question
  readonly outcome: SuggestionUse['outcome']
  readonly onConfirm: () => void
}

/** How the answer relates to its suggestion. A suggestion that nobody has looked at can be confirmed. */
export const SuggestionState = ({ question: { title }, outcome, onConfirm }: Props) => {
  const { t } = useTranslation('features/annotate')
  const confirm = (event: MouseEvent<HTMLElement>): void => {
    // The button disappears, so the focus moves to the question.
    event.currentTarget.closest<HTMLElement>('[data-question]')?.focus({ preventScroll: true })
    announce(t('question.confirmedNow', { title }))
    onConfirm()
  }
  if (outcome === 'accepted_unseen') {
    return (
      <button
        type="button"
        className={styles['confirm']}
        aria-label={t('question.confirmOf', { title })}
        title={t('question.unseen')}
        onClick={confirm}
      >
        {t('question.confirm')}
      </button>
    )
  }
  const isConfirmed = outcome === 'confirmed'
  return (
    <span className={styles['state']}>
      {isConfirmed ? <CheckIcon size={12} /> : <EditIcon size={12} />}
      {isConfirmed ? t('question.confirmed') : t('question.changed')}
    </span>
  )
}
