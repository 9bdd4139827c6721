import {
  toastBaseDuration,
  toastDelay,
  toastExtraCharacters,
  toastExtraDuration,
  toastFade,
  toastQueueCheck,
} from '#lib/constants.ts'

/* This file decides when notifications are shown, not how they look. All times are in milliseconds. */

export type ToastKind = 'info' | 'success' | 'warning' | 'danger'
export type ToastPosition = 'top-right' | 'top' | 'top-left' | 'bottom-right' | 'bottom' | 'bottom-left'

export type ToastOptions = {
  readonly text: string
  /** The error, if its code is useful for support. */
  readonly error?: unknown
  readonly kind?: ToastKind
  readonly position?: ToastPosition
  /**
   * Whether the notification is above the page's content instead of floating over it. Use this for lasting notifications, which
   * must not cover anything.
   */
  readonly inFlow?: boolean
  /** Overrides the duration that is derived from the text length. */
  readonly duration?: number
  /** Whether the notification stays until it is closed. */
  readonly permanent?: boolean
  /** If true, the text isn't announced to screen readers. For texts that have already been announced in another way. */
  readonly isQuiet?: boolean
  readonly button?: { readonly label: string; readonly onClick: () => void }
  readonly onClick?: () => void
  readonly onClose?: () => void
  /** `queue` waits until the position is free, `replace` replaces the notifications there, and `stack` adds to them. */
  readonly mode?: 'stack' | 'queue' | 'replace'
  /** A new notification with the same key replaces the old one, so that each problem has one message. */
  readonly key?: string
}

export type Toast = Required<Pick<ToastOptions, 'text' | 'kind' | 'position' | 'inFlow' | 'permanent'>> &
  Pick<ToastOptions, 'error' | 'button' | 'onClick' | 'onClose' | 'key' | 'isQuiet'> & {
    readonly id: number
    readonly duration: number
    readonly closing: boolean
  }

const defaultPosition: ToastPosition = 'bottom-right'

/** Returns 6 s, plus 1 s per 120 characters, rounded up to full seconds. The result is in milliseconds. */
export const toastDuration = (text: string): number =>
  toastBaseDuration + toastExtraDuration * Math.ceil(Array.from(text).length / toastExtraCharacters)

export const createToastStore = () => {
  let shown: readonly Toast[] = []
  let nextId = 1
  const listeners = new Set<() => void>()
  const timers = new Map<number, { timerId: ReturnType<typeof setTimeout>; startedAt: number; remaining: number }>()
  const waiting = new Map<number, ReturnType<typeof setTimeout>>()

  const change = (toasts: readonly Toast[]): void => {
    shown = toasts
    for (const listener of listeners) listener()
  }

  const startTimer = (id: number, remaining: number): void => {
    timers.set(id, { timerId: setTimeout(() => close(id), remaining), startedAt: Date.now(), remaining })
  }

  const stopTimer = (id: number): number | null => {
    const timer = timers.get(id)
    if (!timer) return null
    clearTimeout(timer.timerId)
    timers.delete(id)
    return Math.max(0, timer.remaining - (Date.now() - timer.startedAt))
  }

  const paused = new Map<number, number>()

  const remove = (id: number): void => {
    stopTimer(id)
    paused.delete(id)
    change(shown.filter((toast) => toast.id !== id))
  }

  /** Closes a notification, or cancels it if it isn't shown yet. */
  const close = (id: number): void => {
    clearTimeout(waiting.get(id))
    waiting.delete(id)
    const toast = shown.find((one) => one.id === id)
    if (!toast || toast.closing) return
    stopTimer(id)
    change(shown.map((one) => (one.id === id ? { ...one, closing: true } : one)))
    toast.onClose?.()
    setTimeout(() => remove(id), toastFade)
  }

  const display = (toast: Toast, mode: ToastOptions['mode']): void => {
    const conflicting = shown.filter((one) => one.inFlow === toast.inFlow && one.position === toast.position)
    if (mode === 'queue' && conflicting.length > 0) {
      waiting.set(
        toast.id,
        setTimeout(() => display(toast, mode), toastQueueCheck),
      )
      return
    }
    waiting.delete(toast.id)
    if (mode === 'replace') for (const one of conflicting) remove(one.id)
    for (const one of shown.filter((other) => toast.key !== undefined && other.key === toast.key)) remove(one.id)
    change([...shown, toast])
    if (!toast.permanent) startTimer(toast.id, toast.duration)
  }

  return {
    /** Shows a notification after 100 ms and returns its ID. */
    add: ({
      mode = 'stack',
      kind = 'info',
      position = defaultPosition,
      inFlow = false,
      permanent = false,
      duration,
      ...rest
    }: ToastOptions): number => {
      const id = nextId++
      const toast: Toast = {
        ...rest,
        kind,
        position,
        inFlow,
        permanent,
        id,
        closing: false,
        duration: duration ?? toastDuration(rest.text),
      }
      waiting.set(
        id,
        setTimeout(() => display(toast, mode), toastDelay),
      )
      return id
    },
    close,
    closeAll: (): void => {
      for (const id of [...waiting.keys(), ...shown.map((toast) => toast.id)]) close(id)
    },
    /** Closes all notifications of a kind, except permanent ones. A permanent notification reports a state that still applies. */
    closePassing: (kind: ToastKind): void => {
      for (const toast of shown.filter((one) => one.kind === kind && !one.permanent)) close(toast.id)
    },
    pause: (id: number): void => {
      const remaining = stopTimer(id)
      if (remaining !== null) paused.set(id, remaining)
    },
    resume: (id: number): void => {
      const remaining = paused.get(id)
      paused.delete(id)
      if (remaining !== undefined) startTimer(id, remaining)
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot: (): readonly Toast[] => shown,
  }
}
