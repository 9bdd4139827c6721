import { parquetWriteBuffer } from 'hyparquet-writer'
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { openPage, violations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { asOwner, givenDataset, givenUser, PASSWORD } from '../ground/given.ts'
import { setUpTeamWithHub } from '../ground/hub.ts'
import { becomes } from '../support/creating.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeamWithHub()
beforeAll(() => givenUser(team.server, 'adam', 'admin', [team.workspaceId]))
afterEach(() => team.hub.meddle(null))

const string = { dtype: 'string', _type: ui('features/annotate:filters.part.value') }
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
const put = (name: string) =>
  team.hub.put(name, [
    { subset: 'en', split: 'train', features, files: [file('Trained')] },
    { subset: 'en', split: 'test', features: { ...features, note: string }, files: [file('Tested', ['note'])] },
  ])
const at = async (path: string) => {
  const opened = await openPage(team.browser, team.server.url)
  await haveSession(opened.page, team.server.url, 'adam', PASSWORD)
  await opened.page.goto(path)
  return opened
}
const create = (page: Page) => page.getByRole('button', { name: ui('features/create:bar.createAndImport') }).click()
const part = (page: Page, title: string) => page.getByRole('listitem', { name: title, exact: true })
const preview = (page: Page) => page.getByRole('region', { name: ui('features/create:preview.title') })
const become = (page: Page, column: string, role: string) => expect.poll(() => becomes(page, column).inputValue()).toBe(role)

test('another split keeps what was made of the columns that it has too', async () => {
  put('team/splits')
  const { page, close, complaints } = await at('/new/team%2Fsplits')
  await preview(page).getByText('Trained text 0').waitFor()
  await page.getByRole('textbox', { name: ui('features/create:about.name') }).fill('of my own')
  await part(page, 'text')
    .getByRole('textbox', { name: ui('features/create:part.title') })
    .fill('What they say')
  await becomes(page, 'topic').selectOption('metadata')
  await page.getByRole('button', { name: ui('features/create:questions.add') }).click()
  await page.getByRole('menuitem', { name: 'Text' }).click()
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
  await becomes(page, 'note').waitFor({ state: 'detached' })
  await become(page, 'topic', 'metadata')
  expect(await page.getByRole('button', { name: /^Remove / }).count()).toBe(3)
  // So does a draft that is taken up again.
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
  await page.getByText('Done: 12 new records.').waitFor()
  expect(complaints()).toEqual([])
  await close()
})

test('a part that the hub does not have is told, until another one is chosen', async () => {
  put('team/parts')
  const { page, close } = await at('/new/team%2Fparts?subset=nope&split=None')
  await page.getByText(ui('features/hub:source.noSubset', { wanted: 'nope', shown: 'en' })).waitFor()
  expect(await violations(page, 'all')).toEqual([])
  await page.getByRole('combobox', { name: ui('features/hub:source.split') }).selectOption('test')
  await preview(page).getByText('Tested text 0').waitFor()
  await page.getByText(/There is no (subset|split)/).waitFor({ state: 'detached' })
  await page.goto('/new/team%2Fparts?subset=en&split=nope')
  await page.getByText(ui('features/hub:source.noSplit', { wanted: 'nope', shown: 'train' })).waitFor()
  await page.goto('/new/team%2Fparts?subset=None&split=test')
  await preview(page).getByText('Tested text 0').waitFor()
  expect(await page.getByText(/There is no (subset|split)/).allInnerTexts()).toEqual([])
  await close()
})

test('an import that ended with nothing is begun again from where it was to come', async () => {
  put('team/again')
  const { page, close, complaints } = await at('/new/team%2Fagain?split=test')
  await preview(page).getByText('Tested text 0').waitFor()
  const checked = page.waitForResponse((response) => response.url().endsWith('/hub/check'))
  await part(page, 'topic')
    .getByRole('textbox', { name: ui('features/create:part.title') })
    .fill(ui('features/annotate:question.about', { title: 'what' }))
  await checked
  // The hub is silent until the import is canceled.
  team.hub.meddle(() => true)
  await create(page)
  await page.waitForURL(/\/import$/)
  const again = page.getByRole('button', { name: ui('features/create:imports.again') })
  expect(await again.count()).toBe(0)
  const cancel = page.getByRole('button', { name: ui('features/create:cancel') })
  await cancel.focus()
  await page.keyboard.press('Enter')
  await page.getByText('Canceled: 0 new records.').waitFor()
  const heading = page.getByRole('heading', { name: 'team/again (en, test)' })
  await expect.poll(() => heading.evaluate((one) => one === document.activeElement)).toBe(true)
  // The file is not to be had.
  team.hub.meddle(({ url }, response) => {
    if (!url.pathname.endsWith('.parquet')) return false
    response.writeHead(404).end()
    return true
  })
  await again.click()
  await page.getByText('Ended early: 0 new records.').waitFor()
  expect(await violations(page, 'all')).toEqual([])
  team.hub.meddle(null)
  await page.reload()
  await again.click()
  await page.getByText('Done: 12 new records.').waitFor()
  await again.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: ui('features/create:imports.annotate') }).click()
  await page
    .getByText(/Tested text/)
    .first()
    .waitFor()
  await page.getByRole('heading', { name: ui('features/annotate:question.about', { title: 'what' }) }).waitFor()
  expect(complaints()).toEqual([])
  await close()
})

