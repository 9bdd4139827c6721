import type { GoldAnswer } from '@postil/contract/gold.ts'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import styles from './GoldMark.module.css'

/** Where a final answer comes from, who decided it and when. */
export const GoldMark = ({ answer: { source, reason, note, by, at } }: { readonly answer: GoldAnswer }) => {
  const { t } = useTranslation('features/review')
  return (
    <span className={styles['mark']}>
      <span>{t(`source.${source}`)}</span>
      {reason !== null && <span>{t(`reason.${reason}`)}</span>}
      <span>{t('byAt', { name: by.username ?? t('formerUser'), time: formatDateTime(at) })}</span>
      {note !== null && <bdi className={styles['note']}>{note}</bdi>}
    </span>
  )
}
