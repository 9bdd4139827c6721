import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import styles from './MatchedBar.module.css'

type Props = {
  /** The number of records that match the search. */
  readonly total: number
  /** Whether all matching records are selected, not only those on the page. */
  readonly isAll: boolean
  readonly onAll: () => void
  readonly onNone: () => void
}

/** Offers to select all matching records when a whole page is selected, and to return to selecting only the page. */
export const MatchedBar = ({ total, isAll, onAll, onNone }: Props) => {
  const { t } = useTranslation('features/annotate')
  const words = { count: total, formatted: formatCount(total) }
  return (
    <div className={styles['bar']} data-matched="" data-all={isAll ? '' : undefined}>
      {isAll && <span>{t('bulk.matched.all', words)}</span>}
      <Button look="quiet" onClick={isAll ? onNone : onAll}>
        {isAll ? t('bulk.cancel') : t('bulk.matched.select', words)}
      </Button>
    </div>
  )
}
