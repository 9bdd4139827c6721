import { useTranslation } from 'react-i18next'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { OfflineIcon } from '#ui/icons.tsx'
import styles from './UnsentNotice.module.css'

/** Counts the answers that wait on this device, for as long as they can not be sent. */
export const UnsentNotice = () => {
  const { t } = useTranslation()
  const { lines, sender } = useOutbox()
  const stuck = sender === 'waiting' || sender === 'signed_out'
  return (
    <p role="status" className={styles['notice']}>
      {stuck && lines.size > 0 && (
        <>
          <OfflineIcon />
          <span className={styles['text']}>{t('unsent.state', { count: lines.size })}</span>
        </>
      )}
    </p>
  )
}
