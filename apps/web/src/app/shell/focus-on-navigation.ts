import type { AnyRouter } from '@tanstack/react-router'
import { announce } from '#ui/feedback/announcer.ts'

/** Moves the focus to the start of a new page's content. */
export const focusMain = (): void => document.getElementById('main')?.focus({ preventScroll: true })

/**
 * Moves the focus to a new page and announces its title, as a full page load would. Leaves the focus alone if only the query
 * changes or if the page has already set the focus.
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
