import type { Page } from 'playwright-core'
import { waitForKeyFocus } from '../support/wait-for-key-focus.ts'
import { inAnyLanguage, type Screen } from './screen.ts'

const ANNOTATION = '/dataset/:everything/annotation-mode'
const annotating = async (page: Page): Promise<void> => {
  await page.getByText('The committee met').first().waitFor()
  await waitForKeyFocus(page)
}

const ALL_FIELDS = '/dataset/:all-fields/annotation-mode'
const readingFields = async (page: Page): Promise<void> => {
  await waitForKeyFocus(page)
  await page.getByRole('toolbar').waitFor()
  await page.locator('main math').first().waitFor()
  await page.locator('main pre .hljs-keyword').first().waitFor()
}

const FILTERED = '/dataset/:filterable/annotation-mode'
const filtering = (page: Page) =>
  page
    .getByText(/^Review \d+$/)
    .first()
    .waitFor()
const panel = (page: Page) => page.locator('[popover]:popover-open')
const panels = ['features/annotate:filters.title', 'features/annotate:sort.title', 'features/annotate:views'] as const
/** Opens one of the panels. */
const openPanel = async (page: Page, number: 0 | 1 | 2): Promise<void> => {
  await filtering(page)
  const name = page.locator('span', { hasText: inAnyLanguage(panels[number]) })
  const opener = page.locator('main button[aria-haspopup=dialog]').filter({ has: name })
  const tools = page.getByRole('button', { name: inAnyLanguage('features/annotate:toolbar.tools') })
  await opener.or(tools).first().waitFor()
  // On a phone, the panels are behind a button.
  if (!(await opener.isVisible())) await tools.click()
  await opener.click()
  await panel(page).locator('button').first().waitFor()
}
const askForSimilar = async (page: Page): Promise<void> => {
  await filtering(page)
  const find = page.getByText(inAnyLanguage('features/annotate:similarity.find'))
  if ((page.viewportSize()?.width ?? 0) < 900) await page.locator('section[data-status] button[aria-haspopup=menu]').click()
  await find.click()
  await page.getByRole('dialog').getByRole('radio').first().waitFor()
}

/** Opens an action of the dataset: download, push or offline use. It is a button in the header, or a menu item on a phone. */
const openAction = async (page: Page, number: 0 | 1 | 2): Promise<void> => {
  const more = page.locator('header [data-more]')
  await more.or(page.locator('header [data-action]').first()).waitFor()
  if (!(await more.isVisible())) return page.locator('header [data-action]').nth(number).click()
  await more.click()
  await page.locator('[role=menu]:popover-open [role=menuitem]').nth(number).click()
}

const answerJob = (status: 'started' | 'finished', done: number) => ({
  job: {
    id: '00000000-0000-7000-8000-000000000001',
    status,
    done,
    total: 5000,
    reason: null,
    answers: { stored: done - 6, invalid: 3, changed: 1, gone: 2 },
  },
  status: 'submitted',
  undoes: null,
  inserted_at: '2026-01-01T00:00:00.000000',
})

