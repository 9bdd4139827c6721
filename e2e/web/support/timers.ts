import type { Page } from 'playwright-core'

/** Has the timers of the page that would go off after so many milliseconds never do so. To be called before it is loaded. */
export const withoutTimers = (page: Page, least: number, most = Number.MAX_SAFE_INTEGER) =>
  page.addInitScript(
    ([from, to]) => {
      const begin = window.setTimeout.bind(window)
      const setTimeout = (work: () => void, after = 0): number => (after >= from && after <= to ? 0 : begin(work, after))
      Object.assign(window, { setTimeout })
    },
    [least, most] as const,
  )
