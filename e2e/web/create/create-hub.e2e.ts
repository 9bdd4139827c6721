import { parquetWriteBuffer } from 'hyparquet-writer'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { findViolations, openPage } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { setUpTeamWithHub } from '../fixtures/hub.ts'
import { callAsOwner, PASSWORD, seedDataset, seedUser } from '../fixtures/seed.ts'
import { chooseRole, importEnded } from '../support/creation-form.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeamWithHub()
beforeAll(() => seedUser(team.server, 'adam', 'admin', [team.workspaceId]))
afterEach(() => team.hub.intercept(null))

const string = { dtype: 'string', _type: 'Value' }
const features = { text: string, topic: string }
const file = (word: string, more: readonly string[] = []) =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: ['text', 'topic', ...more].map((name) => ({
        name,
        data: Array.from({ length: 12 }, (_, i) => (name === 'topic' ? `topic ${i % 3}` : `${word} ${name} ${i}`)),
        type: 'STRING' as const,
      })),
    }),
  )
const addToHub = (name: string) =>
  team.hub.put(name, [
    { subset: 'en', split: 'train', features, files: [file('Trained')] },
    { subset: 'en', split: 'test', features: { ...features, note: string }, files: [file('Tested', ['note'])] },
  ])
const at = async (path: string) => {
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url, 'adam', PASSWORD)
  await opened.page.goto(path)
  return opened
}
const create = (page: Page) => page.getByRole('button', { name: ui('features/create:bar.createAndImport') }).click()
const part = (page: Page, title: string) => page.getByRole('listitem', { name: title, exact: true })
const preview = (page: Page) => page.getByRole('region', { name: ui('features/create:preview.title') })
const partMissing = (page: Page) =>
  page.getByText(uiPattern('features/hub:source.noSubset')).or(page.getByText(uiPattern('features/hub:source.noSplit')))
const become = (page: Page, column: string, role: string) => expect.poll(() => chooseRole(page, column).inputValue()).toBe(role)

test('another split keeps the choices for the columns that it also has', async () => {
  addToHub('team/splits')
  const { page, close, complaints } = await at('/new/team%2Fsplits')
  await preview(page).getByText('Trained text 0').waitFor()
  await page.getByRole('textbox', { name: ui('features/create:about.name') }).fill('of my own')
  await part(page, 'text')
    .getByRole('textbox', { name: ui('features/create:part.title') })
    .fill('What they say')
  await chooseRole(page, 'topic').selectOption('metadata')
  await page.getByRole('button', { name: ui('features/create:questions.add') }).click()
  await page.getByRole('menuitem', { name: ui('question-types/text:name') }).click()
  await page.getByRole('combobox', { name: ui('features/hub:source.split') }).selectOption('test')
  await preview(page).getByText('Tested text 0').waitFor()
  await become(page, 'note', 'field')
  await become(page, 'text', 'field')
  await become(page, 'topic', 'metadata')
  expect(await page.getByRole('textbox', { name: ui('features/create:about.name') }).inputValue()).toBe('of my own')
  expect(
    await part(page, 'What they say')
      .getByRole('textbox', { name: ui('features/create:part.name') })
      .inputValue(),
  ).toBe('text')
  await page.getByRole('combobox', { name: ui('features/hub:source.split') }).selectOption('train')
  await preview(page).getByText('Trained text 0').waitFor()
  await chooseRole(page, 'note').waitFor({ state: 'detached' })
  await become(page, 'topic', 'metadata')
  expect(await page.getByRole('button', { name: uiPattern('features/create:part.remove') }).count()).toBe(3)
  // The draft is saved and reopened. Changing the split must then have the same effect as before.
  await page.getByRole('button', { name: ui('features/create:bar.save') }).click()
  await page.waitForURL(/\/new\/[0-9a-f-]{36}$/)
  await page.reload()
  await preview(page).getByText('Trained text 0').waitFor()
  await page.getByRole('combobox', { name: ui('features/hub:source.split') }).selectOption('test')
  await preview(page).getByText('Tested text 0').waitFor()
  await part(page, 'What they say').waitFor()
  await become(page, 'topic', 'metadata')
  await page.getByRole('combobox', { name: ui('features/hub:source.split') }).selectOption('train')
  await preview(page).getByText('Trained text 0').waitFor()
  await create(page)
  await page.getByText(importEnded({ created: 12 })).waitFor()
  expect(complaints()).toEqual([])
  await close()
})

