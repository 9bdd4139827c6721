import type { CSSProperties, PointerEvent, ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ChevronDownIcon, ChevronUpIcon } from '#ui/marks/icons.tsx'
import { useKeptFree } from '#ui/telling/toast-room.ts'
import { useKept } from '../../layout-store.ts'
import styles from './Sheet.module.css'

type Props = {
  readonly datasetId: string
  readonly record: ReactNode
  readonly form: ReactNode
  /** Without one there is nothing to pull up. */
  readonly hasForm: boolean
}

/** Heights of the sheet as a share of the room: half, so that record and form are seen together, or most of it. */
const [low, high] = [0.54, 0.88] as const
const least = 0.3
/** From this many pixels on a press of the handle is a drag. */
const threshold = 6

/** On a small screen the record lies on top and the form in a sheet that can be pulled up, by finger or by its button. */
export const Sheet = ({ datasetId, record, form, hasForm }: Props) => {
  const { t } = useTranslation('features/annotate')
  const [isHigh, setHigh] = useKept(`sheet:${datasetId}`, false as boolean)
  const [dragged, setDragged] = useState<number | null>(null)
  const root = useRef<HTMLDivElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  useKeptFree(sheet, 'above')
  const start = useRef<{ readonly y: number; readonly share: number } | null>(null)
  const wasDragged = useRef(false)
  useEffect(() => {
    // A keyboard has come up below what is written.
    const keepInSight = (): void => {
      sheet.current?.querySelector(':read-write:focus')?.scrollIntoView({ block: 'nearest' })
    }
    window.addEventListener('resize', keepInSight)
    return () => window.removeEventListener('resize', keepInSight)
  }, [])
  const share = dragged ?? (isHigh ? high : low)

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
    setDragged(Math.min(high, Math.max(least, start.current.share + moved / root.current.clientHeight)))
  }
  const onPointerUp = (): void => {
    if (wasDragged.current && dragged !== null) setHigh(dragged > (low + high) / 2)
    start.current = null
    setDragged(null)
  }

  const Arrow = isHigh ? ChevronDownIcon : ChevronUpIcon
  return (
    <div
      ref={root}
      className={styles['stack']}
      style={{ '--share': share } as CSSProperties}
      data-dragged={dragged === null ? undefined : ''}
      data-bare={hasForm ? undefined : ''}
    >
      <div className={styles['record']}>{record}</div>
      <div ref={sheet} className={styles['sheet']}>
        {hasForm && (
          <button
            type="button"
            className={styles['handle']}
            aria-expanded={isHigh}
            aria-label={isHigh ? t('sheet.lower') : t('sheet.raise')}
            onPointerDown={onPointerDown}
            onPointerMove={onPointerMove}
            onPointerUp={onPointerUp}
            onPointerCancel={onPointerUp}
            onClick={() => !wasDragged.current && setHigh(!isHigh)}
          >
            <Arrow size={16} />
          </button>
        )}
        <div className={styles['form']}>{form}</div>
      </div>
    </div>
  )
}
