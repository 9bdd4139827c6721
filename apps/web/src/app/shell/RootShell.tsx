import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect, useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { useOnline } from '#lib/net/connection.ts'
import { ToastRegion } from '#ui/feedback/ToastRegion.tsx'
import { closeToast, toast } from '#ui/feedback/toast.ts'
import { focusMain } from './focus-on-navigation.ts'
import styles from './RootShell.module.css'

const ConnectionNotice = () => {
  const { t } = useTranslation()
  const online = useOnline()
  const notice = useRef<number | null>(null)
  useEffect(() => {
    if (!online) {
      notice.current ??= toast({
        text: t('connection.offline'),
        kind: 'danger',
        permanent: true,
        inFlow: true,
        key: 'connection',
      })
    } else if (notice.current !== null) {
      closeToast(notice.current)
      notice.current = null
      toast({ text: t('connection.online'), inFlow: true, key: 'connection' })
    }
  }, [online, t])
  return null
}

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
