import type { LinkProps } from '@tanstack/react-router'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '#i18n/use-translation.ts'
import type { HomeSearch } from '#lib/url/home-search.ts'
import styles from './Crumbs.module.css'

export type CrumbLink =
  | { readonly to: '/'; readonly search?: HomeSearch }
  | { readonly to: '/guides' | '/user-settings' | '/administration' | '/new' }
  | { readonly to: '/guides/$document'; readonly params: { readonly document: string } }
  | {
      readonly to:
        | '/dataset/$datasetId/annotation-mode'
        | '/dataset/$datasetId/records'
        | '/dataset/$datasetId/review'
        | '/dataset/$datasetId/corrections'
        | '/dataset/$datasetId/overview'
        | '/dataset/$datasetId/models'
        | '/dataset/$datasetId/settings'
        | '/dataset/$datasetId/import'
      readonly params: { readonly datasetId: string }
    }
export type Crumb = { readonly label: string; readonly link: CrumbLink }

export const Crumbs = ({ crumbs }: { readonly crumbs: readonly Crumb[] }) => {
  const { t } = useTranslation()
  const all: readonly Crumb[] = [{ label: t('nav.home'), link: { to: '/' } }, ...crumbs]
  return (
    <nav aria-label={t('nav.breadcrumbs')} className={styles['nav']}>
      <ol className={styles['list']}>
        {all.map(({ label, link }, index) => (
          <li key={`${link.to} ${label}`} className={styles['crumb']}>
            <Link
              {...(link as LinkProps)}
              className={styles['link']}
              activeProps={{}}
              aria-current={index === all.length - 1 ? 'page' : undefined}
            >
              <bdi>{label}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