test('a missing subset or split is reported until another one is chosen', async () => {
  addToHub('team/parts')
  const { page, close } = await at('/new/team%2Fparts?subset=nope&split=None')
  await page.getByText(ui('features/hub:source.noSubset', { wanted: 'nope', shown: 'en' })).waitFor()
  expect(await findViolations(page, 'all')).toEqual([])
  await page.getByRole('combobox', { name: ui('features/hub:source.split') }).selectOption('test')
  await preview(page).getByText('Tested text 0').waitFor()
  await partMissing(page).waitFor({ state: 'detached' })
  await page.goto('/new/team%2Fparts?subset=en&split=nope')
  await page.getByText(ui('features/hub:source.noSplit', { wanted: 'nope', shown: 'train' })).waitFor()
  await page.goto('/new/team%2Fparts?subset=None&split=test')
  await preview(page).getByText('Tested text 0').waitFor()
  expect(await partMissing(page).allInnerTexts()).toEqual([])
  await close()
})

test('an import that ended without records is restarted from the same source', async () => {
  addToHub('team/again')
  const { page, close, complaints } = await at('/new/team%2Fagain?split=test')
  await preview(page).getByText('Tested text 0').waitFor()
  const checked = page.waitForResponse((response) => response.url().endsWith('/hub/check'))
  await part(page, 'topic')
    .getByRole('textbox', { name: ui('features/create:part.title') })
    .fill('About what')
  await checked
  // The Hub doesn't respond until the import is canceled.
  team.hub.intercept(() => true)
  await create(page)
  await page.waitForURL(/\/import$/)
  const again = page.getByRole('button', { name: ui('features/create:imports.again') })
  expect(await again.count()).toBe(0)
  const cancel = page.getByRole('button', { name: ui('features/create:cancel') })
  await cancel.focus()
  await page.keyboard.press('Enter')
  await page.getByText(importEnded({ status: 'canceled', created: 0 })).waitFor()
  const heading = page.getByRole('heading', { name: 'team/again (en, test)' })
  await expect.poll(() => heading.evaluate((one) => one === document.activeElement)).toBe(true)
  // The file is not available.
  team.hub.intercept(({ url }, response) => {
    if (!url.pathname.endsWith('.parquet')) return false
    response.writeHead(404).end()
    return true
  })
  await again.click()
  await page.getByText(importEnded({ status: 'failed', created: 0 })).waitFor()
  expect(await findViolations(page, 'all')).toEqual([])
  team.hub.intercept(null)
  await page.reload()
  await again.click()
  await page.getByText(importEnded({ created: 12 })).waitFor()
  await again.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: ui('features/create:imports.annotate') }).click()
  await page
    .getByText(/Tested text/)
    .first()
    .waitFor()
  await page.getByRole('heading', { name: 'About what' }).waitFor()
  expect(complaints()).toEqual([])
  await close()
})

const TOKEN = 'hf_thetokenofsomebody'
const source = (repoId: string) => ({ imported: 'UI', repoId, subset: 'en', split: 'train' })
const seedHubDraft = async (name: string, repoId: string): Promise<string> => {
  const id = await seedDataset(team.server, { name, workspaceId: team.workspaceId, publish: false })
  const mapping = { fields: [{ source: 'text', target: 'text' }], suggestions: [], metadata: [], external_id: null }
  await callAsOwner(team.server, 'PATCH', `/datasets/${id}`, { metadata: { ...source(repoId), mapping } })
  return id
}
type StoredDataset = { readonly guidelines: string | null; readonly metadata: { readonly [key: string]: unknown } }
const datasetOf = (id: string) => callAsOwner<StoredDataset>(team.server, 'GET', `/datasets/${id}`)
const guidelines = (page: Page) => page.getByRole('textbox', { name: ui('features/create:work.guidelines') })

