import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until the form of the record has taken the focus: keys act from then on, and nothing scrolls or takes the focus away any more. */
export const keysAct = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => document.activeElement?.closest('[data-question]') != null)).toBe(true)
