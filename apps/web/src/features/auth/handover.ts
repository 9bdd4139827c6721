const KIND = 'postil sign-in'

/** The page in a frame that has opened this window, or null: nobody else is told anything. */
export const openerOfOurs = (): Window | null => {
  try {
    const opener = window.opener as Window | null
    return opener !== null && opener.location.origin === location.origin ? opener : null
  } catch {
    return null
  }
}

/** Gives a token to the page that has opened this window. */
export const handOver = (opener: Window, token: string): void => opener.postMessage({ kind: KIND, token }, location.origin)

/** Calls back with the token that a window of ours hands over. @returns what ends the waiting */
export const whenHandedOver = (take: (token: string) => void): (() => void) => {
  const listen = ({ origin, data }: MessageEvent<unknown>) => {
    if (origin !== location.origin || typeof data !== 'object' || data === null || Reflect.get(data, 'kind') !== KIND) return
    const token: unknown = Reflect.get(data, 'token')
    if (typeof token === 'string') take(token)
  }
  window.addEventListener('message', listen)
  return () => window.removeEventListener('message', listen)
}
