export type SecurityEvent =
  | 'signed in'
  | 'sign-in failed'
  | 'locked out'
  | 'password reset'
  | 'signed out'
  | 'signed out everywhere'
  | 'credentials refused'
  | 'not allowed'
  | 'too many requests'
  | 'input refused'
  | 'host refused'

/** How a user authenticated or tried to. */
export type SignInMethod =
  | 'password'
  | 'password for a token'
  | 'second factor'
  | 'link'
  | 'invitation'
  | 'password link'
  | 'demo'
  | 'provider'
  | 'key or token'

type SecurityFields = {
  readonly address: string
  readonly request: string
  /** ID of a known user. Unknown names are not logged, because people type passwords into the username field. */
  readonly user?: string
  readonly means?: SignInMethod
  /** ID of the endpoint. */
  readonly route?: string
}

export type SecurityLog = { readonly note: (event: SecurityEvent, fields: SecurityFields) => void }

type Logger = {
  readonly info: (fields: object, message: string) => void
  readonly warn: (fields: object, message: string) => void
}

/**
 * Maximum number of log lines in a time window for one event from one address. Further events are counted but not logged.
 * Otherwise, someone could fill the disk with refusals or hide one kind of event among many events of another kind.
 */
const MAX_LINES = 120
const WINDOW_MS = 60_000
const MAX_WINDOWS = 10_000

type Window = { readonly event: SecurityEvent; readonly address: string; readonly until: number; lines: number; left: number }

/**
 * Successful events. They are always logged, because a client can't flood the log with them: each event costs the client as much
 * as the server.
 */
const ALWAYS = new Set<SecurityEvent>(['signed in', 'password reset', 'signed out', 'signed out everywhere'])
const WARNINGS = new Set<SecurityEvent>(['locked out'])

export const createSecurityLog = (log: Logger, now = (): number => performance.now()): SecurityLog => {
  const windows = new Map<string, Window>()
  const close = (key: string, { event, address, left }: Window) => {
    windows.delete(key)
    if (left > 0) log.warn({ security: 'more of the same', event, address, times: left }, 'security')
  }
  const mayWrite = (event: SecurityEvent, address: string): boolean => {
    const at = now()
    const key = `${event} ${address}`
    const known = windows.get(key)
    if (known !== undefined && known.until <= at) close(key, known)
    if (!windows.has(key)) {
      const [oldest] = windows
      if (windows.size >= MAX_WINDOWS && oldest !== undefined) close(...oldest)
      windows.set(key, { event, address, until: at + WINDOW_MS, lines: 0, left: 0 })
    }
    const window = windows.get(key)
    if (window === undefined) return true
    if (window.lines < MAX_LINES) window.lines += 1
    else window.left += 1
    return window.left === 0
  }
  return {
    note: (event, fields) => {
      if (!ALWAYS.has(event) && !mayWrite(event, fields.address)) return
      log[WARNINGS.has(event) ? 'warn' : 'info']({ security: event, ...fields }, 'security')
    },
  }
}
