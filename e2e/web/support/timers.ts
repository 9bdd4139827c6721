import type { Page } from 'playwright-core'

/** Disables the page's timers whose delay, in milliseconds, is in this range. Must be called before the page loads. */
export const disableTimers = (page: Page, minDelay: number, maxDelay = Number.MAX_SAFE_INTEGER) =>
  page.addInitScript(
    ([from, to]) => {
      const begin = window.setTimeout.bind(window)
      const setTimeout = (work: () => void, after = 0): number => (after >= from && after <= to ? 0 : begin(work, after))
      Object.assign(window, { setTimeout })
    },
    [minDelay, maxDelay] as const,
  )
