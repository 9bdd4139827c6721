import type { getSession, showSecondFactor } from '@postil/contract/people/auth.ts'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { loadCodeStep, loadSetUp } from '#features/second-factor/service.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { call } from '#lib/api/client.ts'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { toastProblem } from '#ui/telling/toast.ts'
import { lazyPart } from '#ui/waiting/lazy-part.ts'
import type { Entrance } from '../api.ts'
import { signOut } from '../service.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { useSignIn } from './use-sign-in.ts'

const CodeStep = lazyPart(loadCodeStep, { isAskedFor: true })
const SetUp = lazyPart(loadSetUp, { isAskedFor: true })

const route = getRouteApi('/second-factor')

/** By a code of the factor that the user has. @throws ApiError 422 for a wrong one */
const byCode =
  (code: string): Entrance =>
  () =>
    call<typeof showSecondFactor>('POST', '/api/v1/session/second-factor', { body: { code }, soon: true })

/** By the session that the browser has got meanwhile. */
const bySession: Entrance = () => call<typeof getSession>('GET', '/api/v1/session')

/** What comes before everything else where the server asks for a second factor; then it goes on to where the user wanted to go. */
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
