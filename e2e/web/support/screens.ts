import type { Page } from 'playwright-core'

export type Screen = {
  readonly path: string
  readonly who?: 'owner' | 'nobody'
  readonly ready: (page: Page) => Promise<unknown>
}

const ANNOTATION = '/dataset/:everything/annotation-mode'
const annotating = (page: Page) => page.getByText('The committee met').first().waitFor()

const FILTERED = '/dataset/:filterable/annotation-mode'
const filtering = (page: Page) =>
  page
    .getByText(/^Review \d+$/)
    .first()
    .waitFor()
const panel = (page: Page) => page.locator('[popover]:popover-open')
/** Opens the first or second of the two panels: filters, sort. */
const openPanel = async (page: Page, number: number): Promise<void> => {
  await filtering(page)
  await page.locator('main button[aria-haspopup=dialog]').nth(number).click()
  await panel(page).locator('button').first().waitFor()
}
/** By the button beside the record, or on a phone from its menu. */
const askForSimilar = async (page: Page): Promise<void> => {
  await filtering(page)
  const find = page.getByText('Find similar')
  if ((page.viewportSize()?.width ?? 0) < 900) await page.locator('section[data-status] button[aria-haspopup=menu]').click()
  await find.click()
  await page.getByRole('dialog').getByRole('radio').first().waitFor()
}

/** Two rows, one of which can not become a record. */
export const IMPORTED = 'id,text\na,One text.\nb,\n'
const chooseFile = async (page: Page): Promise<void> => {
  const file = page.locator('input[type=file]')
  await file.setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(IMPORTED) })
  await page.locator('main form li select').first().waitFor()
  await page.locator('main form [aria-busy=false][data-faulty], main form [data-fault]').first().waitFor()
}

