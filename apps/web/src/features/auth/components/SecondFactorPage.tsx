import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { loadCodeStep, loadSetUp } from '#features/second-factor/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { call } from '#lib/api/client.ts'
import { toastProblem } from '#ui/feedback/toast.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import type { SignInMethod } from '../api.ts'
import { signOut } from '../public.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { useSignIn } from './use-sign-in.ts'

const CodeStep = lazyPart(loadCodeStep, { reportsFailure: true })
const SetUp = lazyPart(loadSetUp, { reportsFailure: true })

const route = getRouteApi('/second-factor')

/** Completes sign-in with a two-factor code. @throws ApiError 422 for a wrong code */
const byCode =
  (code: string): SignInMethod =>
  () =>
    call('POST /session/second-factor', { body: { code }, hasTimeout: true })

/** Completes sign-in after two-factor authentication was set up. The browser already has the session. */
const bySession: SignInMethod = () => call('GET /session')

/**
 * The page for two-factor authentication, which takes precedence over all other pages. Afterward, the user continues to the
 * requested page.
 */
export const SecondFactorPage = () => {
  const { t } = useTranslation('features/second-factor')
  const { due } = route.useLoaderData()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { enter, error, isPending } = useSignIn()
  const title = due === 'code' ? t('title') : t('setUp')
  useDocumentTitle(title)
  const leave = (): void => {
    signOut(queryClient).then(() => navigate({ to: '/sign-in' }), toastProblem)
  }
  return (
    <AuthLayout title={title}>
      <Suspense>
        {due === 'code' ? (
          <CodeStep busy={isPending} error={error} onCode={(code, refused) => void enter(byCode(code), refused)} onBack={leave} />
        ) : (
          <SetUp error={error} onDone={() => void enter(bySession)} onBack={leave} />
        )}
      </Suspense>
    </AuthLayout>
  )
}
