import type { RankingItem } from '@postil/contract/answer-value.ts'
import type { ValueProps } from '../define.ts'
import { Differing } from '../shared/Differing.tsx'
import { ItemScore } from '../shared/suggestions/ItemScore.tsx'
import { scoresBy } from '../shared/suggestions/scores.ts'
import { sortByList, sortByRank } from './ranking-order.ts'
import styles from './Value.module.css'

export const RankingValue = ({ question, value, score = null, other }: ValueProps<'ranking'>) => {
  const rankIn = (items: readonly RankingItem[], option: string) => items.find((item) => item.value === option)?.rank ?? null
  const scores = scoresBy({ value, score }, (item) => (item as RankingItem).value)
  return (
    <ol className={styles['ranking']}>
      {sortByRank(sortByList(value)).map((item) => (
        <li key={item.value} className={styles['item']}>
          <span className={styles['rank']}>{item.rank ?? '–'}</span>
          <Differing isDifferent={other !== undefined && rankIn(other, item.value) !== (item.rank ?? null)}>
            <bdi>{question.settings.options.find((option) => option.value === item.value)?.text || item.value}</bdi>
          </Differing>
          <ItemScore score={scores.get(item.value) ?? null} />
        </li>
      ))}
    </ol>
  )
}
