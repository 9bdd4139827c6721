import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { href } from '#lib/api/base.ts'
import { Button } from '#ui/Button.tsx'
import { toastProblem } from '#ui/toast.ts'
import { endAllSessions } from '../api.ts'
import styles from './ProfilePage.module.css'

/** For a device that was lost, or a browser that was left signed in. */
export const Sessions = () => {
  const { t } = useTranslation('features/profile')
  const [busy, setBusy] = useState(false)
  const end = async (): Promise<void> => {
    setBusy(true)
    try {
      await endAllSessions()
      // A whole new page: nothing of the user is left in memory. Unsent answers stay on the device.
      window.location.assign(href('/sign-in'))
    } catch (error) {
      toastProblem(error)
      setBusy(false)
    }
  }
  return (
    <section className={styles['part']} aria-labelledby="sessions">
      <h2 id="sessions">{t('sessions')}</h2>
      <p className={styles['hint']}>{t('sessionsHint')}</p>
      <Button busy={busy} onClick={() => void end()}>
        {t('sessions')}
      </Button>
    </section>
  )
}
