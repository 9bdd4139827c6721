import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import { useChangedSections } from '../edits.ts'
import type { Section } from '../sections.ts'
import { sections } from '../sections.ts'
import styles from './SettingsPage.module.css'

type Props = { readonly datasetId: string; readonly current: Section; readonly counts: { readonly [S in Section]?: number } }

/** The parts of the page, how much is in each, and where something is changed but not saved. */
export const SectionNav = ({ datasetId, current, counts }: Props) => {
  const { t } = useTranslation('features/settings')
  const changed = useChangedSections()
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another part is another place to scroll to
  useEffect(() => {
    // On a phone the parts are a row that scrolls.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return (
    <nav aria-label={t('sections')} className={styles['nav']}>
      <ul ref={list}>
        {sections.map((section) => (
          <li key={section}>
            <Link
              to="/dataset/$datasetId/settings"
              params={{ datasetId }}
              search={{ tab: section }}
              replace
              resetScroll={false}
              className={styles['navLink']}
              activeProps={{}}
              aria-current={section === current ? 'page' : undefined}
            >
              {t(`section.${section}`)}
              {counts[section] !== undefined && <span className={styles['count']}>{counts[section]}</span>}
              {changed.has(section) && (
                <span className={styles['dot']}>
                  <VisuallyHidden>{t('unsaved')}</VisuallyHidden>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
