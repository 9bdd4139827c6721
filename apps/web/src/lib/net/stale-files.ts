import { reloadInterval } from '#lib/constants.ts'
import { isStable } from './reconnect.ts'

const key = 'postil.reloaded-at'

let decision: Promise<boolean> = Promise.resolve(false)

/**
 * Whether the web app is about to reload because of a file that just failed to load. If so, the failure need not be reported.
 */
export const willReload = (): Promise<boolean> => decision

type Options = {
  /** Checks whether the server responds. */
  readonly isServerUp: () => Promise<boolean>
  /** Milliseconds. */
  readonly now?: () => number
  readonly reload?: () => void
}

/**
 * Reloads the web app when its files are gone. After a new release, an open page requests files that no longer exist, and a
 * reload loads the new ones. Reloads at most once a minute, so that a file that never loads can't cause a loop. Never reloads
 * without a network, while the network is coming back, or while the server doesn't respond, because the browser would show its
 * own error page.
 */
export const reloadOnStaleFiles = ({ isServerUp, now = Date.now, reload = () => location.reload() }: Options): void => {
  let isAsking = false
  const mayReload = (): boolean => isStable() && now() - Number(sessionStorage.getItem(key) ?? 0) >= reloadInterval
  const decideReload = async (): Promise<boolean> => {
    isAsking = true
    const reloads = (await isServerUp()) && mayReload()
    isAsking = false
    if (!reloads) return false
    sessionStorage.setItem(key, String(now()))
    reload()
    return true
  }
  decision = Promise.resolve(false)
  window.addEventListener('vite:preloadError', () => {
    if (!isAsking) decision = mayReload() ? decideReload() : Promise.resolve(false)
  })
}
