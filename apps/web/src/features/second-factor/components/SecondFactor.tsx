import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { secondFactorQuery } from '../api.ts'
import styles from './SecondFactor.module.css'

// Loaded on demand: the code that draws QR codes is usually needed only once per user.
const FactorDialog = lazyPart(() => import('./FactorDialog.tsx').then((module) => ({ default: module.FactorDialog })), {
  reportsFailure: true,
})

/** Whether signing in requires a code, and the actions to change that. */
export const SecondFactor = () => {
  const { t } = useTranslation('features/second-factor')
  const { data } = useQuery(secondFactorQuery())
  const [open, setOpen] = useState<'setUp' | 'renew' | 'remove' | null>(null)
  if (data === undefined) return null
  const { active_since, recovery_codes, required } = data
  return (
    <>
      <h2 id="factor">{t('title')}</h2>
      <p className={styles['hint']}>
        {t('hint')} {required && t('required')}
      </p>
      {active_since === null ? (
        <Button onClick={() => setOpen('setUp')}>{t('setUp')}</Button>
      ) : (
        <>
          <p className={styles['state']}>
            {t('since', { time: formatDateTime(active_since) })} {t('left', { count: recovery_codes })}
          </p>
          <div className={styles['acts']}>
            <Button onClick={() => setOpen('renew')}>{t('renew')}</Button>
            {!required && (
              <Button look="quiet" onClick={() => setOpen('remove')}>
                {t('remove')}
              </Button>
            )}
          </div>
        </>
      )}
      <Suspense>{open !== null && <FactorDialog action={open} onClose={() => setOpen(null)} />}</Suspense>
    </>
  )
}