/** Every screen that is looked at. Ids of datasets stand as `:everything`, `:filterable` and `:imported`. */
export const screens: { readonly [name: string]: Screen } = {
  'sign-in': { path: '/sign-in', ready: (page) => page.locator('input[name=password]').waitFor() },
  'sign-in, refused': {
    path: '/sign-in',
    ready: async (page) => {
      await page.locator('input[name=username]').fill('owner')
      await page.locator('input[name=password]').fill('wrong')
      await page.keyboard.press('Enter')
      await page.locator('[role=alert]', { hasText: /\S/ }).first().waitFor()
    },
  },
  'a used sign-in link': { path: '/sign-in#link=used', ready: (page) => page.locator('main a').waitFor() },
  home: { path: '/', who: 'owner', ready: (page) => page.locator('main li a').nth(40).waitFor({ state: 'attached' }) },
  'home, nothing found': { path: '/?search=zzz', who: 'owner', ready: (page) => page.locator('main h2').waitFor() },
  'home, no datasets': { path: '/', who: 'nobody', ready: (page) => page.locator('main h2').waitFor() },
  'the menu of the user': {
    path: '/',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main li a').first().waitFor()
      await page.locator('header button').last().click()
      await page.getByRole('menu').waitFor()
    },
  },
  'the menu of workspaces': {
    path: '/',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main button').first().click()
      await page.getByRole('menu').waitFor()
    },
  },
  offline: {
    path: '/',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main li a').first().waitFor()
      await page.context().setOffline(true)
      await page.locator('[data-kind=danger]').waitFor()
    },
  },
  annotation: { path: ANNOTATION, who: 'owner', ready: (page) => annotating(page) },
  'annotation, the menu of a record': {
    path: ANNOTATION,
    who: 'owner',
    ready: async (page) => {
      await annotating(page)
      await page.locator('main button[aria-haspopup=menu]').last().click()
      await page.getByRole('menu').waitFor()
    },
  },
  'annotation, the history of a record': {
    path: ANNOTATION,
    who: 'owner',
    ready: async (page) => {
      await annotating(page)
      await page.locator('section[data-status] button[aria-haspopup=menu]').click()
      await page.getByRole('menuitem').nth(1).click()
      await page.getByRole('dialog').locator('ol li').first().waitFor()
    },
  },
  'annotation, no record': {
    path: `${ANNOTATION}?status=discarded`,
    who: 'owner',
    ready: (page) => page.locator('main h2').first().waitFor(),
  },
  ...Object.fromEntries(
    ['general', 'fields', 'questions', 'metadata', 'vectors', 'danger'].map((tab) => [
      `dataset settings, ${tab}`,
      {
        path: `/dataset/:everything/settings?tab=${tab}`,
        who: 'owner' as const,
        ready: (page: Page) => page.locator('#section-title').waitFor(),
      },
    ]),
  ),
  'dataset settings, deletion': {
    path: '/dataset/:everything/settings?tab=danger',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main button').last().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'administration, users': {
    path: '/administration',
    who: 'owner',
    ready: (page) => page.locator('main section li').first().waitFor(),
  },
  'administration, a new user': {
    path: '/administration',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main section button').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'administration, workspaces': {
    path: '/administration?tab=workspaces',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main section li button[aria-expanded]').first().click()
      await page.locator('main section li ul').first().waitFor({ state: 'attached' })
    },
  },
  'annotation, a page of records': {
    path: `${FILTERED}?page=1~10`,
    who: 'owner',
    ready: (page) => page.locator('[data-record]').nth(9).waitFor({ state: 'attached' }),
  },
  'annotation, records selected': {
    path: `${ANNOTATION}?page=1~10`,
    who: 'owner',
    ready: async (page) => {
      await page.locator('[data-record]').first().waitFor()
      await page.locator('[data-select-page]').click()
      await page.locator('[data-record][data-selected]').first().waitFor()
    },
  },
  'annotation, filters by terms': {
    path: `${FILTERED}?metadata=source.web~length.ge20&suggestion=tone.score.le0!2E9`,
    who: 'owner',
    ready: async (page) => {
      await openPanel(page, 0)
      await panel(page).getByRole('checkbox').first().waitFor()
    },
  },
  'annotation, filters by suggestion': {
    path: FILTERED,
    who: 'owner',
    ready: async (page) => {
      await openPanel(page, 0)
      await panel(page).locator('section').last().locator('h3 button').nth(1).click()
      await panel(page).getByRole('slider').first().waitFor()
      await panel(page).getByRole('radio').first().waitFor()
    },
  },
  'annotation, sort': {
    path: `${FILTERED}?sort=metadata.length.desc~suggestion.tone.score.asc`,
    who: 'owner',
    ready: async (page) => {
      await openPanel(page, 1)
      await panel(page).locator('button[aria-expanded]').click()
      await panel(page).locator('h2').first().waitFor()
    },
  },
  // Shortest first: the longest record has no vector.
  'annotation, which similar records': {
    path: `${FILTERED}?sort=metadata.length.asc`,
    who: 'owner',
    ready: (page) => askForSimilar(page),
  },
  'annotation, similar records': {
    path: `${FILTERED}?sort=metadata.length.asc`,
    who: 'owner',
    ready: async (page) => {
      await askForSimilar(page)
      await page.getByRole('dialog').locator('button').last().click()
      await page.getByText(/ \d+\.\d%$/).waitFor()
    },
  },
  'annotation, filters that nothing fits': {
    path: `${FILTERED}?metadata=length.ge900`,
    who: 'owner',
    ready: (page) => page.locator('main h2').first().waitFor(),
  },
  'annotation, a filter of what is gone': {
    path: `${FILTERED}?metadata=gone.x`,
    who: 'owner',
    ready: (page) => page.locator('main h2').first().waitFor(),
  },
  'administration, webhooks': {
    path: '/administration?tab=webhooks',
    who: 'owner',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Deliveries' }).click()
      await page.getByText('Nothing has been sent yet.').waitFor()
    },
  },
  'administration, a new webhook': {
    path: '/administration?tab=webhooks',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main section button').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'administration, sign-in': {
    path: '/administration?tab=providers',
    who: 'owner',
    ready: (page) => page.locator('#section-title + *, section p').first().waitFor(),
  },
  'a new dataset': { path: '/new', who: 'owner', ready: (page) => page.locator('main h2').nth(2).waitFor() },
  'a new dataset, from a file, with faults': {
    path: '/new',
    who: 'owner',
    ready: async (page) => {
      await chooseFile(page)
      await page.locator('main form button[type=submit]').click()
      await page.locator('main form select[aria-invalid]').waitFor()
    },
  },
  'a new dataset, from nothing': {
    path: '/new',
    who: 'owner',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Start from nothing' }).click()
      for (const [add, item] of [
        ['fields', 0],
        ['questions', 5],
        ['questions', 2],
        ['properties', 0],
      ] as const) {
        await page.locator(`[data-add=${add}]`).click()
        await page.getByRole('menuitem').nth(item).click()
      }
      await page.locator('main li[data-part]').nth(3).waitFor()
    },
  },
  'imports, none yet': { path: '/dataset/:everything/import', who: 'owner', ready: (page) => page.locator('main h2').waitFor() },
  'imports, a file': {
    path: '/dataset/:everything/import',
    who: 'owner',
    ready: (page) => chooseFile(page),
  },
  'imports, done': {
    path: '/dataset/:imported/import',
    who: 'owner',
    ready: (page) => page.locator('main a[href*=report]').first().waitFor(),
  },
  'annotation, the download': {
    path: ANNOTATION,
    who: 'owner',
    ready: async (page) => {
      await annotating(page)
      await page.getByRole('button', { name: 'Download' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'my settings': { path: '/user-settings', who: 'owner', ready: (page) => page.locator('main li a').first().waitFor() },
  'not found': { path: '/nothing', who: 'owner', ready: (page) => page.locator('h1').waitFor() },
}
