import type { ReactNode } from 'react'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { useIgnoredAccents } from '#lib/text/ignored-accents.ts'
import { beforeShowEvent } from '#lib/text/request-show.ts'
import { searchMarks } from '#lib/text/search-marks.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ChevronDownIcon } from '#ui/marks/first-icons.tsx'
import { ChevronUpIcon } from '#ui/marks/icons.tsx'
import { exceedsFold } from './fold-limit.ts'
import styles from './LongField.module.css'

type Props = {
  /** The key under which the expanded state is stored. The following records get the same state. */
  readonly fieldId: string
  readonly title: string
  /** The content as text. */
  readonly text: string
  /** The words of a search in this field. If they are found, the field is shown in full. */
  readonly search: string | null
  readonly children: ReactNode
}

/** The fields that the user has expanded since the page was opened. */
const openedFields = new Set<string>()

/**
 * Scrolls the container of a box by a number of pixels. The browser's own search may have scrolled inside the box to show a
 * match. This position is lost when the box expands. If the container is scrolled by the same distance, the match doesn't move.
 */
const keepScrollPosition = (box: HTMLElement, by: number): void => {
  for (let around = box.parentElement; around; around = around.parentElement) {
    const before = around.scrollTop
    around.scrollTop += by
    if (around.scrollTop !== before) return
  }
}

/**
 * A long field that is followed by other fields. It is truncated until the user expands it, scrolls inside it, or moves the focus
 * into it.
 */
export const LongField = ({ fieldId, title, text, search, children }: Props) => {
  const { t } = useTranslation('features/annotate')
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [isLong, setLong] = useState(false)
  const [isOpen, setOpen] = useState(() => openedFields.has(fieldId))
  const ignoresAccents = useIgnoredAccents()
  const hasMatch = useMemo(
    () => search !== null && searchMarks(text, search, ignoresAccents).length > 0,
    [text, search, ignoresAccents],
  )
  const isClipped = isLong && !isOpen && !hasMatch

  useLayoutEffect(() => {
    const box = frame.current
    const inside = content.current
    if (!box || !inside) return
    const measure = (): void => setLong(exceedsFold(box))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(inside)
    return () => observer.disconnect()
  }, [])

  const change = (open: boolean): void => {
    if (open) openedFields.add(fieldId)
    else openedFields.delete(fieldId)
    setOpen(open)
    // The user may have scrolled far down in the expanded field. After the field is collapsed, the view scrolls to the end of the
    // truncated text.
    if (!open) requestAnimationFrame(() => frame.current?.nextElementSibling?.scrollIntoView({ block: 'nearest' }))
  }
  // Expands the field if a search shows a match in it, or if it is focused or scrolled. These expansions are not stored: the next
  // record is truncated again.
  useEffect(() => {
    const box = frame.current
    if (!isClipped || !box) return
    const show = (): void => {
      // Removes the attribute immediately, because the field must be expanded before the view scrolls. React would remove it too
      // late.
      delete box.dataset['cut']
      setOpen(true)
    }
    const scrollToMatch = (): void => {
      const within = box.scrollTop
      if (within === 0) return
      show()
      keepScrollPosition(box, within)
    }
    box.addEventListener(beforeShowEvent, show)
    box.addEventListener('focusin', show)
    box.addEventListener('scroll', scrollToMatch)
    return () => {
      box.removeEventListener(beforeShowEvent, show)
      box.removeEventListener('focusin', show)
      box.removeEventListener('scroll', scrollToMatch)
    }
  }, [isClipped])

  return (
    <>
      <div ref={frame} id={id} className={styles['frame']} data-cut={isClipped ? '' : undefined}>
        <div ref={content}>{children}</div>
      </div>
      {isLong && !hasMatch && (
        <Button
          look="quiet"
          icon={isOpen ? ChevronUpIcon : ChevronDownIcon}
          className={styles['button']}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={isOpen ? t('record.lessOf', { title }) : t('record.moreOf', { title })}
          onClick={() => change(!isOpen)}
        >
          {isOpen ? t('record.less') : t('record.more')}
        </Button>
      )}
    </>
  )
}
