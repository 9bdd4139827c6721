import { useEffect, useRef, useState } from 'react'
import type { FontsMessage, FrameMessage, FrameTheme, RenderMessage } from '#frame/messages.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { href } from '#lib/api/base.ts'
import { useOnline } from '#lib/net/connection.ts'
import { useTheme } from '#lib/prefs/theme.ts'
import { useIgnoredAccents } from '#lib/text/ignored-accents.ts'
import { Button } from '#ui/controls/Button.tsx'
import styles from './Frame.module.css'
import { loadFontsFor } from './frame-fonts.ts'
import { useFocusGuard } from './use-focus-guard.ts'
import { useFrameMatch } from './use-frame-match.ts'

type Props = {
  readonly title: string
  readonly content: Pick<RenderMessage, 'template' | 'advanced' | 'record' | 'images' | 'search'>
}

/** Theme properties that a template may use. */
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
const maxHeight = 20_000
/**
 * How long to wait for a message from a loaded document, in milliseconds. If two waits in a row end without a message, the web
 * app concludes that the document isn't the frame document and that the server can't be reached.
 */
const answerTimeout = 1000
/**
 * How long the frame document normally takes to send its first message, in milliseconds. If it takes longer, the web app checks
 * whether the server can be reached.
 */
const quickCheckDelay = 100
/** Interval between automatic retries, in milliseconds. */
const retryInterval = 10_000

const currentTheme = (): FrameTheme => {
  const style = getComputedStyle(document.documentElement)
  const probe = document.createElement('span')
  document.body.append(probe)
  // Browsers resolve light-dark() only in color properties, not in custom properties. The frame therefore gets resolved colors.
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

const isServerUnavailable = async (): Promise<boolean> => {
  try {
    // A proxy responds with one of these status codes when the server behind it is down.
    return [502, 503, 504].includes((await fetch(href('/frame'), { method: 'HEAD', cache: 'no-store' })).status)
  } catch {
    return true
  }
}

type SandboxedFrameProps = Props & { readonly onReady: () => void; readonly onMissing: () => void; readonly isHidden: boolean }

/** Untrusted HTML in a document with its own origin. It can access neither the session nor the web app. */
const SandboxedFrame = ({ title, content, onReady, onMissing, isHidden }: SandboxedFrameProps) => {
  const { t } = useTranslation('field-types/custom')
  const frame = useRef<HTMLIFrameElement>(null)
  const reportMatch = useFrameMatch(frame)
  const [height, setHeight] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [blocked, setBlocked] = useState<string | null>(null)
  const theme = useTheme()
  const guardFocus = useFocusGuard(frame)
  const latest = useRef(content)
  const ignoresAccents = useIgnoredAccents()
  const latestAccents = useRef(ignoresAccents)
  const messageCount = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const serverCheckTimer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const render = (): void => {
    guardFocus()
    const message: RenderMessage = {
      type: 'postil:render',
      ...latest.current,
      ignoresAccents: latestAccents.current,
      theme: currentTheme(),
    }
    // The frame has an opaque origin, which can't be named as the target origin.
    frame.current?.contentWindow?.postMessage(message, '*')
  }

  /** Sends the fonts to each new document before the content, so that the text doesn't shift when the fonts arrive. */
  const sendFonts = (): void => {
    const { template, record } = latest.current
    const document = frame.current?.contentWindow
    loadFontsFor(JSON.stringify([template, record]), (fonts) =>
      document?.postMessage({ type: 'postil:fonts', fonts } satisfies FontsMessage, '*'),
    )
  }

  useEffect(() => {
    const receive = (event: MessageEvent): void => {
      if (event.source !== frame.current?.contentWindow) return
      // A template may send a message of any form, even null.
      const message = Object(event.data) as FrameMessage
      messageCount.current += 1
      onReady()
      if (message.type === 'postil:ready') {
        sendFonts()
        render()
      } else if (message.type === 'postil:height' && Number.isFinite(message.height))
        setHeight(Math.min(maxHeight, Math.max(0, message.height)))
      else if (message.type === 'postil:found') reportMatch(message)
      else if (message.type === 'postil:error') setProblem(String(message.message).slice(0, 500))
      else if (message.type === 'postil:blocked') setBlocked(String(message.origin).slice(0, 300))
    }
    window.addEventListener('message', receive)
    return () => window.removeEventListener('message', receive)
  })

  /** Asks a loaded document whether it is the frame document. The browser's error page doesn't answer. */
  const waitForMessage = (wasReloaded: boolean): void => {
    const before = messageCount.current
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      if (messageCount.current > before) return
      if (wasReloaded) onMissing()
      else {
        render()
        waitForMessage(true)
      }
    }, answerTimeout)
  }
  /**
   * If the frame's document sends no message soon, checks whether the server is down. The check is needed because the browser
   * doesn't report that a frame failed to load.
   */
  const askServer = (): void => {
    const before = messageCount.current
    clearTimeout(serverCheckTimer.current)
    serverCheckTimer.current = setTimeout(() => {
      if (messageCount.current > before) return
      render()
      void isServerUnavailable().then((isAway) => {
        if (isAway && messageCount.current === before && frame.current) onMissing()
      })
    }, quickCheckDelay)
  }
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      clearTimeout(serverCheckTimer.current)
    },
    [],
  )

  const { template, advanced, record, search } = content
  const wanted = JSON.stringify([template, advanced, record])
  // biome-ignore lint/correctness/useExhaustiveDependencies: problems belong to one template and record
  useEffect(() => {
    setProblem(null)
    setBlocked(null)
  }, [wanted])
  // biome-ignore lint/correctness/useExhaustiveDependencies: renders when the text, the search or the theme changes, not with every new object
  useEffect(() => {
    latest.current = content
    latestAccents.current = ignoresAccents
    render()
  }, [wanted, search, ignoresAccents, theme])

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
          waitForMessage(false)
          askServer()
        }}
        data-ready={height !== null ? '' : undefined}
      />
      {problem !== null && <p className={styles['problem']}>{t('problem', { problem })}</p>}
      {blocked !== null && <p className={styles['problem']}>{t('blocked', { origin: blocked })}</p>}
    </>
  )
}

/**
 * Shows the frame, or a message while the frame's document can't be loaded. The document is loaded from the server instead of
 * inlined, because an inlined document would share the web app's origin.
 */
export const Frame = (props: Props) => {
  const { t } = useTranslation('field-types/custom')
  const isOnline = useOnline()
  const [isMissing, setMissing] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const again = (): void => setAttempt((count) => count + 1)
  // Retries at intervals. The server can be down while the network works, and no event reports when the server is back.
  useEffect(() => {
    if (!isMissing) return
    const timer = setInterval(() => setAttempt((count) => count + 1), retryInterval)
    return () => clearInterval(timer)
  }, [isMissing])
  // biome-ignore lint/correctness/useExhaustiveDependencies: retries only when the network returns
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
      <SandboxedFrame
        key={attempt}
        {...props}
        isHidden={isMissing}
        onReady={() => setMissing(false)}
        onMissing={() => setMissing(true)}
      />
    </>
  )
}
