import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ToastRegion } from '#ui/feedback/ToastRegion.tsx'
import { ConnectionNotice } from './ConnectionNotice.tsx'
import { focusMain } from './focus-on-navigation.ts'
import styles from './RootShell.module.css'

export const RootShell = () => {
  const { t } = useTranslation()
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: a link within the page, which screen readers list with the other links */}
      <a
        href="#main"
        className={styles['skip']}
        onClick={(event) => {
          // With a `<base>` in the document, `#main` would lead to the home page.
          event.preventDefault()
          focusMain()
        }}
      >
        {t('nav.skip')}
      </a>
      <ToastRegion />
      <Suspense>
        <Outlet />
      </Suspense>
      <ConnectionNotice />
    </>
  )
}
