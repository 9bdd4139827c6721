import type { Author, GoldReason, GoldSource } from '@postil/contract/gold.ts'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import styles from './GoldMark.module.css'

type Decided = {
  readonly source?: GoldSource
  readonly reason: GoldReason | null
  readonly note: string | null
  /** Null if names are hidden. */
  readonly by: Author | null
  readonly at: string
}

export const GoldMark = ({ answer: { source, reason, note, by, at } }: { readonly answer: Decided }) => {
  const { t } = useTranslation('features/review')
  const time = formatDateTime(at)
  return (
    <span className={styles['mark']}>
      {source !== undefined && <span>{t(`source.${source}`)}</span>}
      {reason !== null && <span>{t(`reason.${reason}`)}</span>}
      <span>{by === null ? time : t('byAt', { name: by.username ?? t('formerUser'), time })}</span>
      {note !== null && <bdi className={styles['note']}>{note}</bdi>}
    </span>
  )
}
