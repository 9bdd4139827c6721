import type { Option } from '@postil/contract/question-types/options.ts'
import styles from './LabelValue.module.css'

/** Labels of an answer as they are called, to be read. */
export const LabelValue = ({ options, values }: { readonly options: readonly Option[]; readonly values: readonly string[] }) => (
  <ul className={styles['labels']}>
    {values.map((value) => (
      <li key={value} className={styles['label']}>
        <bdi>{options.find((option) => option.value === value)?.text || value}</bdi>
      </li>
    ))}
  </ul>
)
