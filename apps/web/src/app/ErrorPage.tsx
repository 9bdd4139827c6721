import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { isSettling } from '#lib/net/comeback.ts'
import { isGateway, whenReachable } from '#lib/net/reachable.ts'
import { lazyPart } from '#ui/waiting/lazy-part.ts'
import { Problem } from './Problem.tsx'

const UnsentAway = lazyPart(() => import('./shell/UnsentAway.tsx').then((module) => ({ default: module.UnsentAway })))

/** Between two tries while the network comes back, in milliseconds. */
const pause = 1000

/** What did not arrive is asked for again in place, by a press or when the server is back: loading the page again would lose it. */
const OutOfReach = () => {
  const { t } = useTranslation()
  const router = useRouter()
  const trying = useRef(false)
  const [busy, setBusy] = useState(false)
  const retry = useCallback(async (): Promise<void> => {
    if (trying.current) return
    trying.current = true
    setBusy(true)
    await router.invalidate()
    trying.current = false
    setBusy(false)
  }, [router])
  useEffect(() => {
    const again = (): void => void retry()
    const timer = setInterval(() => isSettling() && again(), pause)
    window.addEventListener('online', again)
    const stop = whenReachable(again)
    return () => {
      stop()
      clearInterval(timer)
      window.removeEventListener('online', again)
    }
  }, [retry])
  return (
    <Problem
      status={null}
      message={t('error.outOfReach')}
      hint={t('error.outOfReachHint')}
      onRetry={() => void retry()}
      isRetrying={busy}
    >
      <Suspense>
        <UnsentAway />
      </Suspense>
    </Problem>
  )
}

/** An error that no screen handled, with its status; one that comes from no request is a 500. */
export const ErrorPage = ({ error }: ErrorComponentProps) => {
  const { t } = useTranslation()
  if (!(error instanceof ApiError)) return <Broken status={500} error={error} />
  if (error.status === 0) return <OutOfReach />
  if (error.status === 404) return <Problem status={404} message={t('error.notFound')} hint={t('error.cantFind')} />
  if (error.status === 403) return <NoAccess error={error} />
  return isGateway(error.status) ? <Away error={error} /> : <Broken status={error.status} error={error} />
}

/** Asking again changes nothing: somebody else has to let the visitor in. */
const NoAccess = ({ error }: { readonly error: ApiError }) => {
  const { t } = useTranslation()
  const isDataset = error.request !== null && /\/datasets\//.test(error.request.path)
  return isDataset ? (
    <Problem status={403} message={t('error.noDatasetAccess')} hint={t('error.noDatasetAccessHint')} isExplained />
  ) : (
    <Problem status={403} message={problemMessage(error)} hint={t('error.noAccessHint')} isExplained />
  )
}

/** A proxy has answered for a server that is not there: the page comes when it is. */
const Away = ({ error }: { readonly error: ApiError }) => {
  const router = useRouter()
  useEffect(() => whenReachable(() => void router.invalidate()), [router])
  return <Broken status={error.status} error={error} />
}

const Broken = ({ status, error }: { readonly status: number; readonly error: unknown }) => (
  <Problem status={status} message={problemMessage(error)} onRetry={() => location.reload()} error={error} />
)
