import { Suspense } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { ClockIcon } from '#ui/marks/icons.tsx'
import { Popover } from '#ui/overlays/Popover.tsx'
import styles from './OwnTime.module.css'

const OwnTimeText = lazyPart(() => import('./OwnTimeText.tsx').then((module) => ({ default: module.OwnTimeText })))

/** A button that shows the caller's active time in a dataset, and who else sees it. */
export const OwnTime = ({ datasetId }: { readonly datasetId: string }) => {
  const { t } = useTranslation('features/annotate')
  return (
    <Popover
      align="end"
      label={t('time.title')}
      className={styles['panel']}
      trigger={<IconButton icon={ClockIcon} label={t('time.title')} title={t('time.title')} className={styles['trigger']} />}
    >
      <Suspense fallback={<Skeleton height="4lh" />}>
        <OwnTimeText datasetId={datasetId} />
      </Suspense>
    </Popover>
  )
}
