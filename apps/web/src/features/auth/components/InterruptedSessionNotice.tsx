import { useEffect, useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Notice } from '#ui/feedback/Notice.tsx'
import type { InterruptedSession } from '../interrupted-session.ts'
import { hideSessionRefusal } from '../session-refusal.ts'
import styles from './InterruptedSessionNotice.module.css'

/** Returns how many of the user's answers on this device are unsent. Null before that is known. */
const useUnsentCount = (userId: string): number | null => {
  const [unsentCount, setUnsentCount] = useState<number | null>(null)
  useEffect(() => {
    let isOver = false
    const count = async (): Promise<void> => {
      const { outbox } = await import('#lib/outbox/browser-outbox.ts')
      const { waiting: found } = await outbox.unsentCounts(userId)
      if (!isOver) setUnsentCount(found)
    }
    void count().catch(() => undefined)
    return () => {
      isOver = true
    }
  }, [userId])
  return unsentCount
}

/** Explains why the session ended and what happens to unsent answers, for a user who returns to this tab. */
export const InterruptedSessionNotice = ({
  interruptedSession: { userId, why },
}: {
  readonly interruptedSession: InterruptedSession
}) => {
  const { t } = useTranslation('features/auth')
  const unsentCount = useUnsentCount(userId)
  const unsentText = unsentCount ? t('leftOff.kept', { count: unsentCount, formatted: formatCount(unsentCount) }) : null
  const showsSessionOver = why === 'over' && unsentText !== null
  useEffect(() => {
    // The error of the first rejected request may already say the same, so it is hidden.
    if (showsSessionOver) hideSessionRefusal()
  }, [showsSessionOver])
  // The rejected request has already reported that the session is over.
  if (why === 'over' && unsentText === null) return null
  return (
    <div className={styles['place']}>
      <Notice>
        <p>{t(`leftOff.${why}`)}</p>
        {unsentText !== null && <p>{unsentText}</p>}
      </Notice>
    </div>
  )
}
