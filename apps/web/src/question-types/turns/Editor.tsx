import { askedTurns, countedTurns } from '@postil/contract/question-types/turns.rules.ts'
import { useMemo } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import type { EditorProps } from '../define.ts'
import { type KeyPress, useQuestionKeys } from '../question-keys.ts'
import styles from './Editor.module.css'
import { labelsOf } from './model.ts'
import { sendRequest } from './session.ts'

type Progress = {
  readonly labeled: number
  readonly total: number
  readonly roles: string
  /** Whether there is a record. */
  readonly isKnown: boolean
  readonly onNext: () => void
}

const TurnsProgress = ({ labeled, total, roles, isKnown, onNext }: Progress) => {
  const { t } = useTranslation('question-types/turns')
  const count = { count: total, labeled: formatCount(labeled), formatted: formatCount(total) }
  return (
    <>
      <span className={styles['count']}>{total === 0 && isKnown ? t('noTurns', { roles }) : t('labeled', count)}</span>
      {total > 0 && <Button onClick={onNext}>{t('goToNext')}</Button>}
    </>
  )
}

/** Like `TurnsProgress`, but for the steps of a trace. Its UI messages load with the trace. */
const StepsProgress = ({ labeled, total, onNext }: Progress) => {
  const { t } = useTranslation('field-types/trace')
  const count = { count: total, labeled: formatCount(labeled), formatted: formatCount(total) }
  return (
    <>
      <span className={styles['count']}>{total === 0 ? t('noneAsked') : t('labeled', count)}</span>
      {total > 0 && <Button onClick={onNext}>{t('goToNext')}</Button>}
    </>
  )
}

/** Shows how many turns have labels. Annotators label the turns in the conversation itself. */
export const TurnsEditor = ({ question, answer, fields, shared, labelledBy, describedBy }: EditorProps<'turns'>) => {
  const { field, unit } = question.settings
  const value = fields !== null && Object.hasOwn(fields, field) ? fields[field] : null
  const turns = useMemo(() => askedTurns(countedTurns(value), unit), [value, unit])
  const labeled = turns.filter((turn) => labelsOf(answer.value, turn).length > 0).length

  useQuestionKeys(({ key, digit, ctrl, alt, isOnQuestion }: KeyPress): boolean => {
    if (ctrl || alt || turns.length === 0) return false
    const isForTurns = digit !== null ? /^\d$/.test(key) : isOnQuestion && ['j', 'k'].includes(key.toLowerCase())
    if (isForTurns) sendRequest(shared, { kind: 'key', key })
    return isForTurns
  })

  const progress = {
    labeled,
    total: turns.length,
    roles: unit.roles?.join(', ') ?? '',
    isKnown: fields !== null,
    onNext: () => sendRequest(shared, { kind: 'next' }),
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset needs a legend, and the question already has a title
    <div role="group" className={styles['progress']} aria-labelledby={labelledBy} aria-describedby={describedBy}>
      {value === null || Array.isArray(value) ? <TurnsProgress {...progress} /> : <StepsProgress {...progress} />}
    </div>
  )
}
