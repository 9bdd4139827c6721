import { useTranslation } from 'react-i18next'
import { formatCount } from '#i18n/format.ts'
import type { RecordFilterStatus } from '#lib/url/grammar.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from '#ui/icons.tsx'
import { Tooltip } from '#ui/Tooltip.tsx'
import type { QueueSnapshot } from '../queue/queue.ts'
import styles from './Pager.module.css'

type Props = {
  readonly shown: QueueSnapshot
  readonly status: RecordFilterStatus
  readonly onNext: () => void
  readonly onPrevious: () => void
}

/** What is left, and the way to the records before and after. */
export const Pager = ({ shown, status, onNext, onPrevious }: Props) => {
  const { t } = useTranslation('features/annotate')
  const { total, position, item } = shown
  const count = total === null ? '' : formatCount(total)
  const isLeft = status === 'pending' || item === null || total === null || position > total
  return (
    <div className={styles['pager']}>
      <span className={styles['count']}>
        {total === null
          ? ''
          : isLeft
            ? t(`pager.${status}`, { count: total, formatted: count })
            : t('pager.of', { position: formatCount(position), total: count })}
      </span>
      <Tooltip text={t('pager.previous')}>
        <IconButton
          icon={ChevronLeftIcon}
          label={t('pager.previous')}
          aria-keyshortcuts="ArrowLeft"
          aria-disabled={!shown.hasPrevious || undefined}
          onClick={onPrevious}
        />
      </Tooltip>
      <Tooltip text={t('pager.next')}>
        <IconButton
          icon={ChevronRightIcon}
          label={t('pager.next')}
          aria-keyshortcuts="ArrowRight"
          aria-disabled={!shown.hasNext || undefined}
          onClick={onNext}
        />
      </Tooltip>
    </div>
  )
}
