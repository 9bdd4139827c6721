import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { pageSizes } from '#lib/url/grammar.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { ExpandIcon, FoldIcon } from '#ui/marks/icons.tsx'
import { Tooltip } from '#ui/overlays/Tooltip.tsx'
import styles from './BulkHeader.module.css'

type Props = {
  /** Of the page. */
  readonly selected: number
  readonly selectable: number
  /** All that are selected, on whatever page. */
  readonly count: number
  readonly size: number
  /** Whether long records are shown in full. */
  readonly isWhole: boolean
  readonly onPage: () => void
  readonly onNone: () => void
  readonly onSize: (size: number) => void
  readonly onWhole: (whole: boolean) => void
}

/** Above the records of a page: how many are selected, how they are shown, and how many there are on a page. */
export const BulkHeader = ({ selected, selectable, count, size, isWhole, ...on }: Props) => {
  const { t } = useTranslation('features/annotate')
  const isAll = selectable > 0 && selected === selectable
  // A link may name a size that the menu has not.
  const sizes = [...new Set([...pageSizes, size])].toSorted((a, b) => a - b)
  const fold = isWhole ? t('bulk.fold') : t('bulk.unfold')
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
      <Tooltip text={fold}>
        <IconButton icon={isWhole ? FoldIcon : ExpandIcon} label={fold} onClick={() => on.onWhole(!isWhole)} />
      </Tooltip>
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
