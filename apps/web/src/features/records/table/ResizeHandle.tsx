import type { KeyboardEvent, PointerEvent } from 'react'
import { useRef } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { maxWidth, minWidth } from './columns.ts'
import styles from './RecordsTable.module.css'

type Props = {
  /** The column's title. */
  readonly title: string
  /** The column's width in pixels. */
  readonly width: number
  /** Shows a width during a drag; null when the drag ends. */
  readonly onDrag: (width: number | null) => void
  /** Stores a width; null for the original width. */
  readonly onResize: (width: number | null) => void
}

/** How far an arrow key moves the edge, in pixels. */
const step = 16
const clamp = (width: number): number => Math.min(maxWidth, Math.max(minWidth, width))

/** The draggable edge of a column. Arrow keys move it too, and a double click or Enter restores the original width. */
export const ResizeHandle = ({ title, width, onDrag, onResize }: Props) => {
  const { t } = useTranslation('features/records')
  const start = useRef<{ readonly x: number; readonly width: number } | null>(null)

  const widthAt = ({ clientX }: PointerEvent): number | null =>
    start.current === null ? null : clamp(start.current.width + clientX - start.current.x)
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = { x: event.clientX, width }
  }
  const onPointerMove = (event: PointerEvent): void => {
    const dragged = widthAt(event)
    if (dragged !== null) onDrag(dragged)
  }
  const onPointerUp = (event: PointerEvent): void => {
    const dragged = widthAt(event)
    start.current = null
    onDrag(null)
    if (dragged !== null && dragged !== width) onResize(dragged)
  }
  const onPointerCancel = (): void => {
    start.current = null
    onDrag(null)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const widths: { readonly [key: string]: number | null } = {
      ArrowLeft: clamp(width - step),
      ArrowRight: clamp(width + step),
      Enter: null,
    }
    const next = widths[event.key]
    if (next === undefined) return
    event.preventDefault()
    onResize(next)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr element can't be moved
    <div
      className={styles['resize']}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('columnWidth', { title })}
      title={t('columnWidth', { title })}
      aria-valuemin={minWidth}
      aria-valuemax={maxWidth}
      aria-valuenow={width}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerCancel}
      onDoubleClick={() => onResize(null)}
      onKeyDown={onKeyDown}
    />
  )
}