test('a draft can be edited while the Hub does not respond, and shows its rows once it does', async () => {
  addToHub('team/silent')
  const id = await seedHubDraft('silent', 'team/silent')
  team.hub.intercept((_, response) => {
    response.writeHead(502).end()
    return true
  })
  const { page, close } = await at(`/new/${id}`)
  await page.getByRole('alert').getByText(ui('features/hub:source.silent')).waitFor()
  await page.getByText(ui('features/hub:source.later', { name: 'team/silent' })).waitFor()
  expect(await page.getByRole('textbox', { name: ui('features/create:about.name') }).inputValue()).toBe('silent')
  expect(await findViolations(page, 'all')).toEqual([])
  await guidelines(page).fill('Read first.')
  await page.getByRole('button', { name: ui('features/create:bar.saveAgain') }).click()
  await expect.poll(async () => (await datasetOf(id)).guidelines).toBe('Read first.')
  expect((await datasetOf(id)).metadata).toMatchObject(source('team/silent'))
  await part(page, 'Text')
    .getByRole('textbox', { name: ui('features/create:part.title') })
    .fill('What they say')
  team.hub.intercept(null)
  await page.getByRole('button', { name: ui('features/hub:source.retry') }).click()
  await preview(page).getByText('Trained text 0').waitFor()
  expect(await page.getByText(ui('features/hub:source.silent')).count()).toBe(0)
  expect(await guidelines(page).inputValue()).toBe('Read first.')
  // The title was changed after saving and isn't stored yet, so the page asks for confirmation.
  await page.getByRole('link', { name: ui('common:nav.home') }).click()
  await page.getByRole('button', { name: ui('features/create:leave.stay') }).click()
  await create(page)
  await page.getByText(importEnded({ created: 12 })).waitFor()
  await page.getByRole('link', { name: ui('features/create:imports.annotate') }).click()
  await page.getByRole('heading', { name: 'What they say' }).waitFor()
  await close()
})

test('a draft from a private dataset shows its settings, and its rows with a token', async () => {
  team.hub.allow(TOKEN, ['team'])
  const split = { subset: 'en', split: 'train', features, files: [file('Secret')] }
  team.hub.put('team/hidden', [split], { isPrivate: true })
  const { page, close } = await at(`/new/${await seedHubDraft('hidden', 'team/hidden')}`)
  await page.getByText(ui('features/hub:source.missing', { name: 'team/hidden' })).waitFor()
  await part(page, 'Text').waitFor()
  await guidelines(page).fill('Read first.')
  await page.getByLabel(ui('features/hub:token.label')).fill(TOKEN)
  await page.keyboard.press('Enter')
  await preview(page).getByText('Secret text 0').waitFor()
  expect(await guidelines(page).inputValue()).toBe('Read first.')
  await close()
})

test('an ID that was not found can be corrected, comes before the token input, and can be searched again', async () => {
  const { page, close } = await at('/new/team%2Fmendable')
  const missing = page.getByText(ui('features/hub:source.missing', { name: 'team/mendable' }))
  await missing.waitFor()
  const boxes = page.getByRole('main').getByRole('textbox')
  expect(await boxes.first().inputValue()).toBe('team/mendable')
  addToHub('team/mendable')
  await page.getByRole('button', { name: ui('features/hub:start.action') }).click()
  await preview(page).getByText('Trained text 0').waitFor()
  expect(await missing.count()).toBe(0)
  // The preview names no model, because it is unknown whether a model produced the column's values.
  await preview(page).getByText(ui('features/annotate:question.suggested'), { exact: true }).first().waitFor()
  expect(await preview(page).getByText(ui('features/annotate:question.suggestedBy')).count()).toBe(0)
  // A question without a column gets a sample suggestion.
  await page.getByRole('button', { name: ui('features/create:questions.add') }).click()
  await page.getByRole('menuitem', { name: ui('question-types/multi_label_selection:name') }).click()
  const sample = preview(page).getByRole('option', {
    name: uiPattern('question-types/shared:suggestedWithScore', {}, { whole: false }),
  })
  await expect.poll(() => sample.count()).toBe(2)
  await close()
})
