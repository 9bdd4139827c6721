import type { ReactNode } from 'react'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { searchMarks } from '#lib/text/search-marks.ts'
import { showing } from '#lib/text/showing.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ChevronDownIcon, ChevronUpIcon } from '#ui/marks/icons.tsx'
import styles from './LongField.module.css'

type Props = {
  /** What the choice is remembered by, for the records that follow. */
  readonly fieldId: string
  readonly title: string
  /** What it holds, as text. */
  readonly text: string
  /** Words of a search that looks into it: where they are found, all of it is shown. */
  readonly search: string | null
  readonly children: ReactNode
}

/** Fields that somebody has opened, until the page is left. */
const opened = new Set<string>()

/** A few lines more than fit are not worth a button. */
const tolerance = 1.4

/** Scrolls what is around a box: what was found by the browser's own search then stays where the eye is. */
const scrollAround = (box: HTMLElement, by: number): void => {
  for (let around = box.parentElement; around; around = around.parentElement) {
    const before = around.scrollTop
    around.scrollTop += by
    if (around.scrollTop !== before) return
  }
}

/** A long field that others come after, cut until it is wanted. Whatever scrolls in it or takes the focus opens it. */
export const LongField = ({ fieldId, title, text, search, children }: Props) => {
  const { t } = useTranslation('features/annotate')
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [isLong, setLong] = useState(false)
  const [isOpen, setOpen] = useState(() => opened.has(fieldId))
  const isFound = useMemo(() => search !== null && searchMarks(text, search).length > 0, [text, search])
  const isCut = isLong && !isOpen && !isFound

  useLayoutEffect(() => {
    const box = frame.current
    const inside = content.current
    if (!box || !inside) return
    const measure = (): void => {
      const most = Number.parseFloat(getComputedStyle(box).getPropertyValue('--fold-px'))
      setLong(inside.offsetHeight > most * tolerance)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(inside)
    return () => observer.disconnect()
  }, [])

  const change = (open: boolean): void => {
    if (open) opened.add(fieldId)
    else opened.delete(fieldId)
    setOpen(open)
    // What was read far down is gone: the eye goes on where it was cut.
    if (!open) requestAnimationFrame(() => frame.current?.nextElementSibling?.scrollIntoView({ block: 'nearest' }))
  }
  // What opens by itself is not remembered: the next record is cut again.
  useEffect(() => {
    const box = frame.current
    if (!isCut || !box) return
    const show = (): void => {
      // NOTE: at once, for what is scrolled to next; React takes the attribute away only after the effect that asks.
      delete box.dataset['cut']
      setOpen(true)
    }
    const showWhere = (): void => {
      const within = box.scrollTop
      if (within === 0) return
      show()
      scrollAround(box, within)
    }
    box.addEventListener(showing, show)
    box.addEventListener('focusin', show)
    box.addEventListener('scroll', showWhere)
    return () => {
      box.removeEventListener(showing, show)
      box.removeEventListener('focusin', show)
      box.removeEventListener('scroll', showWhere)
    }
  }, [isCut])

  return (
    <>
      <div ref={frame} id={id} className={styles['frame']} data-cut={isCut ? '' : undefined}>
        <div ref={content}>{children}</div>
      </div>
      {isLong && !isFound && (
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
