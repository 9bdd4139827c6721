import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import { useChangedSections } from '../edits.ts'
import type { Section } from '../sections.ts'
import { sections } from '../sections.ts'
import styles from './SectionNav.module.css'

type Props = { readonly datasetId: string; readonly current: Section; readonly counts: { readonly [S in Section]?: number } }

/**
 * Returns the sides on which sections are scrolled out of view. The sides are `left` and `right`, regardless of the writing
 * direction.
 */
const hiddenSides = (list: HTMLElement): string => {
  const box = list.getBoundingClientRect()
  const parts = [...list.children].map((part) => part.getBoundingClientRect())
  // Positions on the screen can be fractions of a pixel, so a difference of up to one pixel is ignored.
  const isLeft = parts.some(({ left }) => left < box.left - 1)
  const isRight = parts.some(({ right }) => right > box.right + 1)
  return [isLeft && 'left', isRight && 'right'].filter(Boolean).join(' ')
}

/** Scrolls the row of sections until the section is clear of the row's faded edge. Nothing else on the page scrolls. */
const reveal = (list: HTMLElement, part: Element): void => {
  const box = list.getBoundingClientRect()
  const { left, right } = part.getBoundingClientRect()
  const margin = Number.parseFloat(getComputedStyle(list).scrollPaddingInlineEnd) || 0
  if (left < box.left + margin) list.scrollLeft += left - box.left - margin
  else if (right > box.right - margin) list.scrollLeft += right - box.right + margin
}

export const SectionNav = ({ datasetId, current, counts }: Props) => {
  const { t } = useTranslation('features/settings')
  const changed = useChangedSections()
  const list = useRef<HTMLUListElement>(null)
  const [hidden, setHidden] = useState('')
  const updateHiddenSides = useCallback(() => {
    if (list.current) setHidden(hiddenSides(list.current))
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the section changes
  useEffect(() => {
    // On a phone, the sections are a scrolling row. When fonts load late or the phone is rotated, the current section can move
    // out of view, so it is scrolled into view again.
    const show = (): void => {
      const part = list.current?.querySelector('[aria-current]')
      if (list.current && part) reveal(list.current, part)
      updateHiddenSides()
    }
    const resizeObserver = new ResizeObserver(show)
    for (const part of list.current ? [list.current, ...list.current.children] : []) resizeObserver.observe(part)
    return () => resizeObserver.disconnect()
  }, [current, updateHiddenSides])
  return (
    <nav aria-label={t('sections')} className={styles['nav']} data-hidden={hidden}>
      <ul ref={list} onScroll={updateHiddenSides}>
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
