import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import { useChangedSections } from '../edits.ts'
import type { Section } from '../sections.ts'
import { sections } from '../sections.ts'
import styles from './SectionNav.module.css'

type Props = { readonly datasetId: string; readonly current: Section; readonly counts: { readonly [S in Section]?: number } }

/** At which sides of the row there are parts out of sight, whichever way the page reads. */
const hiddenSides = (list: HTMLElement): string => {
  const box = list.getBoundingClientRect()
  const parts = [...list.children].map((part) => part.getBoundingClientRect())
  // Places on the screen are fractions of a pixel.
  const isLeft = parts.some(({ left }) => left < box.left - 1)
  const isRight = parts.some(({ right }) => right > box.right + 1)
  return [isLeft && 'left', isRight && 'right'].filter(Boolean).join(' ')
}

/** Scrolls the row, and nothing around it, to a part: to where it does not fade. */
const reveal = (list: HTMLElement, part: Element): void => {
  const box = list.getBoundingClientRect()
  const { left, right } = part.getBoundingClientRect()
  const margin = Number.parseFloat(getComputedStyle(list).scrollPaddingInlineEnd) || 0
  if (left < box.left + margin) list.scrollLeft += left - box.left - margin
  else if (right > box.right - margin) list.scrollLeft += right - box.right + margin
}

/** The parts of the page, how much is in each, and where something is changed but not saved. */
export const SectionNav = ({ datasetId, current, counts }: Props) => {
  const { t } = useTranslation('features/settings')
  const changed = useChangedSections()
  const list = useRef<HTMLUListElement>(null)
  const [hidden, setHidden] = useState('')
  const look = useCallback(() => {
    if (list.current) setHidden(hiddenSides(list.current))
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another part is another place to scroll to
  useEffect(() => {
    // On a phone the parts are a row that scrolls. Letters that arrive later, and turning the phone, move them.
    const show = (): void => {
      const part = list.current?.querySelector('[aria-current]')
      if (list.current && part) reveal(list.current, part)
      look()
    }
    const watch = new ResizeObserver(show)
    for (const part of list.current ? [list.current, ...list.current.children] : []) watch.observe(part)
    return () => watch.disconnect()
  }, [current, look])
  return (
    <nav aria-label={t('sections')} className={styles['nav']} data-hidden={hidden}>
      <ul ref={list} onScroll={look}>
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
