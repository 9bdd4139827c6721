import type { AnyRouter } from '@tanstack/react-router'
import { announce } from '#ui/telling/announcer.ts'

/** The place that a new page's reading starts from. */
export const focusMain = (): void => document.getElementById('main')?.focus({ preventScroll: true })

/**
 * A new page takes the focus and says its title, as a full load would. Changes of the query alone leave focus where it is,
 * and so does a page that has placed the focus itself.
 */
export const focusOnNavigation = (router: AnyRouter): void => {
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (!fromLocation || !pathChanged) return
    const main = document.getElementById('main')
    if (!main || main.contains(document.activeElement)) return
    main.focus({ preventScroll: true })
    announce(document.title)
  })
}
