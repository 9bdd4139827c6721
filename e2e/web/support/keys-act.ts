import type { Page } from 'playwright-core'

/** Waits until the form of the record has taken the focus: keys act from then on, and nothing scrolls or takes the focus away any more. */
export const keysAct = (page: Page): Promise<void> =>
  page.locator('[data-question]:focus, [data-question] :focus').first().waitFor({ state: 'attached' })
