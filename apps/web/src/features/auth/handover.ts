const KIND = 'postil sign-in'

/** Returns the page of the same origin that opened this window, or null. No other page may receive messages. */
export const ownOpener = (): Window | null => {
  try {
    const opener = window.opener as Window | null
    return opener !== null && opener.location.origin === location.origin ? opener : null
  } catch {
    return null
  }
}

/** Sends a token to the page that opened this window. */
export const sendToken = (opener: Window, token: string): void => opener.postMessage({ kind: KIND, token }, location.origin)

/** Calls `onReceived` when a window of the same origin sends a token. @returns a function that stops listening */
export const onToken = (onReceived: (token: string) => void): (() => void) => {
  const listen = ({ origin, data }: MessageEvent<unknown>) => {
    if (origin !== location.origin || typeof data !== 'object' || data === null || Reflect.get(data, 'kind') !== KIND) return
    const token: unknown = Reflect.get(data, 'token')
    if (typeof token === 'string') onReceived(token)
  }
  window.addEventListener('message', listen)
  return () => window.removeEventListener('message', listen)
}
