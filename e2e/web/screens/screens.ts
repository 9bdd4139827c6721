import { makeWorkbook, textRow } from '@postil/server/platform/xlsx/testing/make-workbook.ts'
import type { Page } from 'playwright-core'
import { OWNER } from '../../harness/server.ts'
import { annotationScreens } from './annotation-screens.ts'
import { dialogScreens } from './dialog-screens.ts'
import { mockedScreens } from './mocked-screens.ts'
import { overviewScreens } from './overview-screens.ts'
import { reviewScreens } from './review-screens.ts'
import type { Screen } from './screen.ts'
import { secondFactorScreens } from './second-factor-screens.ts'

/** Two rows, one of which is invalid. */
export const IMPORT_CSV = 'id,text\na,One text.\nb,\n'
const chooseFile = async (page: Page): Promise<void> => {
  const file = page.locator('input[type=file]')
  await file.setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(IMPORT_CSV) })
  await page.locator('main form li select').first().waitFor()
  await page.locator('main form [aria-busy=false][data-faulty], main form [data-fault]').first().waitFor()
}

/** A running job and a failed one. */
const mockJobs = ['started', 'failed'].map((status, i) => ({
  id: `00000000-0000-7000-8000-00000000000${i}`,
  status,
  done: 400,
  total: 1000,
  reason: status === 'failed' ? 'The file or its dataset no longer exists' : null,
  reason_parts: status === 'failed' ? [{ code: 'fileGone', params: {} }] : [],
  kind: 'imports.file',
  subject: 'letters.csv',
  dataset: null,
  user: null,
  cancelable: status === 'started',
  inserted_at: '2026-05-01T10:00:00.000000',
  updated_at: '2026-05-01T10:00:00.000000',
}))

