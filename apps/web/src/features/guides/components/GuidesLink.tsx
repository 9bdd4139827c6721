import { Link } from '@tanstack/react-router'
import { useTranslation } from '#i18n/use-translation.ts'

/** The way to the guides, where somebody may not know how to go on. */
export const GuidesLink = () => {
  const { t } = useTranslation()
  return (
    <Link to="/guides" className="standing">
      {t('nav.guides')}
    </Link>
  )
}