const TOKEN = 'hf_thetokenofsomebody'
const source = (repoId: string) => ({ imported: 'UI', repoId, subset: 'en', split: 'train' })
const givenHubDraft = async (name: string, repoId: string): Promise<string> => {
  const id = await givenDataset(team.server, { name, workspaceId: team.workspaceId, publish: false })
  const mapping = { fields: [{ source: 'text', target: 'text' }], suggestions: [], metadata: [], external_id: null }
  await asOwner(team.server, 'PATCH', `/datasets/${id}`, { metadata: { ...source(repoId), mapping } })
  return id
}
type Kept = { readonly guidelines: string | null; readonly metadata: { readonly [key: string]: unknown } }
const datasetOf = (id: string) => asOwner<Kept>(team.server, 'GET', `/datasets/${id}`)
const guidelines = (page: Page) => page.getByRole('textbox', { name: ui('features/create:work.guidelines') })

test('a draft can be gone on with while the hub is silent, and has its rows when it speaks again', async () => {
  put('team/silent')
  const id = await givenHubDraft('silent', 'team/silent')
  team.hub.meddle((_, response) => {
    response.writeHead(502).end()
    return true
  })
  const { page, close } = await at(`/new/${id}`)
  await page.getByRole('alert').getByText('The hub does not answer as it should.').waitFor()
  await page.getByText('The columns of team/silent come back when the hub shows it.').waitFor()
  expect(await page.getByRole('textbox', { name: ui('features/create:about.name') }).inputValue()).toBe('silent')
  expect(await violations(page, 'all')).toEqual([])
  await guidelines(page).fill('Read first.')
  await page.getByRole('button', { name: ui('features/create:bar.saveAgain') }).click()
  await expect.poll(async () => (await datasetOf(id)).guidelines).toBe('Read first.')
  expect((await datasetOf(id)).metadata).toMatchObject(source('team/silent'))
  await part(page, 'Text')
    .getByRole('textbox', { name: ui('features/create:part.title') })
    .fill('What they say')
  team.hub.meddle(null)
  await page.getByRole('button', { name: ui('features/hub:source.retry') }).click()
  await preview(page).getByText('Trained text 0').waitFor()
  expect(await page.getByText('The hub does not answer as it should.').count()).toBe(0)
  expect(await guidelines(page).inputValue()).toBe('Read first.')
  // What was changed meanwhile is not stored yet, and leaving says so.
  await page.getByRole('link', { name: ui('common:nav.home') }).click()
  await page.getByRole('button', { name: ui('features/create:leave.stay') }).click()
  await create(page)
  await page.getByText('Done: 12 new records.').waitFor()
  await page.getByRole('link', { name: ui('features/create:imports.annotate') }).click()
  await page.getByRole('heading', { name: 'What they say' }).waitFor()
  await close()
})

test('a draft of a dataset that is private shows what it is, and its rows with a token', async () => {
  team.hub.allow(TOKEN, ['team'])
  const split = { subset: 'en', split: 'train', features, files: [file(ui('features/administration:webhooks.secret'))] }
  team.hub.put('team/hidden', [split], { isPrivate: true })
  const { page, close } = await at(`/new/${await givenHubDraft('hidden', 'team/hidden')}`)
  await page.getByText(ui('features/hub:source.missing', { name: 'team/hidden' })).waitFor()
  await part(page, 'Text').waitFor()
  await guidelines(page).fill('Read first.')
  await page.getByLabel(ui('features/hub:token.label')).fill(TOKEN)
  await page.keyboard.press('Enter')
  await preview(page).getByText('Secret text 0').waitFor()
  expect(await guidelines(page).inputValue()).toBe('Read first.')
  await close()
})

test('an id that led to nothing stands there to be mended, before the place for a token, and can be looked for again', async () => {
  const { page, close } = await at('/new/team%2Fmendable')
  const missing = page.getByText(ui('features/hub:source.missing', { name: 'team/mendable' }))
  await missing.waitFor()
  const boxes = page.getByRole('main').getByRole('textbox')
  expect(await boxes.first().inputValue()).toBe('team/mendable')
  put('team/mendable')
  await page.getByRole('button', { name: ui('features/hub:start.action') }).click()
  await preview(page).getByText('Trained text 0').waitFor()
  expect(await missing.count()).toBe(0)
  // Nobody knows whether the values of a column are those of a model.
  await preview(page).getByText('suggested', { exact: true }).first().waitFor()
  expect(await preview(page).getByText('a model').count()).toBe(0)
  await close()
})
