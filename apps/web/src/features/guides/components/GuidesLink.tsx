import { Link } from '@tanstack/react-router'
import { useTranslation } from '#i18n/use-translation.ts'

export const GuidesLink = () => {
  const { t } = useTranslation()
  return (
    <Link to="/guides" className="standing">
      {t('nav.guides')}
    </Link>
  )
}
