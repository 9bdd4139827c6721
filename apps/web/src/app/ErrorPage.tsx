import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Problem } from './Problem.tsx'

/** What did not arrive is asked for again in place, by a press or when the network is back: loading the page again would lose it. */
const OutOfReach = () => {
  const { t } = useTranslation()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    const again = (): void => void router.invalidate()
    window.addEventListener('online', again)
    return () => window.removeEventListener('online', again)
  }, [router])
  const retry = async (): Promise<void> => {
    setBusy(true)
    await router.invalidate()
    setBusy(false)
  }
  return (
    <Problem
      status={null}
      message={t('error.outOfReach')}
      hint={t('error.outOfReachHint')}
      onRetry={() => void retry()}
      isRetrying={busy}
    />
  )
}

/** An error that no screen handled, with its status; one that comes from no request is a 500. */
export const ErrorPage = ({ error }: ErrorComponentProps) => {
  const { t } = useTranslation()
  if (!(error instanceof ApiError)) return <Broken status={500} error={error} />
  if (error.status === 0) return <OutOfReach />
  if (error.status === 404) return <Problem status={404} message={t('error.notFound')} hint={t('error.cantFind')} />
  return <Broken status={error.status} error={error} />
}

const Broken = ({ status, error }: { readonly status: number; readonly error: unknown }) => (
  <Problem status={status} message={problemMessage(error)} onRetry={() => location.reload()} error={error} />
)
