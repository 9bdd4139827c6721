import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { pageSizes } from '#lib/url/choices.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { ExpandIcon, FoldIcon, RowsIcon } from '#ui/marks/icons.tsx'
import styles from './BulkHeader.module.css'

type Props = {
  /** The number of selected records on this page. */
  readonly selected: number
  readonly selectable: number
  /** The number of selected records on all pages. */
  readonly count: number
  readonly size: number
  /** Whether long records are shown in full. */
  readonly isExpanded: boolean
  /** Whether records are shown as rows with one line per field. */
  readonly isCompact: boolean
  readonly onPage: () => void
  readonly onNone: () => void
  readonly onSize: (size: number) => void
  readonly onExpanded: (expanded: boolean) => void
  readonly onCompact: (compact: boolean) => void
}

export const BulkHeader = ({ selected, selectable, count, size, isExpanded, isCompact, ...on }: Props) => {
  const { t } = useTranslation('features/annotate')
  const isAll = selectable > 0 && selected === selectable
  // A link can contain a size that the menu doesn't offer.
  const sizes = [...new Set([...pageSizes, size])].toSorted((a, b) => a - b)
  const fold = isExpanded ? t('bulk.fold') : t('bulk.unfold')
  return (
    <div className={styles['head']}>
      <label className={styles['all']}>
        <input
          ref={(box) => {
            if (box) box.indeterminate = selected > 0 && !isAll
          }}
          type="checkbox"
          className={styles['box']}
          data-select-page=""
          checked={isAll}
          disabled={selectable === 0}
          aria-keyshortcuts="Control+A"
          onChange={isAll ? on.onNone : on.onPage}
        />
        <span className={styles['page']}>{t('bulk.selectPage')}</span>
      </label>
      <span className={styles['count']} data-some={count > 0 ? '' : undefined}>
        {count === 0 ? t('bulk.noneSelected') : t('bulk.selected', { count, formatted: formatCount(count) })}
      </span>
      <span className={styles['space']} />
      <IconButton icon={RowsIcon} label={t('bulk.compact')} pressed={isCompact} onClick={() => on.onCompact(!isCompact)} />
      {!isCompact && (
        <IconButton icon={isExpanded ? FoldIcon : ExpandIcon} label={fold} onClick={() => on.onExpanded(!isExpanded)} />
      )}
      <Select
        label={t('bulk.pageSize')}
        value={String(size)}
        options={sizes.map((number) => ({
          value: String(number),
          label: t('bulk.perPage', { formatted: formatCount(number) }),
        }))}
        onChange={(value) => on.onSize(Number(value))}
      />
    </div>
  )
}