/** Every screen to check. `:everything`, `:filterable`, `:judged` and `:imported` stand for dataset IDs. */
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
  'an invitation': { path: '/invitation#link=:invitation', ready: (page) => page.locator('input[name=new-password]').waitFor() },
  'an invitation, with a password that is too short': {
    path: '/invitation#link=:invitation',
    ready: async (page) => {
      await page.locator('input[name=new-password]').fill('short')
      await page.keyboard.press('Enter')
      await page.locator('input[name=new-password][aria-invalid=true]').waitFor()
    },
  },
  'a used invitation': { path: '/invitation#link=used', ready: (page) => page.locator('main [role=alert]').first().waitFor() },
  'a reset link': { path: '/new-password#link=:reset', ready: (page) => page.locator('input[name=new-password]').waitFor() },
  home: { path: '/', who: 'owner', ready: (page) => page.locator('main li a').nth(40).waitFor({ state: 'attached' }) },
  'home, no matches': { path: '/?search=zzz', who: 'owner', ready: (page) => page.locator('main h2').waitFor() },
  ...secondFactorScreens,
  ...overviewScreens,
  ...reviewScreens,
  'home, no datasets': { path: '/', who: 'nobody', ready: (page) => page.locator('main h2').waitFor() },
  guides: { path: '/guides', who: 'owner', ready: (page) => page.locator('main kbd').first().waitFor() },
  'the user menu': {
    path: '/',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main li a').first().waitFor()
      await page.locator('header button[aria-haspopup=menu]').last().click()
      await page.getByRole('menu').waitFor()
    },
  },
  'the workspace menu': {
    path: '/',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main button[aria-haspopup=menu]').last().click()
      await page.getByRole('menu').waitFor()
    },
  },
  'home, from the Hub': {
    path: '/',
    who: 'owner',
    ready: async (page) => {
      // The form moves when the list above it loads.
      await page.locator('main li a').first().waitFor()
      await page.waitForLoadState('networkidle')
      const hub = page.locator('aside form')
      const fault = hub.locator('[aria-invalid]')
      const submit = async () => {
        await hub.locator('button').click()
        await fault.waitFor({ timeout: 5000 })
      }
      // The list of mentions may load late and move the button, so that a click misses it. In that case, clicks again.
      await submit().catch(submit)
      // Focusing the input may scroll the page so that the header covers half of a row.
      await page.evaluate(() => window.scrollTo(0, 0))
    },
  },
  offline: {
    path: '/',
    who: 'owner',
    isAlone: true,
    ready: async (page) => {
      await page.locator('main li a').first().waitFor()
      // The browser claims to be offline but still has network access, so that UI strings of other languages can load.
      await page.evaluate(() => {
        Object.defineProperty(navigator, 'onLine', { get: () => false })
        window.dispatchEvent(new Event('offline'))
      })
      await page.locator('[data-kind=danger]').waitFor()
    },
  },
  ...Object.fromEntries(
    ['general', 'fields', 'questions', 'metadata', 'vectors', 'review', 'danger'].map((tab) => [
      `dataset settings, ${tab}`,
      {
        path: `/dataset/:everything/settings?tab=${tab}`,
        who: 'owner' as const,
        ready: (page: Page) =>
          // The fields tab loads the preview of a template last.
          page.locator(tab === 'fields' ? 'main iframe[data-ready]' : '#section-title').waitFor(),
      },
    ]),
  ),
  'dataset settings, the color of a label': {
    path: '/dataset/:everything/settings?tab=questions',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main form li button[aria-haspopup=dialog]').first().click()
      await page.locator('[popover]:popover-open').getByRole('radio').first().waitFor()
    },
  },
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
  'administration, an invitation': {
    path: '/administration',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main section button').nth(1).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'administration, a new link for an invitation': {
    path: '/administration',
    who: 'owner',
    ready: async (page) => {
      await page.locator('section[aria-labelledby=invitations-title] button').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'the members of an admin': {
    path: '/administration',
    who: 'lead',
    ready: (page) => page.locator('section[aria-labelledby=invitations-title] li').first().waitFor(),
  },
  'the members of an admin, an invitation': {
    path: '/administration',
    who: 'lead',
    ready: async (page) => {
      await page.locator('main section button').first().click()
      await page.getByRole('dialog').locator('input[type=checkbox]').first().waitFor()
    },
  },
  'the members of an admin, the removal of one': {
    path: '/administration',
    who: 'lead',
    ready: async (page) => {
      await page.locator('main section li', { hasText: 'grace' }).locator('button[aria-haspopup=menu]').click()
      await page.locator('[role=menu]:popover-open [role=menuitem]').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  'administration, workspaces': {
    path: '/administration?tab=workspaces',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main section li button[aria-controls]').first().click()
      await page.locator('main section li ul').first().waitFor({ state: 'attached' })
    },
  },
  'administration, audit log': {
    path: '/administration?tab=audit',
    who: 'owner',
    ready: (page) => page.locator('main ol li').first().waitFor(),
  },
  'administration, webhooks': {
    path: '/administration?tab=webhooks',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main section li button[aria-controls]').click()
      await page.locator('main section li button[aria-controls][aria-expanded=true]').waitFor()
      await page.locator('main section li p').last().waitFor()
    },
  },
  'administration, jobs': {
    path: '/administration?tab=jobs',
    who: 'owner',
    ready: (page) => page.locator('main section li').first().waitFor(),
  },
  'administration, the server': {
    path: '/administration?tab=instance',
    who: 'owner',
    ready: (page) => page.locator('main dl').first().waitFor(),
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
  'a new dataset, with a new workspace': {
    path: '/new',
    who: 'owner',
    ready: async (page) => {
      await chooseFile(page)
      await page.locator('main form section button').first().click()
      await page.locator('main form section [role=group] input').first().waitFor()
    },
  },
  'a new dataset, from a workbook with an empty sheet': {
    path: '/new',
    who: 'owner',
    ready: async (page) => {
      const sheets = { Data: [textRow(1, 'id', 'text'), textRow(2, 'a', 'One.')], Notes: [textRow(1, 'only names')] }
      const file = { name: 'rows.xlsx', mimeType: '', buffer: Buffer.from(makeWorkbook({ sheets })) }
      await page.locator('input[type=file]').setInputFiles(file)
      await page.locator('main form select:has(option[value=Notes])').selectOption('Notes')
      await page.locator('main form [role=alert]').waitFor()
    },
  },
  'a new dataset, from an unreachable Hub': {
    path: '/new/team%2Frows',
    who: 'owner',
    ready: (page) => page.locator('main [role=alert]').waitFor(),
  },
  'a new dataset, from scratch': {
    path: '/new',
    who: 'owner',
    ready: async (page) => {
      await page.locator('[aria-labelledby=start-nothing] button').click()
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
  'imports, none': { path: '/dataset/:everything/import', who: 'owner', ready: (page) => page.locator('main h2').waitFor() },
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
  'my settings': { path: '/user-settings', who: 'owner', ready: (page) => page.locator('main li a').first().waitFor() },
  'my settings, two-factor authentication': {
    path: '/user-settings',
    who: 'owner',
    ready: async (page) => {
      await page.locator('[aria-labelledby=factor] button').click()
      await page.getByRole('dialog').locator('input[type=password]').fill(OWNER.password)
      await page.getByRole('dialog').locator('button[type=submit]').click()
      await page.getByRole('dialog').getByRole('img').waitFor()
    },
  },
  'not found': { path: '/nothing', who: 'owner', ready: (page) => page.locator('h1').waitFor() },
  ...annotationScreens,
  ...dialogScreens,
  // Near the end, because the mocked list of jobs stays in the page and would appear on later screens.
  'the caller’s jobs': {
    path: '/',
    who: 'owner',
    ready: async (page) => {
      await page.route('**/api/v1/me/jobs', (route) => route.fulfill({ json: { items: mockJobs } }))
      await page.reload()
      await page.locator('header button[aria-haspopup=dialog]').click()
      await page.getByRole('dialog').getByRole('progressbar').waitFor()
    },
  },
  // These screens come last, because they leave answers on the device.
  ...mockedScreens,
}
