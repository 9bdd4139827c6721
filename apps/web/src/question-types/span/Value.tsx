import { spanTextOf } from '@postil/contract/question-types/span-text.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { offsetsOf } from '#lib/text/offsets.ts'
import type { ValueProps } from '../define.ts'
import { Differing } from '../shared/Differing.tsx'
import { labelColourProperties } from '../shared/labels/label-colours.ts'
import { ItemScore } from '../shared/suggestions/ItemScore.tsx'
import { itemScore } from '../shared/suggestions/scores.ts'
import { useSpanHues } from './use-span-hues.ts'
import styles from './Value.module.css'

export const SpanValue = ({ question, value, fields, score = null, other }: ValueProps<'span'>) => {
  const { t } = useTranslation('question-types/span')
  const { field, options } = question.settings
  const text = (Object.hasOwn(fields, field) && spanTextOf(fields[field])?.text) || ''
  const offsets = offsetsOf(text)
  const hues = useSpanHues(question)
  if (value.length === 0) return <p className={styles['none']}>{t('count', { count: 0, formatted: formatCount(0) })}</p>
  return (
    <ul className={styles['spans']}>
      {value.map(({ label, start, end }, index) => (
        <li key={`${start} ${end} ${label}`} className={styles['span']}>
          <bdi className={styles['label']} style={labelColourProperties(hues.get(label) ?? 0)}>
            {options.find((option) => option.value === label)?.text || label}
          </bdi>
          <Differing
            isDifferent={other?.some((span) => span.start === start && span.end === end && span.label === label) === false}
          >
            <bdi className={styles['text']}>{text.slice(offsets.toUnit(start), offsets.toUnit(end))}</bdi>
          </Differing>
          <ItemScore score={itemScore({ score }, index)} />
        </li>
      ))}
    </ul>
  )
}
