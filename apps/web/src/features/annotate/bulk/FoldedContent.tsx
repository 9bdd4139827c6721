import type { TextSearch } from '@postil/contract/annotation-query/grammar.ts'
import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ChevronDownIcon } from '#ui/marks/first-icons.tsx'
import { ChevronUpIcon } from '#ui/marks/icons.tsx'
import { useInitialScroll } from '../record/use-initial-scroll.ts'
import styles from './FoldedContent.module.css'

type Props = {
  readonly isOpen: boolean
  readonly onOpen: (open: boolean) => void
  /** Whether the content is one of several parts of a card and is therefore truncated sooner. */
  readonly isShort?: boolean
  /** The record's ID. Set for content that a search can match, so that truncated content is scrolled to the first match. */
  readonly recordId?: string
  readonly search?: TextSearch | null
  readonly children: ReactNode
}

/**
 * Shows only the first lines of long content until it is expanded. If an element in the content gets the focus, the content is
 * expanded, because the focused element must be visible.
 */
export const FoldedContent = ({ isOpen, onOpen, isShort = false, recordId, search = null, children }: Props) => {
  const { t } = useTranslation('features/annotate')
  const frame = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [isLong, setLong] = useState(false)
  const [isOverflowing, setOverflowing] = useState(false)
  useInitialScroll(frame, recordId, search, false)
  useEffect(() => {
    const contentElement = frame.current
    const inside = content.current
    if (!contentElement || !inside) return
    const observer = new ResizeObserver(() => {
      const maxHeight = Number.parseFloat(getComputedStyle(contentElement).getPropertyValue('--fold-px'))
      setLong(inside.offsetHeight > maxHeight)
    })
    observer.observe(inside)
    return () => observer.disconnect()
  }, [])
  const isCut = isLong && !isOpen
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: focus inside unfolds the content */}
      <div
        ref={frame}
        className={styles['frame']}
        data-low={isShort ? '' : undefined}
        data-cut={isCut ? '' : undefined}
        data-lower={isCut && isOverflowing ? '' : undefined}
        data-open={isOpen ? '' : undefined}
        onFocus={() => isCut && onOpen(true)}
        onScroll={({ currentTarget }) => setOverflowing(currentTarget.scrollTop > 0)}
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
