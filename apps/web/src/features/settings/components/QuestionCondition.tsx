import { type Condition, isRetired, neverShown } from '@postil/contract/conditions.ts'
import { type ReactNode, useRef } from 'react'
import { ConditionEditor, type Subjects } from '#features/conditions/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import styles from './QuestionCondition.module.css'

type Props = {
  readonly title: string
  readonly condition: Condition | null
  /** The stored condition. It applies again when a retired question is restored. */
  readonly stored: Condition | null
  readonly subjects: Subjects
  readonly onChange: (condition: Condition | null) => void
  /** Other actions, shown beside the button that retires the question. */
  readonly children: ReactNode
}

/** Edits the condition under which a question is shown, or retires the question. */
export const QuestionCondition = ({ title, condition, stored, subjects, onChange, children }: Props) => {
  const { t } = useTranslation('features/settings')
  const root = useRef<HTMLDivElement>(null)
  const change = (next: Condition | null, said: string): void => {
    announce(said)
    onChange(next)
    // The pressed button disappears, so the focus moves to the button that replaces it.
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('[data-retire]')?.focus())
  }
  if (isRetired({ shown_when: condition }))
    return (
      <div ref={root} className={styles['editor']}>
        <p className={styles['retired']}>{t('retire.hint')}</p>
        <div className={styles['actions']}>
          {children}
          <Button
            data-retire=""
            aria-label={t('retire.restoreOf', { title })}
            onClick={() => change(isRetired({ shown_when: stored }) ? null : stored, t('retire.restored', { title }))}
          >
            {t('retire.restore')}
          </Button>
        </div>
      </div>
    )
  return (
    <div ref={root} className={styles['editor']}>
      <ConditionEditor title={title} condition={condition} subjects={subjects} onChange={onChange} />
      <div className={styles['actions']}>
        {children}
        <Button
          data-retire=""
          aria-label={t('retire.retireOf', { title })}
          onClick={() => change(neverShown, t('retire.retired', { title }))}
        >
          {t('retire.retire')}
        </Button>
      </div>
    </div>
  )
}
