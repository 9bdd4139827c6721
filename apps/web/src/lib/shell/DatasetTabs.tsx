import type { LinkProps } from '@tanstack/react-router'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '#i18n/use-translation.ts'
import styles from './DatasetTabs.module.css'

const tabs = [
  { name: 'annotate', to: '/dataset/$datasetId/annotation-mode' },
  { name: 'records', to: '/dataset/$datasetId/records' },
  { name: 'settings', to: '/dataset/$datasetId/settings' },
] as const

type Props = { readonly datasetId: string; readonly className?: string | undefined }

/** The pages of a dataset, for owners and admins. Annotators only annotate, so they have no tabs. */
export const DatasetTabs = ({ datasetId, className = '' }: Props) => {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('dataset.tabs')} className={`${styles['tabs']} ${className}`}>
      <ul>
        {tabs.map(({ name, to }) => (
          <li key={name}>
            <Link
              {...({ to, params: { datasetId } } as LinkProps)}
              activeOptions={{ exact: true, includeSearch: false }}
              activeProps={{ 'aria-current': 'page' }}
              className={styles['tab']}
            >
              {t(`dataset.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
