import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FrameMessage, FrameTheme, RenderMessage } from '#frame/messages.ts'
import { href } from '#lib/api/base.ts'
import { useTheme } from '#lib/prefs/theme.ts'
import styles from './Frame.module.css'

type Props = {
  readonly title: string
  readonly content: Pick<RenderMessage, 'template' | 'advanced' | 'record' | 'search'>
}

/** What a template may use of the page's theme. */
const properties = [
  '--ink',
  '--ink-quiet',
  '--surface',
  '--surface-sunken',
  '--line',
  '--accent',
  '--mark',
  '--font-sans',
  '--font-mono',
] as const
const highest = 20_000

const currentTheme = (): FrameTheme => {
  const style = getComputedStyle(document.documentElement)
  const probe = document.createElement('span')
  document.body.append(probe)
  // NOTE: light-dark() is settled only where a colour is used; the frame gets plain colours.
  const resolved = properties.map((name) => {
    if (name.startsWith('--font')) return [name, style.getPropertyValue(name)]
    probe.style.color = `var(${name})`
    return [name, getComputedStyle(probe).color]
  })
  const dark = getComputedStyle(probe).colorScheme.includes('dark') && !getComputedStyle(probe).colorScheme.includes('light')
  const systemDark =
    getComputedStyle(probe).colorScheme.includes('light dark') && matchMedia('(prefers-color-scheme: dark)').matches
  probe.remove()
  return { dark: dark || systemDark, properties: Object.fromEntries(resolved) }
}

/** HTML of a stranger's in a document of its own origin: it reaches neither the session nor this page. */
export const Frame = ({ title, content }: Props) => {
  const { t } = useTranslation('field-types/custom')
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const theme = useTheme()
  const latest = useRef(content)

  const render = (): void => {
    const message: RenderMessage = { type: 'postil:render', ...latest.current, theme: currentTheme() }
    // The frame's origin is opaque: no name of it could be given.
    frame.current?.contentWindow?.postMessage(message, '*')
  }

  useEffect(() => {
    const receive = (event: MessageEvent): void => {
      if (event.source !== frame.current?.contentWindow) return
      const message = event.data as FrameMessage
      if (message.type === 'postil:ready') render()
      else if (message.type === 'postil:height' && Number.isFinite(message.height))
        setHeight(Math.min(highest, Math.max(0, message.height)))
      else if (message.type === 'postil:error') setProblem(String(message.message).slice(0, 500))
    }
    window.addEventListener('message', receive)
    return () => window.removeEventListener('message', receive)
  })

  const { template, advanced, record, search } = content
  const wanted = JSON.stringify([template, advanced, record])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another template or record has problems of its own
  useEffect(() => setProblem(null), [wanted])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown changes with its text, what is searched for and the theme, not with the object
  useEffect(() => {
    latest.current = content
    render()
  }, [wanted, search, theme])

  return (
    <>
      <iframe
        ref={frame}
        className={styles['frame']}
        title={title}
        sandbox="allow-scripts"
        src={href('/frame')}
        style={{ height: height ?? 120 }}
        data-ready={height !== null ? '' : undefined}
      />
      {problem !== null && <p className={styles['problem']}>{t('problem', { problem })}</p>}
    </>
  )
}
