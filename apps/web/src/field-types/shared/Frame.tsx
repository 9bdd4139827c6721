import { useEffect, useRef, useState } from 'react'
import type { FontsMessage, FrameMessage, FrameTheme, RenderMessage } from '#frame/messages.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { href } from '#lib/api/base.ts'
import { useOnline } from '#lib/net/connection.ts'
import { useTheme } from '#lib/prefs/theme.ts'
import { Button } from '#ui/controls/Button.tsx'
import styles from './Frame.module.css'
import { giveFonts } from './frame-fonts.ts'
import { useFoundInside } from './use-found-inside.ts'
import { useKeptFocus } from './use-kept-focus.ts'

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
/** A document that says nothing for so long after it was loaded, twice, is none of ours: the server was out of reach. In milliseconds. */
const patience = 1000
/** A document of ours has said something by then; if not, whether the server can be reached is asked without waiting for more. In milliseconds. */
const soon = 100
/** How often it is tried again by itself, in milliseconds. */
const retryEvery = 10_000

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

const isServerAway = async (): Promise<boolean> => {
  try {
    // A proxy in front of a server that is away answers with one of these.
    return [502, 503, 504].includes((await fetch(href('/frame'), { method: 'HEAD', cache: 'no-store' })).status)
  } catch {
    return true
  }
}

type LiveProps = Props & { readonly onHeard: () => void; readonly onMissing: () => void; readonly isHidden: boolean }

/** HTML of a stranger's in a document of its own origin: it reaches neither the session nor this page. */
const LiveFrame = ({ title, content, onHeard, onMissing, isHidden }: LiveProps) => {
  const { t } = useTranslation('field-types/custom')
  const frame = useRef<HTMLIFrameElement>(null)
  const tellFound = useFoundInside(frame)
  const [height, setHeight] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const theme = useTheme()
  const keepFocus = useKeptFocus(frame)
  const latest = useRef(content)
  const heard = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const asking = useRef<ReturnType<typeof setTimeout>>(undefined)

  const render = (): void => {
    keepFocus()
    const message: RenderMessage = { type: 'postil:render', ...latest.current, theme: currentTheme() }
    // The frame's origin is opaque: no name of it could be given.
    frame.current?.contentWindow?.postMessage(message, '*')
  }

  /** Each document anew, before it is filled: what is shown in the wrong letters first jumps. */
  const dress = (): void => {
    const { template, record } = latest.current
    const document = frame.current?.contentWindow
    giveFonts(JSON.stringify([template, record]), (fonts) =>
      document?.postMessage({ type: 'postil:fonts', fonts } satisfies FontsMessage, '*'),
    )
  }

  useEffect(() => {
    const receive = (event: MessageEvent): void => {
      if (event.source !== frame.current?.contentWindow) return
      // A template may send what it likes, also nothing.
      const message = Object(event.data) as FrameMessage
      heard.current += 1
      onHeard()
      if (message.type === 'postil:ready') {
        dress()
        render()
      } else if (message.type === 'postil:height' && Number.isFinite(message.height))
        setHeight(Math.min(highest, Math.max(0, message.height)))
      else if (message.type === 'postil:found') tellFound(message)
      else if (message.type === 'postil:error') setProblem(String(message.message).slice(0, 500))
    }
    window.addEventListener('message', receive)
    return () => window.removeEventListener('message', receive)
  })

  /** Asks a document that was loaded whether it is ours; the browser's page about a missing server does not answer. */
  const listenFor = (isAskedAgain: boolean): void => {
    const before = heard.current
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (heard.current > before) return
      if (isAskedAgain) onMissing()
      else {
        render()
        listenFor(true)
      }
    }, patience)
  }
  /** A server that is away is told by a request of this page's at once, where the frame's own failure is not told at all. */
  const askServer = (): void => {
    const before = heard.current
    clearTimeout(asking.current)
    asking.current = setTimeout(() => {
      if (heard.current > before) return
      render()
      void isServerAway().then((isAway) => {
        if (isAway && heard.current === before && frame.current) onMissing()
      })
    }, soon)
  }
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      clearTimeout(asking.current)
    },
    [],
  )

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
        hidden={isHidden}
        onLoad={() => {
          listenFor(false)
          askServer()
        }}
        data-ready={height !== null ? '' : undefined}
      />
      {problem !== null && <p className={styles['problem']}>{t('problem', { problem })}</p>}
    </>
  )
}

/** The frame, and a sentence in its place while its document can not be had: that comes from the server, or it would be of our origin. */
export const Frame = (props: Props) => {
  const { t } = useTranslation('field-types/custom')
  const isOnline = useOnline()
  const [isMissing, setMissing] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const again = (): void => setAttempt((count) => count + 1)
  // The network may be there and the server not: nothing tells when it is back.
  useEffect(() => {
    if (!isMissing) return
    const timer = setInterval(() => setAttempt((count) => count + 1), retryEvery)
    return () => clearInterval(timer)
  }, [isMissing])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the network coming back is what counts
  useEffect(() => {
    if (isOnline && isMissing) again()
  }, [isOnline])
  return (
    <>
      {isMissing && (
        <p className={styles['missing']}>
          {t('missing')} <Button onClick={again}>{t('again')}</Button>
        </p>
      )}
      <LiveFrame
        key={attempt}
        {...props}
        isHidden={isMissing}
        onHeard={() => setMissing(false)}
        onMissing={() => setMissing(true)}
      />
    </>
  )
}
