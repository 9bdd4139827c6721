import { useTranslation } from '#i18n/use-translation.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { OfflineIcon } from '#ui/icons.tsx'
import styles from './UnsentNotice.module.css'

/** Counts the answers that wait on this device, for as long as they can not be sent. */
export const UnsentNotice = () => {
  const { t } = useTranslation()
  const { lines, sender, unwritten } = useOutbox()
  const stuck = sender === 'waiting' || sender === 'signed_out'
  const waiting = [...lines.keys()].filter((id) => !unwritten.has(id)).length
  return (
    <p role="status" className={styles['notice']}>
      {stuck && waiting > 0 && (
        <>
          <OfflineIcon />
          <span className={styles['text']}>{t('unsent.state', { count: waiting })}</span>
        </>
      )}
    </p>
  )
}
