import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { hasCorrectionsQuery, reviewSettingsQuery } from '#lib/api/review-queries.ts'
import { useMedia } from '#ui/page/use-media.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './DatasetTabs.module.css'
import { HeaderContent } from './header-slots.tsx'

const tabs = [
  { name: 'annotate', to: '/dataset/$datasetId/annotation-mode' },
  { name: 'corrections', to: '/dataset/$datasetId/corrections' },
  { name: 'records', to: '/dataset/$datasetId/records' },
  { name: 'review', to: '/dataset/$datasetId/review' },
  { name: 'overview', to: '/dataset/$datasetId/overview' },
  { name: 'models', to: '/dataset/$datasetId/models' },
  { name: 'settings', to: '/dataset/$datasetId/settings' },
] as const

type TabName = (typeof tabs)[number]['name']

/** The tabs of owners and admins. */
const leadTabs: readonly TabName[] = ['annotate', 'records', 'review', 'overview', 'models', 'settings']

type Props = {
  readonly datasetId: string
  /** Whether the user is an owner or an admin. */
  readonly isLead: boolean
  readonly className?: string | undefined
}

/** The pages of a dataset. In a wide window the tabs are in the header, after the breadcrumbs. */
export const DatasetTabs = ({ datasetId, isLead, className }: Props) => {
  const { t } = useTranslation()
  const isInHeader = useMedia('(min-width: 64rem)')
  const { data: review } = useQuery({ ...reviewSettingsQuery(datasetId), enabled: !isLead })
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a phone, the row of tabs scrolls, so the current tab may be out of view.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [])
  const isReviewed = review !== undefined && review.mode !== 'off'
  const { data: hasCorrections = false } = useQuery({ ...hasCorrectionsQuery(datasetId), enabled: !isLead && isReviewed })
  const isReviewer = isReviewed && review.can_review
  // Annotators who can't review and have no corrections only annotate, so they have no tabs.
  if (!isLead && !isReviewer && !hasCorrections) return null
  const ownTabs: readonly TabName[] = [
    'annotate',
    ...(hasCorrections ? (['corrections'] as const) : []),
    ...(isReviewer ? (['review'] as const) : []),
  ]
  const names = isLead ? leadTabs : ownTabs
  const shown = tabs.filter(({ name }) => names.includes(name))
  const tabList = (
    <nav
      ref={nav}
      aria-label={t('dataset.tabs')}
      className={classNames(styles['tabs'], isInHeader ? styles['inHeader'] : className)}
    >
      <ul>
        {shown.map(({ name, to }) => (
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
