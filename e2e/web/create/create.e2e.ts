import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openPage, violations } from '../../harness/browser.ts'
import { asOwner, givenDataset, givenUser, givenWorkspace, PASSWORD } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { becomes, choose } from '../support/creating.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()
beforeAll(async () => {
  await givenWorkspace(team.server, 'another')
  await givenUser(team.server, 'adam', 'admin', [team.workspaceId])
})

const REVIEWS = [
  'id,review,topic,stars,length',
  'r1,Arrived late but works.,delivery,4,23',
  'r2,Broke after a week.,quality,1,19',
  'r3,Worth the money.,price,5,16',
  'r4,,price,3,0',
  'r5,Cheap and good.,price,5,15',
  'r6,Never came.,delivery,1,11',
].join('\n')

const at = async (path: string, username = 'adam') => {
  const opened = await openPage(team.browser, team.server.url)
  await haveSession(opened.page, team.server.url, username, PASSWORD)
  await opened.page.goto(path)
  return opened
}
const part = (page: Page, title: string) => page.getByRole('listitem', { name: title, exact: true })
const create = (page: Page, name = 'Create and import') => page.getByRole('button', { name }).click()
const preview = (page: Page) => page.getByRole('region', { name: 'As annotators will see it' })
const datasetName = (page: Page) => page.getByRole('textbox', { name: 'Name of the dataset' })

type Item = { readonly [key: string]: unknown } & { readonly id: string; readonly name: string }
const items = async (path: string): Promise<Item[]> => (await asOwner<{ items: Item[] }>(team.server, 'GET', path)).items
const datasetNamed = async (name: string) => (await items('/me/datasets')).find((dataset) => dataset.name === name)
const idIn = (page: Page): string => /dataset\/([^/]+)\//.exec(page.url())?.[1] ?? ''

