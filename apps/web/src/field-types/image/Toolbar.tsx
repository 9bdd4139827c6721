import type { KeyboardEvent, ReactNode } from 'react'
import { useRef, useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { stroke } from '#ui/marks/first-icons.tsx'
import { MinusIcon, PlusIcon } from '#ui/marks/icons.tsx'
import styles from './Toolbar.module.css'
import type { Zoom } from './use-zoom.ts'

const RotateIcon = stroke('M2.5 7h7v6.5h-7z', 'M6 3.5h3.5a4 4 0 0 1 4 4v1', 'M11.5 6.75l2 2l2-2')

type Tool = {
  readonly name: string
  readonly label: string
  readonly keys: string
  readonly content: ReactNode
  readonly isOff: boolean
  readonly onUse: () => void
}

/** An image's toolbar. It is one Tab stop. The arrow keys move between the tools. */
export const Toolbar = ({ zoom, title }: { readonly zoom: Zoom; readonly title: string }) => {
  const { t } = useTranslation('field-types/image')
  const bar = useRef<HTMLDivElement>(null)
  const [stop, setStop] = useState(0)
  const tools: readonly Tool[] = [
    { name: 'out', label: t('zoomOut'), keys: '-', content: <MinusIcon />, isOff: !zoom.canZoomOut, onUse: () => zoom.zoom(-1) },
    { name: 'in', label: t('zoomIn'), keys: '+', content: <PlusIcon />, isOff: !zoom.canZoomIn, onUse: () => zoom.zoom(1) },
    { name: 'fit', label: t('fit'), keys: '0', content: t('fit'), isOff: !zoom.canZoomOut, onUse: zoom.fitAll },
    {
      name: 'left',
      label: t('turnLeft'),
      keys: 'Shift+R',
      content: <RotateIcon className={styles['mirrored']} />,
      isOff: false,
      onUse: () => zoom.turn(-1),
    },
    { name: 'right', label: t('turnRight'), keys: 'R', content: <RotateIcon />, isOff: false, onUse: () => zoom.turn(1) },
  ]

  const onKeyDown = (event: KeyboardEvent): void => {
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const steps: { readonly [key: string]: number } = {
      ArrowRight: rtl ? -1 : 1,
      ArrowLeft: rtl ? 1 : -1,
      Home: -stop,
      End: tools.length - 1 - stop,
    }
    const step = steps[event.key]
    if (step === undefined) return
    const next = (stop + step + tools.length) % tools.length
    setStop(next)
    bar.current?.querySelectorAll<HTMLElement>('button')[next]?.focus()
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div ref={bar} role="toolbar" aria-label={t('tools', { title })} className={styles['bar']} onKeyDown={onKeyDown}>
      {tools.map((tool, index) => (
        <button
          key={tool.name}
          type="button"
          className={styles['tool']}
          aria-label={tool.label}
          aria-keyshortcuts={tool.keys}
          title={`${tool.label} (${tool.keys})`}
          tabIndex={index === stop ? 0 : -1}
          // Disabled tools stay reachable by arrow keys.
          aria-disabled={tool.isOff || undefined}
          onFocus={() => setStop(index)}
          onClick={() => !tool.isOff && tool.onUse()}
        >
          {tool.content}
        </button>
      ))}
      <output className={styles['scale']} aria-label={t('scale')}>
        {t('percent', { formatted: formatCount(Math.round(zoom.scale * 100)) })}
      </output>
    </div>
  )
}
