/** What the log has of who comes in, who does not, and who tries what they may not. */
export type SecurityEvent =
  | 'signed in'
  | 'sign-in failed'
  | 'locked out'
  | 'signed out'
  | 'signed out everywhere'
  | 'credentials refused'
  | 'not allowed'
  | 'too many requests'
  | 'input refused'

/** By what somebody has shown, or failed to show, who they are. */
export type Means = 'password' | 'password for a token' | 'second factor' | 'link' | 'demo' | 'provider' | 'key or token'

export type SecurityFields = {
  readonly address: string
  readonly request: string
  /** Id of the user who is known. A name that nobody has is not kept: people type passwords into its field. */
  readonly user?: string
  readonly means?: Means
  /** Id of the endpoint. */
  readonly route?: string
}

export type SecurityLog = { readonly note: (event: SecurityEvent, fields: SecurityFields) => void }

type Logger = {
  readonly info: (fields: object, message: string) => void
  readonly warn: (fields: object, message: string) => void
}

/** Lines of one event and address within a window. What is beyond is counted, so that nobody fills the disk with refusals, or hides one kind behind another. */
const MOST = 120
const WINDOW_MS = 60_000
const MAX_WINDOWS = 10_000

type Window = { readonly event: SecurityEvent; readonly address: string; readonly until: number; lines: number; left: number }

/** Successes are as costly to who brings them about as to us, and there is one line for each. */
const ALWAYS = new Set<SecurityEvent>(['signed in', 'signed out', 'signed out everywhere'])
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
    if (window.lines < MOST) window.lines += 1
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
