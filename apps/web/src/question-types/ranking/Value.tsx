import type { ValueProps } from '../define.ts'
import { inListOrder } from './order.ts'
import styles from './Value.module.css'

export const RankingValue = ({ question, value }: ValueProps<'ranking'>) => (
  <ol className={styles['ranking']}>
    {inListOrder(value)
      .toSorted((a, b) => (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY))
      .map((item) => (
        <li key={item.value} className={styles['item']}>
          <span className={styles['rank']}>{item.rank ?? '–'}</span>
          <bdi>{question.settings.options.find((option) => option.value === item.value)?.text || item.value}</bdi>
        </li>
      ))}
  </ol>
)
