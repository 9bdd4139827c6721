import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { useKeptFree } from '#ui/telling/toast-room.ts'
import { useKept } from '../layout-store.ts'
import styles from './Split.module.css'

type Props = {
  readonly datasetId: string
  readonly record: ReactNode
  readonly form: ReactNode
  /** Whether there is a record to answer. */
  readonly hasForm: boolean
}

/** Share of the record's side in percent; neither side gets too narrow to be of use. */
const [least, most, usual] = [38, 62, 60] as const
const step = 2
const clamp = (share: number): number => Math.min(most, Math.max(least, share))

const keys: { readonly [key: string]: (share: number) => number } = {
  ArrowLeft: (share) => share - step,
  ArrowRight: (share) => share + step,
  Home: () => least,
  End: () => most,
  Enter: () => usual,
}

/** The record and its margin, with a bar between them that can be moved. The place is kept per dataset. */
export const Split = ({ datasetId, record, form }: Props) => {
  const { t } = useTranslation('features/annotate')
  const [kept, keep] = useKept(`split:${datasetId}`, usual as number)
  const [dragged, setDragged] = useState<number | null>(null)
  const root = useRef<HTMLDivElement>(null)
  const margin = useRef<HTMLDivElement>(null)
  useKeptFree(margin, 'beside')
  const share = clamp(dragged ?? kept)

  const shareAt = (x: number): number => {
    const { left, width } = root.current?.getBoundingClientRect() ?? { left: 0, width: 1 }
    return clamp(((x - left) / width) * 100)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    setDragged(share)
  }
  const onPointerMove = (event: PointerEvent): void => {
    if (dragged !== null) setDragged(shareAt(event.clientX))
  }
  const onPointerUp = (): void => {
    if (dragged !== null) keep(Math.round(dragged * 10) / 10)
    setDragged(null)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = keys[event.key]
    if (!move) return
    event.preventDefault()
    event.stopPropagation()
    keep(clamp(move(share)))
  }

  return (
    <div ref={root} className={styles['split']} style={{ '--share': `${share}%` } as CSSProperties}>
      <div className={styles['record']}>{record}</div>
      {/* biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved */}
      <div
        className={styles['bar']}
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={t('split.label')}
        aria-valuemin={least}
        aria-valuemax={most}
        aria-valuenow={Math.round(share)}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerUp}
        onDoubleClick={() => keep(usual)}
        onKeyDown={onKeyDown}
      />
      <div ref={margin} className={styles['form']}>
        {form}
      </div>
    </div>
  )
}
