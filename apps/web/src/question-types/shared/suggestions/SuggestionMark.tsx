import { formatScore } from '#i18n/format.ts'
import { SuggestionIcon } from '#ui/marks/icons.tsx'
import styles from './SuggestionMark.module.css'

/** The small mark on what a model has suggested, with its score. Words for it are in the text that a reader gets. */
export const SuggestionMark = ({ score }: { readonly score: number | null }) => (
  <span className={styles['mark']} aria-hidden="true">
    <SuggestionIcon size={12} />
    {score !== null && formatScore(score)}
  </span>
)
