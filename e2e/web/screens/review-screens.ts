import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

const choices = (page: Page) => page.locator('main [role=radiogroup] [role=radio]')
const readyRecord = (page: Page) => choices(page).first().waitFor()

/** The states of the review. `:judged` and `:imported` stand for dataset IDs. */
export const reviewScreens: { readonly [name: string]: Screen } = {
  review: { path: '/dataset/:judged/review', who: 'owner', ready: readyRecord },
  'review, with a decision and another answer': {
    path: '/dataset/:judged/review',
    who: 'owner',
    ready: async (page) => {
      await readyRecord(page)
      await page.keyboard.press('g')
      await page.keyboard.press('n')
      await page.locator('main textarea').waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('e')
      await page.locator('main [data-question]').waitFor()
    },
  },
  'review, turned off': {
    path: '/dataset/:imported/review',
    who: 'owner',
    ready: (page) => page.locator('main h2').waitFor(),
  },
}
