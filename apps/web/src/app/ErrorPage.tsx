import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { isGateway, whenReachable } from '#lib/net/reachable.ts'
import { isReconnecting } from '#lib/net/reconnect.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Problem } from './Problem.tsx'

const UnsentOffline = lazyPart(() => import('./shell/UnsentOffline.tsx').then((module) => ({ default: module.UnsentOffline })))

/** Delay between retries while the network recovers, in milliseconds. */
const retryInterval = 1000

/**
 * Retries a failed request in place, on a click or when the server is reachable again. A page reload would lose unsaved state.
 */
const ServerUnreachable = () => {
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
    const retryNow = (): void => void retry()
    const timer = setInterval(() => isReconnecting() && retryNow(), retryInterval)
    window.addEventListener('online', retryNow)
    const stop = whenReachable(retryNow)
    return () => {
      stop()
      clearInterval(timer)
      window.removeEventListener('online', retryNow)
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
        <UnsentOffline />
      </Suspense>
    </Problem>
  )
}

/** An error that no screen handled, with its status. An error that doesn't come from a request is treated as a 500. */
export const ErrorPage = ({ error }: ErrorComponentProps) => {
  const { t } = useTranslation()
  if (!(error instanceof ApiError)) return <UnexpectedError status={500} error={error} />
  if (error.status === 0) return <ServerUnreachable />
  if (error.status === 404) return <Problem status={404} message={t('error.notFound')} hint={t('error.cantFind')} />
  if (error.status === 403) return <NoAccess error={error} />
  return isGateway(error.status) ? <GatewayError error={error} /> : <UnexpectedError status={error.status} error={error} />
}

/** Offers no retry, because someone else has to grant access. */
const NoAccess = ({ error }: { readonly error: ApiError }) => {
  const { t } = useTranslation()
  const isDataset = error.request !== null && /\/datasets\//.test(error.request.path)
  return isDataset ? (
    <Problem status={403} message={t('error.noDatasetAccess')} hint={t('error.noDatasetAccessHint')} hasExplanation />
  ) : (
    <Problem status={403} message={problemMessage(error)} hint={t('error.noAccessHint')} hasExplanation />
  )
}

/** Shown when a proxy answers because the server is down. The page loads as soon as the server is back. */
const GatewayError = ({ error }: { readonly error: ApiError }) => {
  const router = useRouter()
  useEffect(() => whenReachable(() => void router.invalidate()), [router])
  return <UnexpectedError status={error.status} error={error} />
}

const UnexpectedError = ({ status, error }: { readonly status: number; readonly error: unknown }) => (
  <Problem status={status} message={problemMessage(error)} onRetry={() => location.reload()} error={error} />
)
