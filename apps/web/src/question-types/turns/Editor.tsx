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

/** How many turns are labeled. The turns are labeled in the conversation itself. */
export const TurnsEditor = ({ question, answer, fields, shared, labelledBy, describedBy }: EditorProps<'turns'>) => {
  const { t } = useTranslation('question-types/turns')
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

  const count = { count: turns.length, labeled: formatCount(labeled), formatted: formatCount(turns.length) }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset needs a legend, and the question already has a title
    <div role="group" className={styles['progress']} aria-labelledby={labelledBy} aria-describedby={describedBy}>
      <span className={styles['count']}>
        {turns.length === 0 && fields !== null ? t('noTurns', { roles: unit.roles?.join(', ') ?? '' }) : t('labeled', count)}
      </span>
      {turns.length > 0 && <Button onClick={() => sendRequest(shared, { kind: 'next' })}>{t('goToNext')}</Button>}
    </div>
  )
}
