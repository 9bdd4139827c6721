import type { Page } from 'playwright-core'

/**
 * Keeps the page from reloading itself when a part fails to load. Must be called before any request fails, because the page
 * would reload immediately.
 */
export const preventReload = (page: Page): Promise<void> =>
  page.evaluate(() => sessionStorage.setItem('postil.reloaded-at', String(Date.now())))
