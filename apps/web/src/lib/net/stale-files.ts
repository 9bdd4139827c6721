import { reloadPause } from '#lib/constants.ts'
import { isSteady } from './comeback.ts'

const key = 'postil.reloaded-at'

/**
 * After a new release a page that is still open asks for files that are gone: loading it again brings the new ones.
 * At most once a minute, so that a file that never loads does not become a loop; and never without a network or while it comes back,
 * where nothing would come instead.
 */
export const reloadOnStaleFiles = (now: () => number = Date.now, reload: () => void = () => location.reload()): void => {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(key) ?? 0)
    if (!isSteady() || now() - last < reloadPause) return
    sessionStorage.setItem(key, String(now()))
    event.preventDefault()
    reload()
  })
}
