import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { Toolbar } from './Toolbar.tsx'
import { useZoom } from './use-zoom.ts'
import styles from './View.module.css'
import type { Size } from './zoom.ts'

type Props = { readonly source: string; readonly title: string; readonly onFail: () => void }

/** Size of an image without an intrinsic size, in CSS pixels. */
const fallbackSize: Size = { width: 600, height: 400 }

/** An image that can be zoomed, rotated and moved with the pointer, the wheel, touch or the keyboard. */
export const ZoomableImage = ({ source, title, onFail }: Props) => {
  const { t } = useTranslation('field-types/image')
  const box = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const [natural, setNatural] = useState<Size | null>(null)
  const zoom = useZoom(box, natural ?? fallbackSize)
  const { stage, quarterTurns: quarters, scale } = zoom

  const onPointerDown = (pointerDown: PointerEvent<HTMLDivElement>): void => {
    // Touch scrolls the box natively.
    if (pointerDown.button !== 0 || pointerDown.pointerType === 'touch' || !zoom.isCut) return
    const element = pointerDown.currentTarget
    const from = { x: pointerDown.clientX + element.scrollLeft, y: pointerDown.clientY + element.scrollTop }
    const move = (event: globalThis.PointerEvent): void => {
      element.scrollLeft = from.x - event.clientX
      element.scrollTop = from.y - event.clientY
    }
    const end = (): void => {
      element.removeEventListener('pointermove', move)
      delete element.dataset['dragging']
    }
    element.setPointerCapture(pointerDown.pointerId)
    element.dataset['dragging'] = ''
    element.addEventListener('pointermove', move)
    element.addEventListener('lostpointercapture', end, { once: true })
  }

  const onDoubleClick = ({ clientX, clientY }: MouseEvent): void => {
    if (zoom.canZoomOut) zoom.fitAll()
    else if (scale < 1) zoom.showNatural(clientX, clientY)
    else zoom.zoom(1, clientX, clientY)
  }

  const uses: { readonly [key: string]: () => void } = {
    '+': () => zoom.zoom(1),
    '=': () => zoom.zoom(1),
    '-': () => zoom.zoom(-1),
    '0': zoom.fitAll,
    r: () => zoom.turn(1),
    R: () => zoom.turn(-1),
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const use = uses[event.key]
    // Arrow keys scroll the image while parts of it are cut off. Otherwise they move to other records.
    const scrolls = zoom.isCut && event.target === box.current && event.key.startsWith('Arrow')
    if (!use && !scrolls) return
    event.stopPropagation()
    if (!use) return
    event.preventDefault()
    use()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the image and its tools
    <div className={styles['frame']} onKeyDown={onKeyDown}>
      {natural === null && <Skeleton width="100%" height="12rem" />}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs */}
      <div
        ref={box}
        role="group"
        aria-label={title}
        aria-describedby={hintId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        tabIndex={0}
        className={styles['box']}
        data-picture=""
        data-cut={zoom.isCut ? '' : undefined}
        data-state={natural ? 'shown' : 'loading'}
        style={{ maxBlockSize: zoom.most }}
        onPointerDown={onPointerDown}
        onDoubleClick={onDoubleClick}
      >
        <div className={styles['stage']} style={{ width: stage.width, height: stage.height }}>
          <img
            className={styles['image']}
            style={{
              width: (natural ?? fallbackSize).width * scale,
              height: (natural ?? fallbackSize).height * scale,
              transform: `translate(-50%, -50%) rotate(${quarters * 90}deg)`,
            }}
            src={source}
            alt={title}
            draggable={false}
            referrerPolicy="no-referrer"
            decoding="async"
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setNatural(width > 0 && height > 0 ? { width, height } : fallbackSize)
            }
            onError={onFail}
          />
        </div>
      </div>
      <p id={hintId} hidden>
        {t('keys')}
      </p>
      {natural && <Toolbar zoom={zoom} title={title} />}
    </div>
  )
}
