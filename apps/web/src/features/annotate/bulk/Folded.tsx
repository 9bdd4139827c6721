import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import type { TextSearch } from '#lib/url/grammar.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ChevronDownIcon, ChevronUpIcon } from '#ui/marks/icons.tsx'
import { useBeginning } from '../use-beginning.ts'
import styles from './Folded.module.css'

type Props = {
  readonly isOpen: boolean
  readonly onOpen: (open: boolean) => void
  /** What is one of several things of a card is cut sooner. */
  readonly isLow?: boolean
  /** Of what may be found by a search: what is cut shows where the first of its words is. */
  readonly recordId?: string
  readonly search?: TextSearch | null
  readonly children: ReactNode
}

/** Long content, cut after a few lines until it is wanted. Focus inside opens it: nothing with the focus is out of sight. */
export const Folded = ({ isOpen, onOpen, isLow = false, recordId, search = null, children }: Props) => {
  const { t } = useTranslation('features/annotate')
  const frame = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [isLong, setLong] = useState(false)
  const [isLower, setLower] = useState(false)
  useBeginning(frame, recordId, search, false)
  useEffect(() => {
    const box = frame.current
    const inside = content.current
    if (!box || !inside) return
    const observer = new ResizeObserver(() => {
      const most = Number.parseFloat(getComputedStyle(box).getPropertyValue('--fold-px'))
      setLong(inside.offsetHeight > most)
    })
    observer.observe(inside)
    return () => observer.disconnect()
  }, [])
  const isCut = isLong && !isOpen
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: focus inside opens what is cut */}
      <div
        ref={frame}
        className={styles['frame']}
        data-low={isLow ? '' : undefined}
        data-cut={isCut ? '' : undefined}
        data-lower={isCut && isLower ? '' : undefined}
        data-open={isOpen ? '' : undefined}
        onFocus={() => isCut && onOpen(true)}
        onScroll={({ currentTarget }) => setLower(currentTarget.scrollTop > 0)}
      >
        <div ref={content}>{children}</div>
      </div>
      {isLong && (
        <Button
          look="quiet"
          icon={isOpen ? ChevronUpIcon : ChevronDownIcon}
          className={styles['button']}
          aria-expanded={isOpen}
          onClick={() => onOpen(!isOpen)}
        >
          {isOpen ? t('bulk.less') : t('bulk.more')}
        </Button>
      )}
    </>
  )
}
