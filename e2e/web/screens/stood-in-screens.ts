import type { Locator, Page, Route } from 'playwright-core'
import { ui } from '../../harness/ui-text.ts'
import { keysAct } from '../support/keys-act.ts'
import type { Screen } from './screen.ts'

/** A screen for which the server's answers are stood in for: what the page has heard holds for all of it. */
const stoodIn = (path: string, ready: Screen['ready'], who?: Screen['who']): Screen => ({
  path,
  ...(who && { who }),
  isAlone: true,
  ready,
})

const settings = {
  argilla: { share_your_progress_enabled: false, show_huggingface_space_persistent_storage_warning: true },
  huggingface: { space_id: 'team/space', space_title: 'Our space', space_persistent_storage_enabled: false },
}
const answer = (page: Page, call: string, json: object) => page.route(call, (route) => route.fulfill({ json }))
const provides = (page: Page, ...names: readonly string[]) =>
  answer(page, '**/api/v1/oauth2/providers', { items: names.map((name) => ({ name, title: null })) })

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

const MINE = '**/api/v1/records/*/responses/mine'
/** Where nothing is loaded that would keep what is on the device; after the `#` is what is looked at. */
const onCleanDevice = (act: (page: Page) => Promise<unknown>, answered: (route: Route) => Promise<void>): Screen =>
  stoodIn(
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
      await page.route(MINE, (route) => (route.request().method() === 'PUT' ? answered(route) : route.fallback()))
      await page.goto(hash.slice(1))
      await page.getByText('One text.').first().waitFor()
      await keysAct(page)
      await page.locator('[data-question]:focus').waitFor()
      await page.keyboard.press('1')
      await page.keyboard.press(ui('features/guides:keys.key.enter'))
      await act(page)
    },
    'owner',
  )
/**
 * Has the trouble of the answer before one's eyes. Its record was the only one: where the server is asked for more before it refuses, the record is
 * back by itself, and nothing but that tells of it.
 */
const toTheTrouble = async (page: Page, shown: Locator): Promise<void> => {
  const show = page.locator('li[data-kind=danger] button').first()
  await show.or(shown).first().waitFor()
  await show.evaluateAll(([button]) => (button as HTMLElement | undefined)?.click())
  await shown.waitFor()
}

/** What a screen is only where the server answers as it seldom does. */
export const stoodInScreens: { readonly [name: string]: Screen } = {
  'sign-in, by a provider and to the demo': stoodIn('/sign-in', async (page) => {
    await provides(page, 'huggingface', 'company')
    await answer(page, '**/api/v1/settings', { argilla: { share_your_progress_enabled: false }, demo: { username: 'guest' } })
    await page.reload()
    await page.locator('main a[href*=authentication]').nth(1).waitFor()
    await page.getByText('guest').first().waitFor()
  }),
  'sign-in, hosted': stoodIn('/sign-in', async (page) => {
    await provides(page, 'huggingface')
    await answer(page, '**/api/v1/settings', settings)
    await page.goto('/welcome-hf-sign-in')
    await page.locator('main a').first().waitFor()
  }),
  'home, nothing outlives a restart': stoodIn(
    '/',
    async (page) => {
      await answer(page, '**/api/v1/settings', settings)
      await page.reload()
      await page.locator('main [data-kind=warning]').waitFor()
    },
    'owner',
  ),
  'an error': stoodIn(
    '/guides',
    async (page) => {
      await page.route('**/api/v1/datasets/*', (route) => route.fulfill({ status: 403, json: { detail: 'Refused' } }))
      await page.goto('/dataset/00000000-0000-7000-8000-000000000000/settings')
      await page.locator('main h1').waitFor()
    },
    'owner',
  ),
  'a new dataset, from the hub': stoodIn(
    '/guides',
    async (page) => {
      await answer(page, '**/api/v1/me/hub/repository?*', repository)
      await answer(page, '**/api/v1/me/hub/preview?*', preview)
      await answer(page, '**/api/v1/me/hub/check', { rows: 2, whole: true, errors: [], records: [] })
      await page.goto('/new/team%2Freviews')
      await page.locator('main form [role=status]').first().waitFor()
    },
    'owner',
  ),
  'annotation, an answer that is refused': onCleanDevice(
    (page) => toTheTrouble(page, page.getByText('This will not do')),
    (route) => route.fulfill({ status: 422, json: { detail: 'This will not do' } }),
  ),
  'annotation, an answer that was changed elsewhere': onCleanDevice(
    (page) => toTheTrouble(page, page.locator('main form section h3').first()),
    (route) => route.fulfill({ status: 409, json: { detail: 'changed', response: null } }),
  ),
  'annotation, signing out before all is sent': onCleanDevice(
    async (page) => {
      await page.locator('header button[aria-haspopup=menu]:not([data-more])').click()
      await page.locator('[role=menu]:popover-open [role=menuitem]').last().click()
      await page.getByRole('dialog').waitFor()
    },
    (route) => route.abort(),
  ),
}
