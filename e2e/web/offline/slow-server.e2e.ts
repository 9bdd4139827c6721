import { makeWorkbook, textRow } from '@postil/server/platform/xlsx/testing/make-workbook.ts'
import { parquetWriteBuffer } from 'hyparquet-writer'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { OWNER } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { setUpTeamWithHub } from '../fixtures/hub.ts'
import { callAsOwner, PASSWORD, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { choose, chooseRole } from '../support/creation-form.ts'
import { holdRequest } from '../support/hold-request.ts'
import { createSession } from '../support/sign-in.ts'

/* Tests what happens if users act before a response arrives. Nothing may be lost, and an action must apply to what the user has
   chosen, not to what was shown before. */

const team = setUpTeamWithHub()
beforeAll(() => seedUser(team.server, 'adam', 'admin', [team.workspaceId]))

const at = async (path: string, who = 'adam') => {
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url, who, who === 'adam' ? PASSWORD : OWNER.password)
  await opened.page.goto(path)
  return opened
}

const WORKBOOK = makeWorkbook({
  sheets: {
    Reviews: [textRow(1, 'id', 'review'), textRow(2, 'r1', 'Arrived late.'), textRow(3, 'r2', 'Works.')],
    Questions: [textRow(1, 'key', 'question'), textRow(2, 'q1', 'Where is it?')],
  },
})
const nameBox = (page: Page) => page.getByRole('textbox', { name: ui('features/create:about.name') })
const create = (page: Page) => page.getByRole('button', { name: ui('features/create:bar.createAndImport') })
const fieldsOf = async (name: string): Promise<readonly object[]> => {
  type Named = { readonly items: readonly { readonly name: string; readonly id: string }[] }
  const made = (await callAsOwner<Named>(team.server, 'GET', '/me/datasets')).items.find((dataset) => dataset.name === name)
  if (made === undefined) return []
  type Listed = { readonly items: readonly { readonly fields: object }[] }
  return (await callAsOwner<Listed>(team.server, 'GET', `/datasets/${made.id}/records`)).items.map(({ fields }) => fields)
}
/**
 * Presses Enter while the form is waiting, and expects that this has no effect. Then calls `go` to end the wait, and creates the
 * dataset as soon as the form is ready.
 */
const createWhenReady = async (page: Page, go: () => void, isThere: () => Promise<void>): Promise<void> => {
  await expect.poll(() => create(page).getAttribute('aria-disabled')).toBe('true')
  await nameBox(page).press('Enter')
  await page.getByText(ui('features/create:bar.waiting')).waitFor()
  go()
  await isThere()
  await create(page).click()
  await page.waitForURL(/\/import$/)
}

test('a dataset is created from the selected sheet, with the text typed while it was read', async () => {
  const { page, close, complaints } = await at('/new')
  await choose(page, 'sheets.xlsx', WORKBOOK)
  await chooseRole(page, 'review').selectOption('field')
  const { sent, go } = await holdRequest(page, 'POST', (url) => url.endsWith('/sheet'))
  await page.getByRole('combobox', { name: ui('features/create:file.sheet') }).selectOption('Questions')
  await sent
  await nameBox(page).fill('typed while waiting')
  await page.getByRole('textbox', { name: ui('features/create:work.guidelines') }).fill('Also typed while waiting.')
  await page.getByRole('button', { name: ui('features/create:questions.add') }).click()
  await page.getByRole('menuitem', { name: ui('question-types/text:name') }).click()
  await createWhenReady(page, go, async () => {
    await chooseRole(page, 'question').selectOption('field')
    await expect.poll(() => nameBox(page).inputValue()).toBe('typed while waiting')
    expect(await page.getByRole('textbox', { name: ui('features/create:work.guidelines') }).inputValue()).toBe(
      'Also typed while waiting.',
    )
  })
  await expect.poll(() => fieldsOf('typed while waiting')).toEqual([expect.objectContaining({ question: 'Where is it?' })])
  expect(complaints()).toEqual([])
  await close()
})

