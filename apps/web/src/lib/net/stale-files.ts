import { reloadPause } from '#lib/constants.ts'
import { isSteady } from './comeback.ts'

const key = 'postil.reloaded-at'

let decision: Promise<boolean> = Promise.resolve(false)

/** Of a file that has just failed: whether the page is loaded again for it, so that nobody needs to be told. */
export const isLoadedAgain = (): Promise<boolean> => decision

type Options = {
  /** Asks the server whether it is there. */
  readonly isThere: () => Promise<boolean>
  /** Milliseconds. */
  readonly now?: () => number
  readonly reload?: () => void
}

/**
 * After a new release a page that is still open asks for files that are gone: loading it again brings the new ones.
 * At most once a minute, so that a file that never loads does not become a loop; and never without a network, while it comes back, or
 * without a server that answers: the browser's own error page would come instead.
 */
export const reloadOnStaleFiles = ({ isThere, now = Date.now, reload = () => location.reload() }: Options): void => {
  let isAsking = false
  const mayReload = (): boolean => isSteady() && now() - Number(sessionStorage.getItem(key) ?? 0) >= reloadPause
  const decide = async (): Promise<boolean> => {
    isAsking = true
    const reloads = (await isThere()) && mayReload()
    isAsking = false
    if (!reloads) return false
    sessionStorage.setItem(key, String(now()))
    reload()
    return true
  }
  decision = Promise.resolve(false)
  window.addEventListener('vite:preloadError', () => {
    if (!isAsking) decision = mayReload() ? decide() : Promise.resolve(false)
  })
}
