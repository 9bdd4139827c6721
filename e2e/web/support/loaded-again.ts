import type { Page } from 'playwright-core'

/** Has the page not load itself again for a part that does not come. To be called before anything is refused: the page would at once. */
export const loadedAgainAlready = (page: Page): Promise<void> =>
  page.evaluate(() => sessionStorage.setItem('postil.reloaded-at', String(Date.now())))
