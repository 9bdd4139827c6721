import { useTranslation } from '#i18n/use-translation.ts'
import { Problem } from './Problem.tsx'

export const NotFoundPage = () => {
  const { t } = useTranslation()
  return <Problem status={404} message={t('error.notFound')} hint={t('error.cantFind')} />
}
