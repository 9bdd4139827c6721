import type { Option } from '@postil/contract/question-types/options.ts'
import { LabelDot } from './LabelDot.tsx'
import styles from './LabelValue.module.css'
import { useChosenHues } from './label-hues.ts'

type Props = {
  readonly questionId: string
  readonly options: readonly Option[]
  readonly values: readonly string[]
}

/** Labels of an answer as they are called, to be read. */
export const LabelValue = ({ questionId, options, values }: Props) => {
  const dots = useChosenHues(questionId)
  return (
    <ul className={styles['labels']}>
      {values.map((value) => (
        <li key={value} className={styles['label']}>
          <LabelDot hue={dots.get(value)} />
          <bdi>{options.find((option) => option.value === value)?.text || value}</bdi>
        </li>
      ))}
    </ul>
  )
}
