import type { Option } from '@postil/contract/question-types/options.ts'
import type { Suggestion } from '@postil/contract/suggestions.ts'
import { Differing } from '../Differing.tsx'
import { ItemScore } from '../suggestions/ItemScore.tsx'
import { itemScore } from '../suggestions/scores.ts'
import { LabelDot } from './LabelDot.tsx'
import styles from './LabelValue.module.css'
import { useChosenHues } from './label-hues.ts'

type Props = {
  readonly questionId: string
  readonly options: readonly Option[]
  readonly values: readonly string[]
  /** Scores of suggested labels. */
  readonly score?: Suggestion['score']
  /** The labels of another version of the answer. Labels that the other version doesn't contain are marked. */
  readonly others?: readonly string[]
}

/** An answer's label names, read-only. */
export const LabelValue = ({ questionId, options, values, score = null, others }: Props) => {
  const dots = useChosenHues(questionId)
  return (
    <ul className={styles['labels']}>
      {values.map((value, index) => (
        <li key={value} className={styles['label']}>
          <LabelDot hue={dots.get(value)} />
          <Differing isDifferent={others?.includes(value) === false}>
            <bdi>{options.find((option) => option.value === value)?.text || value}</bdi>
          </Differing>
          <ItemScore score={itemScore({ score }, index)} />
        </li>
      ))}
    </ul>
  )
}
