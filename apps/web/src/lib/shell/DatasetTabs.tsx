import type { LinkProps } from '@tanstack/react-router'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '#i18n/use-translation.ts'
import { useMedia } from '#ui/page/use-media.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './DatasetTabs.module.css'
import { HeaderContent } from './header-slots.tsx'

const tabs = [
  { name: 'annotate', to: '/dataset/$datasetId/annotation-mode' },
  { name: 'records', to: '/dataset/$datasetId/records' },
  { name: 'overview', to: '/dataset/$datasetId/overview' },
  { name: 'settings', to: '/dataset/$datasetId/settings' },
] as const

type Props = { readonly datasetId: string; readonly className?: string | undefined }

/**
 * The pages of a dataset, for owners and admins. Annotators only annotate, so they have no tabs. In a wide window the tabs are in
 * the header, after the breadcrumbs.
 */
export const DatasetTabs = ({ datasetId, className }: Props) => {
  const { t } = useTranslation()
  const isInHeader = useMedia('(min-width: 64rem)')
  const tabList = (
    <nav aria-label={t('dataset.tabs')} className={classNames(styles['tabs'], isInHeader ? styles['inHeader'] : className)}>
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
  return isInHeader ? <HeaderContent crumbs={tabList} /> : tabList
}
