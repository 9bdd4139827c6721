import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { useToastInset } from '#ui/feedback/toast-inset.ts'
import styles from './Split.module.css'
import { useStoredLayout } from './use-stored-layout.ts'

type Props = {
  readonly datasetId: string
  readonly record: ReactNode
  readonly form: ReactNode
  /** Whether there is a record to answer. */
  readonly hasForm: boolean
}

/** The width of the record's column in percent. The limits keep both columns usable. */
const [minShare, maxShare, defaultShare] = [38, 62, 60] as const
const step = 2
const clamp = (share: number): number => Math.min(maxShare, Math.max(minShare, share))

const keys: { readonly [key: string]: (share: number) => number } = {
  ArrowLeft: (share) => share - step,
  ArrowRight: (share) => share + step,
  Home: () => minShare,
  End: () => maxShare,
  Enter: () => defaultShare,
}

/** The record and its form, with a draggable divider. The position is stored per dataset. */
export const Split = ({ datasetId, record, form }: Props) => {
  const { t } = useTranslation('features/annotate')
  const [storedShare, storeShare] = useStoredLayout(`split:${datasetId}`, defaultShare as number)
  const [draggedShare, setDraggedShare] = useState<number | null>(null)
  const root = useRef<HTMLDivElement>(null)
  const margin = useRef<HTMLDivElement>(null)
  useToastInset(margin, 'beside')
  const share = clamp(draggedShare ?? storedShare)

  const shareAt = (x: number): number => {
    const { left, width } = root.current?.getBoundingClientRect() ?? { left: 0, width: 1 }
    return clamp(((x - left) / width) * 100)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    setDraggedShare(share)
  }
  const onPointerMove = (event: PointerEvent): void => {
    if (draggedShare !== null) setDraggedShare(shareAt(event.clientX))
  }
  const onPointerUp = (): void => {
    if (draggedShare !== null) storeShare(Math.round(draggedShare * 10) / 10)
    setDraggedShare(null)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = keys[event.key]
    if (!move) return
    event.preventDefault()
    event.stopPropagation()
    storeShare(clamp(move(share)))
  }

  return (
    <div ref={root} className={styles['split']} style={{ '--share': `${share}%` } as CSSProperties}>
      <div className={styles['record']}>{record}</div>
      {/* biome-ignore lint/a11y/useSemanticElements: an hr element can't be moved */}
      <div
        className={styles['bar']}
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={t('split.label')}
        aria-valuemin={minShare}
        aria-valuemax={maxShare}
        aria-valuenow={Math.round(share)}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onDoubleClick={() => storeShare(defaultShare)}
        onKeyDown={onKeyDown}
      />
      <div ref={margin} className={styles['form']}>
        {form}
      </div>
    </div>
  )
}
