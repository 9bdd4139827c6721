import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Skeleton } from '#ui/waiting/Skeleton.tsx'
import { Toolbar } from './Toolbar.tsx'
import { useZoom } from './use-zoom.ts'
import styles from './View.module.css'
import type { Size } from './zoom.ts'

type Props = { readonly source: string; readonly title: string; readonly onFail: () => void }

/** A drawing that has no size of its own, in CSS pixels. */
const unsized: Size = { width: 600, height: 400 }

/** A picture that is looked at closely: larger, turned, moved by pointer, wheel, finger or keys. */
export const Picture = ({ source, title, onFail }: Props) => {
  const { t } = useTranslation('field-types/image')
  const box = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const [natural, setNatural] = useState<Size | null>(null)
  const zoom = useZoom(box, natural ?? unsized)
  const { stage, quarters, scale } = zoom

  const onPointerDown = (down: PointerEvent<HTMLDivElement>): void => {
    // A finger scrolls the box by itself.
    if (down.button !== 0 || down.pointerType === 'touch' || !zoom.isCut) return
    const element = down.currentTarget
    const from = { x: down.clientX + element.scrollLeft, y: down.clientY + element.scrollTop }
    const move = (event: globalThis.PointerEvent): void => {
      element.scrollLeft = from.x - event.clientX
      element.scrollTop = from.y - event.clientY
    }
    const end = (): void => {
      element.removeEventListener('pointermove', move)
      delete element.dataset['dragging']
    }
    element.setPointerCapture(down.pointerId)
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
    // The browser scrolls by the arrows; they lead to other records only where nothing is cut.
    const scrolls = zoom.isCut && event.target === box.current && event.key.startsWith('Arrow')
    if (!use && !scrolls) return
    event.stopPropagation()
    if (!use) return
    event.preventDefault()
    use()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the picture and of its tools
    <div className={styles['frame']} onKeyDown={onKeyDown}>
      {natural === null && <Skeleton width="100%" height="12rem" />}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs */}
      <div
        ref={box}
        role="group"
        aria-label={title}
        aria-describedby={hintId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
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
              width: (natural ?? unsized).width * scale,
              height: (natural ?? unsized).height * scale,
              transform: `translate(-50%, -50%) rotate(${quarters * 90}deg)`,
            }}
            src={source}
            alt={title}
            draggable={false}
            referrerPolicy="no-referrer"
            decoding="async"
            onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
              setNatural(width > 0 && height > 0 ? { width, height } : unsized)
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
