import type { Locator, Page, Route } from 'playwright-core'
import { waitForKeyFocus } from '../support/wait-for-key-focus.ts'
import type { Screen } from './screen.ts'

/** A screen with mocked responses. The page keeps these responses in memory, so the next screen must reload the page. */
const mockedScreen = (path: string, ready: Screen['ready'], who?: Screen['who']): Screen => ({
  path,
  ...(who && { who }),
  isAlone: true,
  ready,
})

const settings = {
  argilla: { share_your_progress_enabled: false, show_huggingface_space_persistent_storage_warning: true },
  huggingface: { space_id: 'team/space', space_title: 'Our space', space_persistent_storage_enabled: false },
}
const mockAnswer = (page: Page, call: string, json: object) => page.route(call, (route) => route.fulfill({ json }))
const mockProviders = (page: Page, ...names: readonly string[]) =>
  mockAnswer(page, '**/api/v1/oauth2/providers', { items: names.map((name) => ({ name, title: null })) })

const column = (name: string, samples: readonly string[], proposal: object) => ({
  name,
  type: 'text',
  samples,
  values: samples,
  complete: true,
  proposal,
})
const place = { subset: 'default', split: 'train' }
const repository = { name: 'team/reviews', private: false, gated: false, splits: [place, { subset: 'default', split: 'test' }] }
const preview = {
  name: 'team/reviews',
  ...place,
  total: 10_000,
  all: 25_000,
  columns: [
    column('text', ['A good one.', 'A bad one.'], { role: 'field', type: 'text' }),
    column('label', ['good', 'bad'], { role: 'suggestion', type: 'label_selection' }),
  ],
  rows: [
    ['A good one.', 'good'],
    ['A bad one.', 'bad'],
  ],
}

const OWN_ANSWER_ROUTE = '**/api/v1/records/*/responses/mine'
/**
 * Starts on a page without scripts, so that the device's storage can be cleared. The part after `#` is the path of the screen.
 */
const withEmptyDevice = (action: (page: Page) => Promise<unknown>, answered: (route: Route) => Promise<void>): Screen =>
  mockedScreen(
    '/robots.txt#/dataset/:imported/annotation-mode',
    async (page) => {
      const { hash } = new URL(page.url())
      await page.evaluate(async () => {
        for (const { name = '' } of await indexedDB.databases()) {
          await new Promise((done) => {
            const gone = indexedDB.deleteDatabase(name)
            gone.onsuccess = gone.onerror = done
          })
        }
      })
      await page.route(OWN_ANSWER_ROUTE, (route) => (route.request().method() === 'PUT' ? answered(route) : route.fallback()))
      await page.goto(hash.slice(1))
      await page.getByText('One text.').first().waitFor()
      await waitForKeyFocus(page)
      await page.locator('[data-question]:focus').waitFor()
      await page.keyboard.press('1')
      await page.keyboard.press('Enter')
      await action(page)
    },
    'owner',
  )
/**
 * Opens the rejected or conflicting answer. If a notice appears, clicks its button. No notice appears if the web app requests
 * more records before the server rejects the answer: it then shows the dataset's only record again.
 */
const openAnswerIssue = async (page: Page, shown: Locator): Promise<void> => {
  const show = page.locator('li[data-kind=danger] button').first()
  await show.or(shown).first().waitFor()
  await show.evaluateAll(([button]) => (button as HTMLElement | undefined)?.click())
  await shown.waitFor()
}

/** Screens that need unusual responses from the server. */
export const mockedScreens: { readonly [name: string]: Screen } = {
  'sign-in, with a provider and a demo': mockedScreen('/sign-in', async (page) => {
    await mockProviders(page, 'huggingface', 'company')
    await mockAnswer(page, '**/api/v1/settings', { argilla: { share_your_progress_enabled: false }, demo: { username: 'guest' } })
    await page.reload()
    await page.locator('main a[href*=authentication]').nth(1).waitFor()
    await page.getByText('guest').first().waitFor()
  }),
  'sign-in, hosted': mockedScreen('/sign-in', async (page) => {
    await mockProviders(page, 'huggingface')
    await mockAnswer(page, '**/api/v1/settings', settings)
    await page.goto('/welcome-hf-sign-in')
    await page.locator('main a').first().waitFor()
  }),
  'home, storage that is not persistent': mockedScreen(
    '/',
    async (page) => {
      await mockAnswer(page, '**/api/v1/settings', settings)
      await page.reload()
      await page.locator('main [data-kind=warning]').waitFor()
    },
    'owner',
  ),
  'an error': mockedScreen(
    '/guides',
    async (page) => {
      await page.route('**/api/v1/datasets/*', (route) => route.fulfill({ status: 403, json: { detail: 'Refused' } }))
      await page.goto('/dataset/00000000-0000-7000-8000-000000000000/settings')
      await page.locator('main h1').waitFor()
    },
    'owner',
  ),
  'a new dataset, from the Hub': mockedScreen(
    '/guides',
    async (page) => {
      await mockAnswer(page, '**/api/v1/me/hub/repository?*', repository)
      await mockAnswer(page, '**/api/v1/me/hub/preview?*', preview)
      await mockAnswer(page, '**/api/v1/me/hub/check', { rows: 2, whole: true, errors: [], warnings: [], records: [] })
      await page.goto('/new/team%2Freviews')
      await page.locator('main form [role=status]').first().waitFor()
    },
    'owner',
  ),
  'annotation, a rejected answer': withEmptyDevice(
    (page) => openAnswerIssue(page, page.getByText('This will not do')),
    (route) => route.fulfill({ status: 422, json: { detail: 'This will not do' } }),
  ),
  'annotation, a conflicting answer': withEmptyDevice(
    (page) => openAnswerIssue(page, page.locator('main form section h3').first()),
    (route) => route.fulfill({ status: 409, json: { detail: 'changed', response: null } }),
  ),
  'annotation, a deleted dataset': withEmptyDevice(
    (page) => page.locator('main button + a').waitFor(),
    async (route) => {
      const gone = { status: 404, json: { detail: 'gone' } }
      await route
        .request()
        .frame()
        .page()
        .route('**/api/v1/datasets/*', (reading) => reading.fulfill(gone))
      await route.fulfill(gone)
    },
  ),
  'annotation, signing out with unsent answers': withEmptyDevice(
    async (page) => {
      await page.locator('header button[aria-haspopup=menu]:not([data-more])').click()
      await page.locator('[role=menu]:popover-open [role=menuitem]').last().click()
      await page.getByRole('dialog').waitFor()
    },
    (route) => route.abort(),
  ),
}
