import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

export const isOnline = (): boolean => navigator.onLine
export const useOnline = (): boolean => useSyncExternalStore(subscribe, isOnline)

type Connection = { readonly saveData?: boolean; readonly effectiveType?: string }

/** Whether fetching what is only likely to be needed is fair to the reader's connection. */
export const mayPrefetch = (): boolean => {
  const connection = (navigator as Navigator & { readonly connection?: Connection }).connection
  return isOnline() && connection?.saveData !== true && !/2g/.test(connection?.effectiveType ?? '')
}

/** Does what can wait once the page is idle. Failures are no one's concern. */
export const whenIdle = (work: () => Promise<unknown>): void => {
  const run = () => void work().catch(() => undefined)
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: 5000 })
  else setTimeout(run, 1500)
}

/** Does light work ahead once the page is idle, where the connection allows it. Failures are left to the real use. */
export const prefetchWhenIdle = (load: () => Promise<unknown>): void => whenIdle(async () => mayPrefetch() && load())
