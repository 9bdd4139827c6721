import type { CSSProperties, PointerEvent, ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { useToastInset } from '#ui/feedback/toast-inset.ts'
import { ChevronDownIcon } from '#ui/marks/first-icons.tsx'
import { ChevronUpIcon } from '#ui/marks/icons.tsx'
import styles from './Sheet.module.css'
import { useStoredLayout } from './use-stored-layout.ts'

type Props = {
  readonly datasetId: string
  readonly record: ReactNode
  readonly form: ReactNode
  /** Whether there is a form to pull up. */
  readonly hasForm: boolean
}

/**
 * The low and the high height of the sheet, as fractions of the available space. At the low height, the record and the form are
 * both visible.
 */
const [lowShare, highShare] = [0.54, 0.88] as const
const minShare = 0.3
/** The minimum distance, in pixels, that the pointer must move before a press on the handle is treated as a drag. */
const threshold = 6

/** The layout of small screens: the record, and the form in a sheet that can be pulled up by dragging or with its button. */
export const Sheet = ({ datasetId, record, form, hasForm }: Props) => {
  const { t } = useTranslation('features/annotate')
  const [isRaised, setRaised] = useStoredLayout(`sheet:${datasetId}`, false as boolean)
  const [draggedShare, setDraggedShare] = useState<number | null>(null)
  const root = useRef<HTMLDivElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  useToastInset(sheet, 'above')
  const start = useRef<{ readonly y: number; readonly share: number } | null>(null)
  const wasDragged = useRef(false)
  useEffect(() => {
    // Keeps the input visible when the on-screen keyboard opens.
    const keepFocusVisible = (): void => {
      sheet.current?.querySelector(':read-write:focus')?.scrollIntoView({ block: 'nearest' })
    }
    window.addEventListener('resize', keepFocusVisible)
    return () => window.removeEventListener('resize', keepFocusVisible)
  }, [])
  const share = draggedShare ?? (isRaised ? highShare : lowShare)

  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = { y: event.clientY, share }
    wasDragged.current = false
  }
  const onPointerMove = ({ clientY }: PointerEvent): void => {
    if (!start.current || !root.current) return
    const moved = start.current.y - clientY
    if (!wasDragged.current && Math.abs(moved) < threshold) return
    wasDragged.current = true
    setDraggedShare(Math.min(highShare, Math.max(minShare, start.current.share + moved / root.current.clientHeight)))
  }
  const onPointerUp = (): void => {
    if (wasDragged.current && draggedShare !== null) setRaised(draggedShare > (lowShare + highShare) / 2)
    start.current = null
    setDraggedShare(null)
  }

  const Arrow = isRaised ? ChevronDownIcon : ChevronUpIcon
  return (
    <div
      ref={root}
      className={styles['stack']}
      style={{ '--share': share } as CSSProperties}
      data-fits={draggedShare === null && !isRaised ? '' : undefined}
      data-dragged={draggedShare === null ? undefined : ''}
      data-bare={hasForm ? undefined : ''}
    >
      <div className={styles['record']}>{record}</div>
      <div ref={sheet} className={styles['sheet']}>
        {hasForm && (
          <button
            type="button"
            className={styles['handle']}
            aria-expanded={isRaised}
            aria-label={isRaised ? t('sheet.lower') : t('sheet.raise')}
            onPointerDown={onPointerDown}
            onPointerMove={onPointerMove}
            onPointerUp={onPointerUp}
            onPointerCancel={onPointerUp}
            onClick={() => !wasDragged.current && setRaised(!isRaised)}
          >
            <Arrow size={16} />
          </button>
        )}
        <div className={styles['form']}>{form}</div>
      </div>
    </div>
  )
}
