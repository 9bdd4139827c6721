import type { ErrorComponentProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Problem } from './Problem.tsx'

/** An error that no screen handled, with its status; one that comes from no request is a 500. */
export const ErrorPage = ({ error }: ErrorComponentProps) => {
  const { t } = useTranslation()
  const status = error instanceof ApiError && error.status > 0 ? error.status : 500
  return status === 404 ? (
    <Problem status={404} message={t('error.notFound')} />
  ) : (
    <Problem status={status} message={problemMessage(error)} canRetry error={error} />
  )
}
