import { countedTurns } from '@postil/contract/question-types/turns.rules.ts'
import { useMemo } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import type { ValueProps } from '../define.ts'
import { Differing } from '../shared/Differing.tsx'
import { ItemScore } from '../shared/suggestions/ItemScore.tsx'
import { itemScore } from '../shared/suggestions/scores.ts'
import styles from './Value.module.css'

export const TurnsValue = ({ question, value, fields, score = null, other }: ValueProps<'turns'>) => {
  const { t } = useTranslation('question-types/turns')
  const { field, options } = question.settings
  const raw = Object.hasOwn(fields, field) ? fields[field] : undefined
  const turns = useMemo(() => new Map(countedTurns(raw).map((turn) => [turn.start, turn])), [raw])
  if (value.length === 0) return <p className={styles['none']}>{t('noLabels')}</p>
  return (
    <ul className={styles['turns']}>
      {value.map(({ label, start }, index) => {
        const turn = turns.get(start)
        const isDifferent = other?.some((span) => span.start === start && span.label === label) === false
        return (
          <li key={`${start} ${label}`} className={styles['turn']}>
            {turn && <bdi className={styles['place']}>{turn.name || t('turn', { number: turn.index + 1, role: turn.role })}</bdi>}
            <Differing isDifferent={isDifferent}>
              <bdi>{options.find((option) => option.value === label)?.text || label}</bdi>
            </Differing>
            <ItemScore score={itemScore({ score }, index)} />
          </li>
        )
      })}
    </ul>
  )
}
