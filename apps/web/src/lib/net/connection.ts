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

/** Whether the user's connection allows prefetching. */
export const mayPrefetch = (): boolean => {
  const connection = (navigator as Navigator & { readonly connection?: Connection }).connection
  return isOnline() && connection?.saveData !== true && !/2g/.test(connection?.effectiveType ?? '')
}

/** Runs work when the page is idle. Ignores failures. */
export const whenIdle = (work: () => Promise<unknown>): void => {
  const run = () => void work().catch(() => undefined)
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: 5000 })
  else setTimeout(run, 1500)
}

/**
 * Prefetches when the page is idle, if the connection allows it. Failures are ignored, because the code that needs the result
 * tries again.
 */
export const prefetchWhenIdle = (load: () => Promise<unknown>): void => whenIdle(async () => mayPrefetch() && load())
