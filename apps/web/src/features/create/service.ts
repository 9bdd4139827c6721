import type { User } from '@postil/contract/people/users.ts'
import type { QueryClient } from '@tanstack/react-query'
import { notFound, redirect } from '@tanstack/react-router'
import { loadAnnotationMessages } from '#features/annotate/service.ts'
import { requireSession } from '#features/auth/service.ts'
import { homeQuery } from '#features/home/service.ts'
import { repoIdOf } from '#features/hub/service.ts'
import { preloadMessages } from '#i18n/setup.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { toastProblem } from '#ui/telling/toast.ts'

const forbidden = 403

/**
 * Guard of the pages that make datasets and fill them, with their texts: a preview has those of the annotation screen. Annotators are
 * told that it is not for them, and sent home.
 */
export const enterMaking = async ({ role }: User): Promise<void> => {
  if (role === 'annotator') {
    toastProblem(new ApiError(forbidden, undefined))
    throw redirect({ to: '/' })
  }
  await Promise.all([loadAnnotationMessages(), preloadMessages('features/create', 'features/hub')])
}

/** What was made of a dataset of the hub, or the page that makes something of it. @throws where to go, or that there is nothing */
export const openRepository = async (client: QueryClient, id: string, href: string): Promise<never> => {
  const name = repoIdOf(id)
  if (name === null) throw notFound()
  const { role } = await requireSession(client, href)
  const { datasets } = await client.ensureQueryData(homeQuery())
  const made = datasets.map(({ dataset }) => dataset).filter(({ metadata }) => metadata?.['repoId'] === name)
  const datasetId = (made.find(({ status }) => status === 'ready') ?? made[0])?.id
  if (datasetId !== undefined) throw redirect({ to: '/dataset/$datasetId/annotation-mode', params: { datasetId }, replace: true })
  if (role === 'annotator') throw notFound()
  throw redirect({ to: '/new/{-$datasetId}', params: { datasetId: name }, replace: true })
}
