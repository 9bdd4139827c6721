import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { applyTheme, findViolations, openPage, PHONE, switchLanguage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { startDataset } from '../support/creation-form.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()
beforeAll(async () => {
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
})

const add = async (page: Page, kind: string): Promise<void> => {
  await page.getByRole('button', { name: ui('features/create:questions.add') }).click()
  await page.getByRole('menuitem', { name: kind, exact: true }).click()
}
const part = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })
const nameOf = (page: Page, name: string) =>
  part(page, name).getByRole('textbox', { name: ui('features/create:part.name'), exact: true })
const rule = (key: 'addTo' | 'chooseValues' | 'subject', values: { readonly [name: string]: string | number } = {}) =>
  ui(`features/conditions:${key}`, values)

detail('conditions follow renamed parts, and a dataset is created with them and with options of the record', async () => {
  const { page, close, complaints } = await openPage(team.browser, team.server.url, PHONE)
  await createSession(page, team.server.url, 'adam', PASSWORD)
  await page.goto('/')
  await startDataset(page, 'scratch')
  await page.getByRole('textbox', { name: ui('features/create:about.name'), exact: true }).fill('with conditions')
  await page.getByRole('button', { name: ui('features/create:fields.add') }).click()
  await page.getByRole('menuitem', { name: ui('field-types/text:name'), exact: true }).click()
  await add(page, ui('question-types/label_selection:name'))
  await nameOf(page, 'label_selection').fill('tone')
  await add(page, ui('question-types/choice:name'))
  await nameOf(page, 'choice').fill('entity')
  // When the field is renamed, the question still takes its options from this field.
  await nameOf(page, 'text').fill('candidates')
  await part(page, 'entity')
    .getByRole('button', { name: rule('addTo', { title: 'entity' }) })
    .click()
  await part(page, 'entity').getByText(rule('chooseValues')).waitFor()
  await page.getByRole('button', { name: ui('features/create:bar.create') }).click()
  await part(page, 'entity').getByText(ui('features/create:fault.condition')).waitFor()
  await part(page, 'entity').getByRole('checkbox', { name: 'negative' }).check()
  await nameOf(page, 'tone').fill('mood')
  await part(page, 'entity')
    .getByRole('combobox', { name: rule('subject', { number: 1 }) })
    .locator('option:checked', { hasText: 'mood' })
    .waitFor({ state: 'attached' })
  expect(await findViolations(page)).toEqual([])
  await applyTheme(page, 'dark')
  await switchLanguage(page, 'de')
  expect(await findViolations(page)).toEqual([])
  expect(await part(page, 'entity').evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await switchLanguage(page, 'en')
  await page.getByRole('button', { name: ui('features/create:bar.create') }).click()
  type Listed = { items: { id: string; name: string; settings: object; shown_when?: object }[] }
  const found = async () => (await callAsOwner<Listed>(team.server, 'GET', '/me/datasets')).items
  await expect.poll(async () => (await found()).some(({ name }) => name === 'with conditions')).toBe(true)
  const id = (await found()).find(({ name }) => name === 'with conditions')?.id
  await expect
    .poll(async () => (await callAsOwner<Listed>(team.server, 'GET', `/datasets/${id}/questions`)).items)
    .toMatchObject([
      { name: 'mood' },
      {
        name: 'entity',
        settings: { type: 'text', postil_kind: 'choice', choose_from: 'candidates' },
        shown_when: { all: [{ question: 'mood', in: ['negative'] }] },
      },
    ])
  expect(complaints()).toEqual([])
  await close()
})
