import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { whenIdle } from '#lib/net/connection.ts'
import { Mark } from '#ui/marks/Mark.tsx'
import { lazyPart } from '#ui/waiting/lazy-part.ts'
import { Skeleton } from '#ui/waiting/Skeleton.tsx'
import styles from './Header.module.css'
import { UnsentNotice } from './UnsentNotice.tsx'

const JobsButton = lazyPart(() =>
  import('#features/jobs/components/JobsButton.tsx').then((module) => ({ default: module.JobsButton })),
)
const UserMenu = lazyPart(() => import('./UserMenu.tsx').then((module) => ({ default: module.UserMenu })))

const menuToCome = <Skeleton width="34px" height="34px" />

export const Header = ({ crumbs, actions }: { readonly crumbs: ReactNode; readonly actions: ReactNode }) => {
  const { t } = useTranslation()
  const [isIdle, setIdle] = useState(false)
  // What is shown first does not wait for it.
  useEffect(() => whenIdle(async () => setIdle(true)), [])
  return (
    <header className={styles['header']}>
      <Link to="/" className={styles['mark']} aria-label={t('nav.toHome')}>
        <Mark />
      </Link>
      {crumbs}
      <div className={styles['end']}>
        <UnsentNotice />
        {actions}
        {isIdle && (
          <Suspense>
            <JobsButton />
          </Suspense>
        )}
        <Suspense fallback={menuToCome}>{isIdle ? <UserMenu /> : menuToCome}</Suspense>
      </div>
    </header>
  )
}
