import { variants } from '@postil/testkit/run-size.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { seedDataset, seedUser } from '../fixtures/seed.ts'
import { formNamed, seedSettingsDataset, updateButton } from '../fixtures/settings.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { choose } from '../support/creation-form.ts'
import { openPanel } from '../support/filtering.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()
const ids: { [name: string]: string } = {}
beforeAll(async () => {
  ids[':whole'] = await seedSettingsDataset(team, 'whole')
  ids[':draft'] = await seedDataset(team.server, { name: 'a draft', workspaceId: team.workspaceId, publish: false })
  await seedUser(team.server, 'ann', 'annotator', [team.workspaceId])
})

type Place = {
  readonly path: string
  /** The method of the request that is rejected. */
  readonly method: string
  readonly call: string
  readonly code: string
  /** Triggers the request. */
  readonly act?: (page: Page) => Promise<unknown>
  /** Whether the rejected request was the user's own action. */
  readonly isTold?: true
}

const SETTINGS = '/dataset/:whole/settings?tab='
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const places: { readonly [name: string]: Place } = {
  'the list of datasets': { path: '/', method: 'GET', call: '**/me/home', code: 'ERROR_FETCHING_FEEDBACK_DATASETS' },
  'a failed update of a field': {
    path: `${SETTINGS}fields`,
    method: 'PATCH',
    call: '**/fields/*',
    code: 'ERROR_PATCHING_FIELDS',
    isTold: true,
    act: async (page) => {
      await formNamed(page, 'Text')
        .getByRole('textbox', { name: ui('features/settings:itemTitle') })
        .fill('Another title')
      await updateButton(page, 'Text').click()
    },
  },
  'a failed publication of a draft': {
    path: '/dataset/:draft/settings?tab=general',
    method: 'PUT',
    call: '**/publish',
    code: 'ERROR_PUBLISHING_DATASET',
    isTold: true,
    act: (page) => press(page, ui('features/settings:general.publish')),
  },
  'a failed deletion of a dataset': {
    path: `${SETTINGS}danger`,
    method: 'DELETE',
    call: '**/datasets/*',
    code: 'ERROR_DELETING_DATASET',
    isTold: true,
    act: async (page) => {
      await press(page, ui('features/settings:danger.open'))
      await page.getByRole('dialog').getByRole('textbox').fill('whole')
      await page.keyboard.press('Enter')
    },
  },
  'a failed creation of a dataset': {
    path: '/new',
    method: 'POST',
    call: '**/datasets',
    code: 'ERROR_CREATING_DATASET',
    isTold: true,
    act: async (page) => {
      await choose(page, 'rows.csv', 'text,topic\nOne.,a\nTwo.,b\nThree.,a\nFour.,b\n')
      await page
        .getByRole('combobox', { name: ui('features/create:columns.becomes', { column: 'topic' }) })
        .selectOption('question')
      await page.getByRole('textbox', { name: ui('features/create:about.name') }).fill('refused')
      await page
        .getByRole('combobox', { name: ui('features/create:about.workspace'), exact: true })
        .selectOption({ label: 'team' })
      await press(page, ui('features/create:bar.createAndImport'))
    },
  },
  'a failed creation of a workspace': {
    path: '/administration?tab=workspaces',
    method: 'POST',
    call: '**/workspaces',
    code: 'CREATE_WORKSPACE',
    isTold: true,
    act: async (page) => {
      await page.locator('main section button').first().click()
      await page.getByRole('dialog').getByRole('textbox').fill('refused')
      await page.keyboard.press('Enter')
    },
  },
  'the list of a user’s workspaces': {
    path: '/administration',
    method: 'GET',
    call: '**/users/*/workspaces',
    code: 'GET_WORKSPACES',
    isTold: true,
    act: async (page) => {
      await page.locator('main section li', { hasText: 'ann' }).locator('button[aria-haspopup=menu]').click()
      await page.getByRole('menuitem', { name: ui('features/administration:section.workspaces') }).click()
    },
  },
  'the list of the user’s own workspaces': {
    path: '/user-settings',
    method: 'GET',
    call: '**/me/workspaces',
    code: 'ERROR_FETCHING_WORKSPACES',
    isTold: true,
  },
  'a failed start of an import': {
    path: '/dataset/:whole/import',
    method: 'POST',
    call: '**/imports/files/*/start',
    code: 'ERROR_IMPORTING_DATASET',
    isTold: true,
    act: async (page) => {
      await choose(page, 'rows.csv', 'text\nOne.\n')
      await press(page, ui('features/create:imports.start'))
    },
  },
  'a Hub dataset': {
    path: '/new/team%2Frows',
    method: 'GET',
    call: '**/me/hub/repository?*',
    code: 'ERROR_FETCHING_DATASET',
    isTold: true,
  },
  'a push to the Hub': {
    path: '/dataset/:whole/annotation-mode',
    method: 'POST',
    call: '**/export',
    code: 'ERROR_EXPORTING_DATASET',
    isTold: true,
    act: async (page) => {
      await page.locator('header [data-action]').nth(1).click()
      await page.getByRole('textbox', { name: ui('features/hub:push.owner') }).fill('team')
      await page.getByRole('dialog').locator('input[type=password]').fill('hf_token')
      await page.keyboard.press('Enter')
    },
  },
  'a list of records': {
    path: '/dataset/:whole/annotation-mode?status=submitted',
    method: 'POST',
    call: '**/records/search?*',
    code: 'ERROR_FETCHING_RECORDS',
  },
  'the values of a metadata property': {
    path: '/dataset/:whole/annotation-mode',
    method: 'GET',
    call: '**/metadata-properties/*/metrics',
    code: 'ERROR_FETCHING_METADATA_METRIC',
    isTold: true,
    act: (page) => openPanel(page, ui('features/annotate:filters.title')),
  },
  'the metadata properties to filter by': {
    path: '/dataset/:whole/annotation-mode',
    method: 'GET',
    call: '**/me/datasets/*/metadata-properties',
    code: 'ERROR_FETCHING_METADATA',
    act: (page) => openPanel(page, ui('features/annotate:filters.title')),
  },
  'the return from an identity provider': {
    path: '/oauth/company/callback?code=1&state=2',
    method: 'POST',
    call: '**/session/oauth/company',
    code: 'ERROR_FETCHING_OAUTH_ACCESS_TOKEN',
    isTold: true,
  },
}

test.each(variants(5, Object.entries(places)))(
  '%s shows the code of the failed operation in the page, without including it in an announcement',
  async (_, place) => {
    const { path, method, call, code, act, isTold } = place
    const { page, close } = await openPage(team.browser, team.server.url)
    if (!path.startsWith('/oauth')) await createSession(page, team.server.url)
    await page.route(call, (route) =>
      route.request().method() === method
        ? route.fulfill({ status: 409, json: { detail: 'It is being moved' } })
        : route.fallback(),
    )
    await page.goto(Object.entries(ids).reduce((at, [name, id]) => at.replace(name, id), path))
    await act?.(page)
    const named = page.locator('main, dialog[open], [popover]:popover-open').getByText(code, { exact: true })
    await named.first().waitFor()
    await page.getByText('It is being moved').first().waitFor()
    expect(await page.getByRole('alert').filter({ hasText: code }).count()).toBe(0)
    await expect.poll(() => page.getByRole('alert').filter({ hasText: 'It is being moved' }).count()).toBe(isTold ? 1 : 0)
    await close()
  },
)
