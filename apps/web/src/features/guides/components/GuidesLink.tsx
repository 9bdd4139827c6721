import { Link } from '@tanstack/react-router'
import { useTranslation } from '#i18n/use-translation.ts'

/** A link to the guides, for places where users may be stuck. */
export const GuidesLink = () => {
  const { t } = useTranslation()
  return (
    <Link to="/guides" className="standing">
      {t('nav.guides')}
    </Link>
  )
}
