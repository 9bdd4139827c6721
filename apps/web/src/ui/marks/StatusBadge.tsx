import { useTranslation } from '#i18n/use-translation.ts'
import type { Icon } from './first-icons.tsx'
import { SubmittedIcon } from './first-icons.tsx'
import { CompletedIcon, DiscardedIcon, DraftIcon, PendingIcon } from './icons.tsx'
import styles from './StatusBadge.module.css'

export type Status = 'pending' | 'draft' | 'submitted' | 'discarded' | 'completed'

export const statusIcons: { readonly [S in Status]: Icon } = {
  pending: PendingIcon,
  draft: DraftIcon,
  submitted: SubmittedIcon,
  discarded: DiscardedIcon,
  completed: CompletedIcon,
}

/** Shows a status by color, shape and word. */
export const StatusBadge = ({ status }: { readonly status: Status }) => {
  const { t } = useTranslation()
  const Mark = statusIcons[status]
  return (
    <span className={styles['badge']} data-status={status}>
      <Mark size={14} />
      {t(`status.${status}`)}
    </span>
  )
}