describe('from a file', () => {
  test('columns become fields, questions and metadata as one says, and the records can be answered', async () => {
    const { page, close, complaints } = await at('/')
    await page.getByRole('link', { name: 'New dataset' }).click()
    await choose(page, 'reviews.csv', REVIEWS)
    await becomes(page, 'review').waitFor()
    await expect.poll(() => datasetName(page).inputValue()).toBe('reviews')
    await expect
      .poll(() => Promise.all(['id', 'review', 'topic', 'stars', 'length'].map((name) => becomes(page, name).inputValue())))
      .toEqual(['id', 'field', 'question', 'question', 'metadata'])
    // The one workspace that there is needs no choice.
    await expect.poll(() => page.getByRole('combobox', { name: 'Workspace' }).inputValue()).toBe(team.workspaceId)
    await page.getByText('1 of 6 rows cannot become a record.').waitFor()
    await page.getByText('Row 4, line 5').waitFor()
    await preview(page).getByText('Arrived late but works.').waitFor()

    await part(page, 'review').getByRole('textbox', { name: 'Title' }).fill('What they wrote')
    await preview(page).getByRole('heading', { name: 'What they wrote' }).waitFor()
    const topic = part(page, 'topic')
    expect(await topic.getByRole('textbox', { name: 'Labels' }).inputValue()).toBe('delivery, quality, price')
    await topic.getByRole('textbox', { name: 'Labels' }).fill('price, quality, delivery, other')
    await preview(page).getByRole('radio', { name: 'other' }).waitFor()
    await becomes(page, 'stars').selectOption('metadata')
    await part(page, 'stars').getByRole('combobox', { name: 'Type' }).selectOption('float')
    await preview(page).getByRole('button', { name: 'Next record' }).click()
    await preview(page).getByText('Broke after a week.').waitFor()

    await create(page)
    await page.waitForURL(/\/import$/)
    await page.getByText('Done: 5 new records, 1 row left out.').waitFor()
    const id = idIn(page)
    expect(await items(`/datasets/${id}/fields`)).toMatchObject([
      { name: 'review', title: 'What they wrote', required: true, settings: { type: 'text' } },
    ])
    expect(await items(`/datasets/${id}/questions`)).toMatchObject([
      { name: 'topic', title: 'topic', required: true, settings: { type: 'label_selection' } },
    ])
    const properties = await items(`/me/datasets/${id}/metadata-properties`)
    expect(properties.map(({ name, settings }) => [name, (settings as { type: string }).type])).toEqual([
      ['length', 'integer'],
      ['stars', 'float'],
    ])
    const records = await items(`/datasets/${id}/records?include=suggestions`)
    expect(records.map(({ external_id }) => external_id)).toEqual(['r1', 'r2', 'r3', 'r5', 'r6'])
    expect(records[0]).toMatchObject({ metadata: { stars: 4, length: 23 }, suggestions: [{ value: 'delivery' }] })

    // What became of the import is told again after a reload, with the rows that were left out.
    await page.reload()
    await page.getByText('Done: 5 new records, 1 row left out.').waitFor()
    const report = await page.request.get(
      new URL((await page.getByRole('link', { name: 'CSV' }).getAttribute('href')) ?? '', page.url()).href,
    )
    expect(await report.text()).toContain('4,5,review,')
    await page.getByRole('link', { name: 'Start annotating' }).click()
    await page.getByRole('button', { name: /Submit/ }).waitFor()
    await page.getByRole('heading', { name: 'What they wrote' }).waitFor()
    expect(complaints()).toEqual([])
    await close()
  })

  test('owners make a workspace for it on the way', async () => {
    const opened = await openPage(team.browser, team.server.url)
    const { page } = opened
    await haveSession(page, team.server.url)
    await page.goto('/new')
    await choose(page, 'letters.csv', REVIEWS)
    await becomes(page, 'review').waitFor()
    await page.getByRole('button', { name: 'New workspace' }).click()
    const name = page.getByRole('textbox', { name: 'Name of the workspace' })
    await name.fill('not a name')
    await page.keyboard.press('Enter')
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true')
    await name.fill('another')
    await page.keyboard.press('Enter')
    await page.getByText('There is a workspace of this name already.').waitFor()
    expect(await violations(page)).toEqual([])
    await name.fill('made-here')
    await page.keyboard.press('Enter')
    const workspace = page.getByRole('combobox', { name: 'Workspace' })
    await workspace.waitFor()
    const made = (await items('/me/workspaces')).find((one) => one.name === 'made-here')
    await expect.poll(() => workspace.inputValue()).toBe(made?.id)
    await expect.poll(() => workspace.evaluate((one) => one === document.activeElement)).toBe(true)
    await create(page)
    await page.waitForURL(/\/dataset\/.*\/import$/)
    expect(await datasetNamed('letters')).toMatchObject({ workspace_id: made?.id })
    expect(opened.complaints()).toEqual([])
    await opened.close()
    // Who may not make one is not offered it.
    const other = await at('/new')
    await choose(other.page, 'more.csv', REVIEWS)
    await becomes(other.page, 'review').waitFor()
    expect(await other.page.getByRole('button', { name: 'New workspace' }).count()).toBe(0)
    await other.close()
  })

  test('an upload can be canceled, and a file that is refused says why and can be followed by another', async () => {
    const { page, close } = await at('/new')
    const isUpload = '**/api/v1/me/imports/files?*'
    // It is on its way for as long as nobody lets it through.
    await page.route(isUpload, () => undefined)
    await choose(page, 'reviews.csv', REVIEWS)
    await page.getByRole('progressbar', { name: 'Upload of reviews.csv' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    await page.unroute(isUpload)
    await choose(page, 'sheet.ods', 'x')
    await page.getByRole('alert').getByText('sheet.ods was not taken: Files of the format "ods"').waitFor()
    await choose(page, 'rows.json', JSON.stringify([{ text: 'One.' }, { text: 'Two.' }]))
    await becomes(page, 'text').waitFor()
    await expect.poll(() => page.getByRole('alert').filter({ hasText: 'sheet.ods' }).count()).toBe(0)
    await close()
  })

  test('what fails half-way leaves nothing behind but the form', async () => {
    const { page, close } = await at('/new')
    await choose(page, 'halves.csv', REVIEWS)
    await part(page, 'topic').getByRole('textbox', { name: 'Title' }).fill('What is it about?')
    // The server never hears of the last step but one.
    await page.route('**/publish', (route) => route.abort())
    await create(page)
    await page.getByRole('alert').getByText("Not created: The server can't be reached").waitFor()
    await expect.poll(() => datasetNamed('halves')).toBeUndefined()
    expect(await part(page, 'What is it about?').getByRole('textbox', { name: 'Title' }).inputValue()).toBe('What is it about?')
    await page.unroute('**/publish')
    await create(page)
    await page.getByText('Done: 5 new records').waitFor()
    expect(await items(`/datasets/${idIn(page)}/questions`)).toMatchObject([{ title: 'What is it about?' }, { name: 'stars' }])
    await close()
  })
})

describe('from nothing', () => {
  test('by keyboard alone, with a span question that follows its field to another name', async () => {
    const { page, close, complaints } = await at('/new')
    await page.getByRole('button', { name: 'Start from nothing' }).focus()
    await page.keyboard.press('Enter')
    // The form begins with the focus in its first input.
    await expect.poll(() => datasetName(page).evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.type('names in letters')
    await expect.poll(() => datasetName(page).inputValue()).toBe('names in letters')
    await page.getByRole('button', { name: 'Add a field' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('[role=menuitem]:focus').waitFor()
    await page.keyboard.press('Enter')
    await part(page, 'text').waitFor()
    await page.getByRole('button', { name: 'Add a question' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('[role=menuitem]:focus').waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    const question = page.getByRole('listitem').filter({ has: page.getByRole('textbox', { name: 'Labels' }) })
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('span')
    await page.keyboard.type('names')
    const marked = question.getByRole('combobox', { name: 'Text field that is marked' })
    await expect.poll(() => marked.inputValue()).toBe('text')
    await page.getByRole('listitem', { name: 'text', exact: true }).getByRole('textbox', { name: 'Name' }).fill('letter')
    await expect.poll(() => marked.inputValue()).toBe('letter')
    await preview(page).getByText('What a record says under “letter” stands here.').waitFor()
    await page.getByRole('button', { name: 'Create dataset' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/import$/)
    // The address changes before the page does: what is chosen too early goes into the form that was left.
    await page.getByRole('heading', { name: 'Import records' }).waitFor()
    const id = idIn(page)
    expect(await items(`/datasets/${id}/questions`)).toMatchObject([
      { name: 'names', settings: { type: 'span', field: 'letter' } },
    ])
    expect(await datasetNamed('names in letters')).toMatchObject({ status: 'ready' })
    await choose(page, 'letters.csv', 'letter\nDear Ada\nDear Bob\n')
    await page.getByRole('button', { name: 'Start the import' }).click()
    await page.getByText('Done: 2 new records.').waitFor()
    expect(complaints()).toEqual([])
    await close()
  })

  test('what is in the way is told where it is, and the first of it gets the focus', async () => {
    await givenDataset(team.server, { name: 'taken', workspaceId: team.workspaceId })
    const { page, close } = await at('/new')
    await page.getByRole('button', { name: 'Start from nothing' }).click()
    await create(page, 'Create dataset')
    await page.getByText('At least one field is needed.').waitFor()
    await page.getByText('At least one question is needed.').waitFor()
    await expect.poll(() => datasetName(page).evaluate((input) => input === document.activeElement)).toBe(true)
    await datasetName(page).fill('taken')
    await page.getByText('A dataset of this workspace has this name.').waitFor()
    for (const _ of [1, 2]) {
      await page.getByRole('button', { name: 'Add a field' }).click()
      await page.getByRole('menuitem', { name: 'Text' }).click()
    }
    await part(page, 'text-2').getByRole('textbox', { name: 'Name' }).fill('text')
    await page.getByText('Another one has this name.').first().waitFor()
    await page.getByRole('button', { name: 'Remove text' }).first().click()
    await expect.poll(() => page.getByText('Another one has this name.').count()).toBe(0)
    await page.getByRole('switch', { name: 'Every record has it' }).uncheck()
    await page.getByText('At least one field has to be in every record.').waitFor()
    await page.getByRole('switch', { name: 'Every record has it' }).check()
    await page.getByRole('button', { name: 'Add a question' }).click()
    await page.getByRole('menuitem', { name: 'Multiple labels' }).click()
    await page.getByRole('textbox', { name: 'Labels' }).fill('one')
    await page.getByText('At least two options are required').waitFor()
    await page.getByText('Some questions are invalid', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Labels' }).fill('one,, two')
    await page.getByText('Empty options are not allowed').waitFor()
    await page.getByRole('textbox', { name: 'Labels' }).fill('one, two')
    await page.getByRole('switch', { name: 'An answer is required' }).uncheck()
    await page.getByText('At least one required question is needed.').waitFor()
    await page.getByRole('switch', { name: 'An answer is required' }).check()
    await datasetName(page).fill('in the way')
    await create(page, 'Create dataset')
    await page.waitForURL(/\/import$/)
    await close()
  })
})

describe('a draft', () => {
  test('is left and taken up again with its file, whose columns are what was made of them', async () => {
    const { page, close, complaints } = await at('/new')
    await choose(page, 'later.csv', REVIEWS)
    await part(page, 'review').getByRole('textbox', { name: 'Name' }).fill('text')
    await page.getByRole('button', { name: 'Remove stars' }).click()
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await page.waitForURL(/\/new\/[0-9a-f-]{36}$/)
    expect(await datasetNamed('later')).toMatchObject({ status: 'draft' })
    // Nothing that is not stored is left: nobody is asked.
    await page.getByRole('link', { name: 'Postil, to your datasets' }).click()
    await page.getByRole('link', { name: 'later' }).click()
    await page.getByRole('heading', { name: 'Draft dataset' }).waitFor()
    expect(await part(page, 'text').getByText('from column').innerText()).toContain('review')
    await part(page, 'topic').getByRole('textbox', { name: 'Description' }).fill('The main one.')
    await page.getByRole('link', { name: 'Postil, to your datasets' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay here' }).click()
    // The file is still kept: nobody has to choose it again.
    await expect.poll(() => becomes(page, 'review').inputValue()).toBe('field')
    await expect.poll(() => becomes(page, 'stars').inputValue()).toBe('none')
    await preview(page).getByText('Arrived late but works.').waitFor()
    await create(page)
    await page.getByText('Done: 5 new records').waitFor()
    const id = idIn(page)
    expect(await datasetNamed('later')).toMatchObject({ id, status: 'ready' })
    expect(await items(`/datasets/${id}/questions`)).toMatchObject([{ name: 'topic', description: 'The main one.' }])
    expect((await items(`/datasets/${id}/records`))[0]).toMatchObject({ fields: { text: 'Arrived late but works.' } })
    await page.goto(`/new/${id}`)
    await page.waitForURL(/annotation-mode/)
    expect(complaints()).toEqual([])
    await close()
  })

  test('that does not exist is not found', async () => {
    const { page, close } = await at('/new/00000000-0000-7000-8000-000000000009')
    await page.getByText('This page could not be found').waitFor()
    await close()
  })
})
