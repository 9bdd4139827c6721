import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

const OVERVIEW = '/dataset/:judged/overview'
const readyTable = (page: Page) => page.locator('main table tbody tr').first().waitFor()

const screen = (section: string, ready: Screen['ready']): Screen => ({ path: `${OVERVIEW}${section}`, who: 'owner', ready })

/** The states of the overview. `:judged` and `:imported` stand for dataset IDs. */
export const overviewScreens: { readonly [name: string]: Screen } = {
  overview: screen('', (page) => page.locator('main [data-bar]').first().waitFor()),
  'overview, the days as a table': screen('', async (page) => {
    await page.locator('main summary').click()
    await readyTable(page)
    // The click may have scrolled a number halfway under the header.
    await page.evaluate(() => window.scrollTo(0, 0))
  }),
  'overview, people': screen('?section=people', readyTable),
  'overview, agreement': screen('?section=agreement', readyTable),
  'overview, agreement of a question': screen('?section=agreement&question=tone', async (page) => {
    await page.locator('main [role=grid] [data-cell]').nth(12).waitFor({ state: 'attached' })
  }),
  'overview, agreement of spans': screen('?section=agreement&question=words', (page) =>
    page.locator('main [role=grid]').first().waitFor(),
  ),
  'overview, labels': screen('?section=labels', readyTable),
  'overview, suggestions': screen('?section=suggestions', readyTable),
  'overview, no answers': {
    path: '/dataset/:imported/overview?section=people',
    who: 'owner',
    ready: (page) => page.locator('main h2').waitFor(),
  },
  'overview, a problem': {
    path: `${OVERVIEW}?section=suggestions`,
    who: 'owner',
    isAlone: true,
    ready: async (page) => {
      await page.route('**/insights?*', (route) => route.fulfill({ status: 500, json: { detail: 'broken' } }))
      await page.reload()
      await page.locator('main [data-kind=danger]').waitFor({ timeout: 60_000 })
    },
  },
  'models, no connection': {
    path: '/dataset/:judged/models',
    who: 'owner',
    ready: (page) => page.locator('main h2').waitFor(),
  },
  'models, a new connection': {
    path: '/dataset/:judged/models',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main button').click()
      await page.locator('dialog input').first().waitFor()
    },
  },
  'records, filters from the overview': {
    path: '/dataset/:judged/records?given=draft&from=2026-01-01&to=2036-01-01&overlap=any~tone&suggested=shown~tone~tiny-model',
    who: 'owner',
    ready: (page) => page.locator('main ul li button').first().waitFor(),
  },
}