/** The states of the annotation screen. `:everything`, `:filterable`, `:tree` and `:all-fields` stand for dataset IDs. */
export const annotationScreens: { readonly [name: string]: Screen } = {
  annotation: { path: ANNOTATION, who: 'owner', ready: (page) => annotating(page) },
  'annotation, a tree of labels': {
    path: '/dataset/:tree/annotation-mode',
    who: 'owner',
    ready: async (page) => {
      await waitForKeyFocus(page)
      await page.getByRole('treeitem').nth(5).waitFor()
    },
  },
  'settings, a tree of labels': {
    path: '/dataset/:tree/settings?tab=questions',
    who: 'owner',
    ready: (page) => page.locator('main ol > li > input').nth(5).waitFor(),
  },
  'annotation, the record menu': {
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
  'annotation, all field types': {
    path: ALL_FIELDS,
    who: 'owner',
    ready: (page) => readingFields(page),
  },
  'annotation, an enlarged image': {
    path: ALL_FIELDS,
    who: 'owner',
    ready: async (page) => {
      await readingFields(page)
      const tools = page.getByRole('toolbar').locator('button')
      for (let i = 0; i < 3; i += 1) await tools.nth(1).click()
      await tools.nth(4).click()
    },
  },
  'annotation, the labels of a span': {
    path: ALL_FIELDS,
    who: 'owner',
    ready: async (page) => {
      await readingFields(page)
      await page.locator('[data-span-text]').focus()
      await page.keyboard.press('Tab')
      await page.keyboard.press('F2')
      await page.getByRole('dialog').getByRole('option').first().waitFor()
    },
  },
  'annotation, no records': {
    path: `${ANNOTATION}?status=discarded`,
    who: 'owner',
    ready: (page) => page.locator('main h2').first().waitFor(),
  },
  'annotation, a page of records': {
    path: `${FILTERED}?page=1~10`,
    who: 'owner',
    ready: (page) => page.locator('[data-record]').nth(9).waitFor({ state: 'attached' }),
  },
  'annotation, selected records': {
    path: `${ANNOTATION}?page=1~10`,
    who: 'owner',
    ready: async (page) => {
      await page.locator('[data-record]').first().waitFor()
      await page.locator('[data-select-page]').click()
      await page.locator('[data-record][data-selected]').first().waitFor()
    },
  },
  'annotation, all matched records': {
    path: `${FILTERED}?page=1~10`,
    who: 'owner',
    ready: async (page) => {
      await page.locator('[data-record]').first().waitFor()
      await page.locator('[data-select-page]').click()
      await page.locator('[data-matched] button').click()
      await page.locator('[data-matched][data-all]').waitFor()
    },
  },
  'annotation, confirming a bulk answer': {
    path: `${FILTERED}?page=1~10`,
    who: 'owner',
    ready: async (page) => {
      await page.locator('[data-record]').first().waitFor()
      await page.locator('[data-select-page]').click()
      await page.locator('[data-matched] button').click()
      await page.locator('[data-matched][data-all]').waitFor()
      await page.keyboard.press('Control+s')
      await page.getByRole('dialog').getByRole('button').last().waitFor()
    },
  },
  'annotation, a running bulk answer': {
    path: `${FILTERED}?page=1~10`,
    who: 'owner',
    ready: async (page) => {
      await page.route(/responses\/bulk-jobs$/, (route) => route.fulfill({ json: { items: [answerJob('started', 1200)] } }))
      await page.reload()
      await page.getByRole('progressbar').first().waitFor()
    },
  },
  'annotation, a finished bulk answer': {
    path: `${FILTERED}?page=1~10`,
    who: 'owner',
    ready: async (page) => {
      await page.route(/responses\/bulk-jobs$/, (route) => route.fulfill({ json: { items: [answerJob('finished', 5000)] } }))
      await page.reload()
      await page.locator('a[href*=bulk-jobs]').waitFor()
    },
  },
  'annotation, the dataset menu': {
    path: ANNOTATION,
    who: 'owner',
    ready: async (page) => {
      await annotating(page)
      const more = page.locator('header [data-more]')
      if ((page.viewportSize()?.width ?? 0) >= 640) return
      await more.click()
      await page.locator('[role=menu]:popover-open [role=menuitem]').first().waitFor()
    },
  },
  'annotation, records for offline use': {
    path: ANNOTATION,
    who: 'owner',
    ready: async (page) => {
      await annotating(page)
      await openAction(page, 2)
      await page.getByRole('dialog').getByRole('combobox').waitFor()
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
  'annotation, filters by numbers': {
    path: `${FILTERED}?metadata=length.ge60.le180`,
    who: 'owner',
    ready: async (page) => {
      await openPanel(page, 0)
      await panel(page).locator('svg[role=img]').waitFor()
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
  'annotation, views': {
    path: `${FILTERED}?metadata=source.web`,
    who: 'owner',
    ready: async (page) => {
      await openPanel(page, 2)
      await panel(page).locator('[data-view]').nth(2).waitFor()
    },
  },
  'annotation, saving a view': {
    path: `${FILTERED}?metadata=source.web`,
    who: 'owner',
    ready: async (page) => {
      await openPanel(page, 2)
      await panel(page).locator('[data-view]').nth(2).waitFor()
      await panel(page).getByRole('button').last().click()
      await panel(page).getByRole('switch').waitFor()
    },
  },
  // Sorted by length so that the first record has a vector. The longest record has none.
  'annotation, choosing similar records': {
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
      await page.getByText(/ \d+[.,]\d\s?%$/).waitFor()
    },
  },
  'annotation, filters without results': {
    path: `${FILTERED}?metadata=length.ge900`,
    who: 'owner',
    ready: (page) => page.locator('main h2').first().waitFor(),
  },
  'annotation, a filter by a deleted property': {
    path: `${FILTERED}?metadata=gone.x`,
    who: 'owner',
    ready: (page) => page.locator('main h2').first().waitFor(),
  },
  'annotation, a push to the Hub': {
    path: ANNOTATION,
    who: 'owner',
    ready: async (page) => {
      await annotating(page)
      await openAction(page, 1)
      await page.locator('dialog[open] [type=submit]').click()
      await page.locator('dialog[open] [aria-invalid]').first().waitFor()
    },
  },
  'annotation, the download': {
    path: ANNOTATION,
    who: 'owner',
    ready: async (page) => {
      await annotating(page)
      await openAction(page, 0)
      await page.getByRole('dialog').waitFor()
    },
  },
}
