import type { User } from '@postil/contract/users.ts'
import { redirect } from '@tanstack/react-router'
import { loadAnnotationMessages } from '#features/annotate/service.ts'
import { preloadMessages } from '#i18n/setup.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { toastProblem } from '#ui/toast.ts'

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
  await Promise.all([loadAnnotationMessages(), preloadMessages('features/create')])
}
