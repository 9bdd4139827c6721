import type { User } from '@postil/contract/people/users.ts'
import type { QueryClient } from '@tanstack/react-query'
import { notFound, redirect } from '@tanstack/react-router'
import { loadAnnotationMessages } from '#features/annotate/public.ts'
import { requireSession } from '#features/auth/public.ts'
import { homeQuery } from '#features/home/public.ts'
import { repoIdOf } from '#features/hub/public.ts'
import { preloadMessages } from '#i18n/setup.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { toastProblem } from '#ui/feedback/toast.ts'

const forbidden = 403

/**
 * Guard of the pages that create and fill datasets. Loads their messages, including those of the annotation screen for
 * previews. Annotators see an error and are redirected home.
 */
export const requireCreator = async ({ role }: User): Promise<void> => {
  if (role === 'annotator') {
    toastProblem(new ApiError(forbidden, undefined))
    throw redirect({ to: '/' })
  }
  await Promise.all([
    loadAnnotationMessages(),
    preloadMessages('features/create', 'features/conditions', 'features/hub', 'question-types/shared/options'),
  ])
}

/**
 * Redirects to the dataset that was created from a Hub dataset, or to the page that creates one. @throws a redirect, or
 * notFound
 */
export const openRepository = async (client: QueryClient, id: string, href: string): Promise<never> => {
  const name = repoIdOf(id)
  if (name === null) throw notFound()
  const { role } = await requireSession(client, href)
  const { datasets } = await client.ensureQueryData(homeQuery())
  const existing = datasets.map(({ dataset }) => dataset).filter(({ metadata }) => metadata?.['repoId'] === name)
  const datasetId = (existing.find(({ status }) => status === 'ready') ?? existing[0])?.id
  if (datasetId !== undefined) throw redirect({ to: '/dataset/$datasetId/annotation-mode', params: { datasetId }, replace: true })
  if (role === 'annotator') throw notFound()
  throw redirect({ to: '/new/{-$datasetId}', params: { datasetId: name }, replace: true })
}
