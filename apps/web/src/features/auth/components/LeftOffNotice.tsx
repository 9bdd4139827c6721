import { useEffect, useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Notice } from '#ui/telling/Notice.tsx'
import type { LeftOff } from '../left-off.ts'
import { takeBackRefusal } from '../refusal.ts'
import styles from './LeftOffNotice.module.css'

/** How many of their answers wait on this device; null before that is known. */
const useWaiting = (userId: string): number | null => {
  const [waiting, setWaiting] = useState<number | null>(null)
  useEffect(() => {
    let isOver = false
    const count = async (): Promise<void> => {
      const { outbox } = await import('#lib/outbox/browser-outbox.ts')
      const { waiting: found } = await outbox.unsentCounts(userId)
      if (!isOver) setWaiting(found)
    }
    void count().catch(() => undefined)
    return () => {
      isOver = true
    }
  }, [userId])
  return waiting
}

/** Why the page that was here is gone, and what becomes of the answers that were given there: who comes back to this tab has not seen it go. */
export const LeftOffNotice = ({ leftOff: { userId, why } }: { readonly leftOff: LeftOff }) => {
  const { t } = useTranslation('features/auth')
  const waiting = useWaiting(userId)
  const kept = waiting ? t('leftOff.kept', { count: waiting, formatted: formatCount(waiting) }) : null
  const saysThatItIsOver = why === 'over' && kept !== null
  useEffect(() => {
    // What was refused first may have told it already.
    if (saysThatItIsOver) takeBackRefusal()
  }, [saysThatItIsOver])
  // That a session is over has been told where it was refused.
  if (why === 'over' && kept === null) return null
  return (
    <div className={styles['place']}>
      <Notice>
        <p>{t(`leftOff.${why}`)}</p>
        {kept !== null && <p>{kept}</p>}
      </Notice>
    </div>
  )
}
