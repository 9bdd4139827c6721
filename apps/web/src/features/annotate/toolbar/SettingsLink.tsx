import { Link } from '@tanstack/react-router'
import { useTranslation } from '#i18n/use-translation.ts'
import { GearIcon } from '#ui/marks/icons.tsx'
import { Tooltip } from '#ui/overlays/Tooltip.tsx'
import styles from './SettingsLink.module.css'

/** A link from a dataset's records to its settings. */
export const SettingsLink = ({ datasetId }: { readonly datasetId: string }) => {
  const { t } = useTranslation('features/annotate')
  return (
    <Tooltip text={t('settings')} side="bottom" isName>
      <Link to="/dataset/$datasetId/settings" params={{ datasetId }} className={styles['link']} aria-label={t('settings')}>
        <GearIcon />
      </Link>
    </Tooltip>
  )
}
