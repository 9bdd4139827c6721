import type { Page } from 'playwright-core'
import { RECORD } from '../web/fixtures/annotation.ts'

/** In UTF-16 units. */
export type Range = { readonly start: number; readonly end: number }

/** The annotator's view of the page. Nothing here changes the page. */
export type Screen = ReturnType<typeof screenOf>

/**
 * Runs in the page. Whether the question with this name itself has the focus. If an element inside the question has the focus,
 * the result is false.
 */
const atQuestion = (name: string): boolean => (document.activeElement as HTMLElement | null)?.dataset['question'] === name

/**
 * Runs in the page. Returns the name of the package on the screen. Returns null until the package has changed and the focus is in
 * the form.
 */
const nextName = ([before, question, name]: readonly [string | null, string, string]): string | null => {
  const shown = document.querySelector(name)?.textContent ?? null
  const isReady = (document.activeElement as HTMLElement | null)?.dataset['question'] === question
  return shown !== before && isReady ? shown : null
}

export const screenOf = (page: Page) => {
  const question = (name: string) => page.locator(`[data-question="${name}"]`)
  return {
    /** Waits until the next record is on the screen and its first question has the focus. Returns the record's name. */
    next: async (before: string | null, firstQuestion: string): Promise<string> => {
      const found = await page.waitForFunction(nextName, [before, firstQuestion, `${RECORD} [dir]`] as const)
      return (await found.jsonValue()) ?? ''
    },
    isPicked: async (name: string, option: string): Promise<void> => {
      const picked = question(name).locator('[aria-checked=true], [aria-selected=true]')
      await picked.filter({ has: page.getByText(option, { exact: true }) }).waitFor()
    },
    isAtQuestion: async (name: string): Promise<void> => {
      await page.waitForFunction(atQuestion, name)
    },
    /** Waits until the element has the focus. */
    isAt: async (selector: string): Promise<void> => {
      await page.locator(selector).and(page.locator(':focus')).waitFor()
    },
    /** The accessible name of the focused element. */
    focused: (): Promise<string> =>
      page.evaluate(() => {
        const element = document.activeElement
        return element?.getAttribute('aria-label') ?? (element === document.body ? '' : (element?.textContent ?? ''))
      }),
    isInQuestion: (): Promise<boolean> => page.evaluate(() => document.activeElement?.closest('[data-question]') !== null),
    /** The words of a text, as this browser segments it. */
    words: (text: string): Promise<Range[]> =>
      page.evaluate(
        (shown) =>
          [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(shown)].flatMap(({ index, segment, isWordLike }) =>
            isWordLike ? [{ start: index, end: index + segment.length }] : [],
          ),
        text,
      ),
    says: (text: string): Promise<void> => page.getByText(text, { exact: true }).first().waitFor(),
  }
}
