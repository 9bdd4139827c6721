import type { RecordFilterStatus } from '@postil/contract/annotation-query/grammar.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { keyShortcuts, shortCap } from '#lib/keys/caps.ts'
import { useBindings } from '#lib/keys/use-bindings.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from '#ui/marks/icons.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import type { ListSnapshot } from '../queue/list-item.ts'
import styles from './Pager.module.css'

type Props = {
  readonly shown: ListSnapshot
  readonly status: RecordFilterStatus
  readonly isBulk: boolean
  readonly onNext: () => void
  readonly onPrevious: () => void
}

/** The remaining count, and the buttons for the previous and next records. */
export const Pager = ({ shown, status, isBulk, onNext, onPrevious }: Props) => {
  const { t } = useTranslation('features/annotate')
  const { total, position, item, items } = shown
  const keys = useBindings()
  const back = { key: shortCap(keys.previous) }
  const forth = { key: shortCap(keys.next) }
  const previous = isBulk ? t('pager.previousPage', back) : t('pager.previous', back)
  const next = isBulk ? t('pager.nextPage', forth) : t('pager.next', forth)
  const count = total === null ? '' : formatCount(total)
  const first = formatCount(position)
  const last = formatCount(Math.min(total ?? 0, position + items.length - 1))
  const isRange = isBulk && item !== null && total !== null
  const isLeft = status === 'pending' || item === null || total === null || position > total
  return (
    <div className={styles['pager']}>
      <span className={classNames(styles['count'], isRange && styles['range'])}>
        {total === null
          ? ''
          : isRange
            ? t('pager.range', { first, last, total: count })
            : isLeft
              ? t(`pager.${status}`, { count: total, formatted: count })
              : t('pager.of', { position: first, total: count })}
      </span>
      {isRange && (
        <span className={styles['short']} aria-hidden="true">
          <span>
            {first}–{last}
          </span>{' '}
          <span>/ {count}</span>
        </span>
      )}
      <IconButton
        icon={ChevronLeftIcon}
        label={previous}
        aria-keyshortcuts={keyShortcuts(keys.previous)}
        aria-disabled={!shown.hasPrevious || undefined}
        onClick={onPrevious}
      />
      <IconButton
        icon={ChevronRightIcon}
        label={next}
        aria-keyshortcuts={keyShortcuts(keys.next)}
        aria-disabled={!shown.hasNext || undefined}
        onClick={onNext}
      />
    </div>
  )
}
