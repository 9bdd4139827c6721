import type { Page } from 'playwright-core'

/** Waits until the form of the record has the focus. From then on, keys work, and nothing else scrolls or moves the focus. */
export const waitForKeyFocus = (page: Page): Promise<void> =>
  page.locator('[data-question]:focus, [data-question] :focus').first().waitFor({ state: 'attached' })
