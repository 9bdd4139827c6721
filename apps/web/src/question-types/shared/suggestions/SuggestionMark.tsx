import { formatScore } from '#i18n/format.ts'
import { SuggestionIcon } from '#ui/marks/icons.tsx'
import styles from './SuggestionMark.module.css'

/** The small mark on a suggested option, with its score. The text for screen readers is a separate component. */
export const SuggestionMark = ({ score }: { readonly score: number | null }) => (
  <span className={styles['mark']} aria-hidden="true">
    <SuggestionIcon size={12} />
    {score !== null && formatScore(score)}
  </span>
)
