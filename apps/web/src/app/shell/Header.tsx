import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Suspense } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { useIdle } from '#lib/net/use-idle.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { Mark } from '#ui/marks/Mark.tsx'
import styles from './Header.module.css'
import { UnsentNotice } from './UnsentNotice.tsx'

const JobsButton = lazyPart(() =>
  import('#features/jobs/components/JobsButton.tsx').then((module) => ({ default: module.JobsButton })),
)
const UserMenu = lazyPart(() => import('./UserMenu.tsx').then((module) => ({ default: module.UserMenu })))

const menuPlaceholder = <Skeleton width="34px" height="34px" />

export const Header = ({ crumbs, actions }: { readonly crumbs: ReactNode; readonly actions: ReactNode }) => {
  const { t } = useTranslation()
  // The jobs button and the user menu aren't needed for the first render.
  const isIdle = useIdle()
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
        <Suspense fallback={menuPlaceholder}>{isIdle ? <UserMenu /> : menuPlaceholder}</Suspense>
      </div>
    </header>
  )
}