test('a Hub dataset is created from the selected split', async () => {
  const features = {
    text: { dtype: 'string', _type: 'Value' },
    label: { names: ['bad', 'good'], _type: 'ClassLabel' },
  }
  const file = (text: string) =>
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'text', data: [text], type: 'STRING' },
          { name: 'label', data: [1n], type: 'INT64' },
        ],
      }),
    )
  team.hub.put('team/split', [
    { subset: 'default', split: 'train', features, files: [file('Trained.')] },
    { subset: 'default', split: 'test', features, files: [file('Tested.')] },
  ])
  const { page, close, complaints } = await at('/new/team%2Fsplit')
  await chooseRole(page, 'label').waitFor()
  const { sent, go } = await holdRequest(page, 'GET', (url) => url.includes('/hub/preview') && url.includes('split=test'))
  await page.getByRole('combobox', { name: ui('features/hub:source.split') }).selectOption('test')
  await sent
  await createWhenReady(page, go, () => page.getByText('Tested.').first().waitFor())
  await expect.poll(() => fieldsOf('split')).toEqual([{ text: 'Tested.' }])
  expect(complaints()).toEqual([])
  await close()
})

test('a user’s workspaces can be selected once the current ones are loaded', async () => {
  const [one, two] = [await seedWorkspace(team.server, 'one'), await seedWorkspace(team.server, 'two')]
  const carl = await seedUser(team.server, 'carl', 'annotator', [one])
  const { page, close, complaints } = await at('/administration', OWNER.username)
  const { sent, go } = await holdRequest(page, 'GET', (url) => url.endsWith(`/users/${carl}/workspaces`))
  await page.getByRole('button', { name: ui('features/administration:users.menu', { username: 'carl' }) }).click()
  await page.getByRole('menuitem', { name: ui('features/administration:section.workspaces'), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: ui('features/administration:users.workspacesTitle', { username: 'carl' }) })
  await sent
  await dialog.getByRole('button', { name: ui('features/administration:save') }).waitFor()
  expect(await dialog.getByRole('checkbox').count()).toBe(0)
  go()
  await dialog.getByRole('checkbox', { name: 'two' }).check()
  await dialog.getByRole('button', { name: ui('features/administration:save') }).click()
  await dialog.waitFor({ state: 'detached' })
  const { items } = await callAsOwner<{ items: { id: string }[] }>(team.server, 'GET', `/users/${carl}/workspaces`)
  expect(items.map(({ id }) => id).toSorted()).toEqual([one, two].toSorted())
  expect(complaints()).toEqual([])
  await close()
})

test('a workspace that was canceled during creation isn’t selected', async () => {
  const { page, close, complaints } = await at('/new', OWNER.username)
  await page.getByRole('button', { name: ui('features/create:start.nothingAction') }).click()
  const { sent, go } = await holdRequest(page, 'POST', (url) => url.endsWith('/workspaces'))
  await page.getByRole('button', { name: ui('features/create:workspace.new') }).click()
  const asked = page.getByRole('group', { name: ui('features/create:workspace.new') })
  await asked.getByRole('textbox').fill('given-up')
  await asked.getByRole('textbox').press('Enter')
  await sent
  await asked.getByRole('button', { name: ui('features/annotate:bulk.cancel') }).click()
  const workspace = page.getByRole('combobox', { name: ui('features/create:about.workspace') })
  await workspace.selectOption({ label: 'team' })
  await nameBox(page).fill('typed while waiting')
  go()
  await workspace.getByRole('option', { name: 'given-up' }).waitFor({ state: 'attached' })
  expect([await workspace.inputValue(), await nameBox(page).inputValue()]).toEqual([team.workspaceId, 'typed while waiting'])
  expect(complaints()).toEqual([])
  await close()
})

test('a taken name is reported at its input only', async () => {
  const { page, close } = await at('/new', OWNER.username)
  await page.getByRole('button', { name: ui('features/create:start.nothingAction') }).click()
  await page.getByRole('button', { name: ui('features/create:workspace.new') }).click()
  const asked = page.getByRole('group', { name: ui('features/create:workspace.new') })
  await asked.getByRole('textbox').fill('team')
  await asked.getByRole('textbox').press('Enter')
  await asked.locator('[aria-invalid="true"]').waitFor()
  expect(
    await page
      .getByRole('region', { name: ui('common:toast.region') })
      .getByRole('listitem')
      .count(),
  ).toBe(0)
  await close()
})
