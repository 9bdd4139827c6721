import type { RankingItem } from '@postil/contract/answer-value.ts'
import type { ValueProps } from '../define.ts'
import { ItemScore } from '../shared/ItemScore.tsx'
import { scoresBy } from '../shared/scores.ts'
import { inListOrder } from './order.ts'
import styles from './Value.module.css'

export const RankingValue = ({ question, value, score = null }: ValueProps<'ranking'>) => {
  const scores = scoresBy({ value, score }, (item) => (item as RankingItem).value)
  return (
    <ol className={styles['ranking']}>
      {inListOrder(value)
        .toSorted((a, b) => (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY))
        .map((item) => (
          <li key={item.value} className={styles['item']}>
            <span className={styles['rank']}>{item.rank ?? '–'}</span>
            <bdi>{question.settings.options.find((option) => option.value === item.value)?.text || item.value}</bdi>
            <ItemScore score={scores.get(item.value) ?? null} />
          </li>
        ))}
    </ol>
  )
}
