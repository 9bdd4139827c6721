import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findViolations, openPage } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { callAsOwner, PASSWORD, seedDataset, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { choose, chooseRole, importEnded, startDataset } from '../support/creation-form.ts'
import { labelsOf, setLabels } from '../support/label-rows.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()
beforeAll(async () => {
  await seedWorkspace(team.server, 'another')
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
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
  await createSession(opened.page, team.server.url, username, PASSWORD)
  await opened.page.goto(path)
  return opened
}
const part = (page: Page, title: string) => page.getByRole('listitem', { name: title, exact: true })
const create = (page: Page, name = ui('features/create:bar.createAndImport')) => page.getByRole('button', { name }).click()
const preview = (page: Page) => page.getByRole('region', { name: ui('features/create:preview.title') })
const datasetName = (page: Page) => page.getByRole('textbox', { name: ui('features/create:about.name') })

type Item = { readonly [key: string]: unknown } & { readonly id: string; readonly name: string }
const items = async (path: string): Promise<Item[]> => (await callAsOwner<{ items: Item[] }>(team.server, 'GET', path)).items
const datasetNamed = async (name: string) => (await items('/me/datasets')).find((dataset) => dataset.name === name)
const idIn = (page: Page): string => /dataset\/([^/]+)\//.exec(page.url())?.[1] ?? ''

describe('from a file', () => {
  detail('pairs of responses are proposed as a comparison, with a free name, and can be created at once', async () => {
    await seedDataset(team.server, { name: 'pairs', workspaceId: team.workspaceId })
    const { page, close, complaints } = await at('/new')
    const rows = [1, 2].map((i) => ({ prompt: `Question ${i}`, chosen: `Good ${i}`, rejected: `Bad ${i}` }))
    await choose(page, 'pairs.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'))
    await chooseRole(page, 'preferred').waitFor()
    expect(await datasetName(page).inputValue()).toBe('pairs-2')
    await preview(page).getByText('Good 1').first().waitFor()
    expect(await findViolations(page)).toEqual([])
    await create(page)
    await page.getByText(importEnded({ created: 2 })).waitFor()
    const [question] = await items(`/datasets/${idIn(page)}/questions`)
    expect(question?.['settings']).toMatchObject({
      postil_kind: 'comparison',
      compare: { options: { chosen: 'chosen', rejected: 'rejected' }, swap: true },
    })
    expect(complaints()).toEqual([])
    await close()
  })

  test('columns become fields, questions and metadata as chosen, and the records can be answered', async () => {
    const { page, close, complaints } = await at('/')
    await startDataset(page, 'file')
    const fileButton = page.getByRole('button', { name: ui('features/create:file.choose') })
    await expect.poll(() => fileButton.evaluate((button) => button === document.activeElement)).toBe(true)
    await choose(page, 'reviews.csv', REVIEWS)
    await chooseRole(page, 'review').waitFor()
    await expect.poll(() => datasetName(page).inputValue()).toBe('reviews')
    await expect
      .poll(() => Promise.all(['id', 'review', 'topic', 'stars', 'length'].map((name) => chooseRole(page, name).inputValue())))
      .toEqual(['id', 'field', 'question', 'question', 'metadata'])
    // The only workspace is preselected.
    await expect
      .poll(() => page.getByRole('combobox', { name: ui('features/create:about.workspace') }).inputValue())
      .toBe(team.workspaceId)
    await page.getByText(ui('features/create:check.badOfAll', { count: 1, rows: '6' })).waitFor()
    await page.getByText(ui('features/create:check.row', { row: '4', line: '5' })).waitFor()
    await preview(page).getByText('Arrived late but works.').waitFor()

    await part(page, 'review')
      .getByRole('textbox', { name: ui('features/create:part.title') })
      .fill('What they wrote')
    await preview(page).getByRole('heading', { name: 'What they wrote' }).waitFor()
    const topic = part(page, 'topic')
    expect(await labelsOf(topic)).toEqual(['delivery', 'quality', 'price'])
    await setLabels(topic, ['price', 'quality', 'delivery', 'other'])
    await preview(page).getByRole('radio', { name: 'other' }).waitFor()
    await chooseRole(page, 'stars').selectOption('metadata')
    await part(page, 'stars')
      .getByRole('combobox', { name: ui('features/create:part.type') })
      .selectOption('float')
    await preview(page)
      .getByRole('button', { name: ui('features/create:preview.next') })
      .click()
    await preview(page).getByText('Broke after a week.').waitFor()

    await create(page)
    await page.waitForURL(/\/import$/)
    await page.getByText(importEnded({ created: 5, failed: 1 })).waitFor()
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

    await page.reload()
    await page.getByText(importEnded({ created: 5, failed: 1 })).waitFor()
    const report = await page.request.get(
      new URL((await page.getByRole('link', { name: 'CSV' }).getAttribute('href')) ?? '', page.url()).href,
    )
    expect(await report.text()).toContain('4,5,review,')
    await page.getByRole('link', { name: ui('features/create:imports.annotate') }).click()
    await page.getByRole('button', { name: ui('features/annotate:action.submit') }).waitFor()
    await page.getByRole('heading', { name: 'What they wrote' }).waitFor()
    expect(complaints()).toEqual([])
    await close()
  })

  detail('owners can create a workspace in the same form', async () => {
    const opened = await openPage(team.browser, team.server.url)
    const { page } = opened
    await createSession(page, team.server.url)
    await page.goto('/new')
    await choose(page, 'letters.csv', REVIEWS)
    await chooseRole(page, 'review').waitFor()
    await page.getByRole('button', { name: ui('features/create:workspace.new') }).click()
    const name = page.getByRole('textbox', { name: ui('features/create:workspace.name') })
    await name.fill('not a name')
    await page.keyboard.press('Enter')
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true')
    await name.fill('another')
    await page.keyboard.press('Enter')
    await page.getByText(ui('features/create:workspace.taken')).waitFor()
    expect(await findViolations(page)).toEqual([])
    await name.fill('made-here')
    await page.keyboard.press('Enter')
    const workspace = page.getByRole('combobox', { name: ui('features/create:about.workspace') })
    await workspace.waitFor()
    const made = (await items('/me/workspaces')).find((one) => one.name === 'made-here')
    await expect.poll(() => workspace.inputValue()).toBe(made?.id)
    await expect.poll(() => workspace.evaluate((one) => one === document.activeElement)).toBe(true)
    await create(page)
    await page.waitForURL(/\/dataset\/.*\/import$/)
    expect(await datasetNamed('letters')).toMatchObject({ workspace_id: made?.id })
    expect(opened.complaints()).toEqual([])
    await opened.close()
    const other = await at('/new')
    await choose(other.page, 'more.csv', REVIEWS)
    await chooseRole(other.page, 'review').waitFor()
    expect(await other.page.getByRole('button', { name: ui('features/create:workspace.new') }).count()).toBe(0)
    await other.close()
  })

  detail('an upload can be canceled, and a refused file shows the reason and can be replaced', async () => {
    const { page, close } = await at('/new')
    const isUpload = '**/api/v1/me/imports/files?*'
    await page.route(isUpload, () => undefined)
    await choose(page, 'reviews.csv', REVIEWS)
    await page.getByRole('progressbar', { name: ui('features/create:file.progress', { name: 'reviews.csv' }) }).waitFor()
    await page.getByRole('button', { name: ui('features/create:cancel') }).click()
    await page.getByRole('button', { name: ui('features/create:file.choose') }).waitFor()
    await page.unroute(isUpload)
    await choose(page, 'sheet.ods', 'x')
    await page
      .getByRole('alert')
      .getByText(
        uiPattern('features/create:file.refused', {
          name: 'sheet.ods',
          reason: uiPattern(
            'features/refusals:refusal.unknownFormat',
            { format: ui('features/refusals:quoted', { name: 'ods' }) },
            { whole: false },
          ),
        }),
      )
      .waitFor()
    await choose(page, 'rows.json', JSON.stringify([{ text: 'One.' }, { text: 'Two.' }]))
    await chooseRole(page, 'text').waitFor()
    await expect.poll(() => page.getByRole('alert').filter({ hasText: 'sheet.ods' }).count()).toBe(0)
    await close()
  })

  detail('a failure halfway leaves nothing behind except the form', async () => {
    const { page, close } = await at('/new')
    await choose(page, 'halves.csv', REVIEWS)
    await part(page, 'topic')
      .getByRole('textbox', { name: ui('features/create:part.title') })
      .fill('What is it about?')
    // The publish request never reaches the server.
    await page.route('**/publish', (route) => route.abort())
    await create(page)
    await page
      .getByRole('alert')
      .getByText(ui('features/create:bar.failed', { problem: ui('common:validations.http.unreachable.message') }))
      .waitFor()
    await expect.poll(() => datasetNamed('halves')).toBeUndefined()
    expect(
      await part(page, 'What is it about?')
        .getByRole('textbox', { name: ui('features/create:part.title') })
        .inputValue(),
    ).toBe('What is it about?')
    await page.unroute('**/publish')
    await create(page)
    await page.getByText(importEnded({ created: 5, failed: 1 })).waitFor()
    expect(await items(`/datasets/${idIn(page)}/questions`)).toMatchObject([{ title: 'What is it about?' }, { name: 'stars' }])
    await close()
  })
})

describe('from scratch', () => {
  test('works by keyboard alone, with a span question that follows its renamed field', async () => {
    const { page, close, complaints } = await at('/new')
    await page.getByRole('button', { name: ui('features/create:start.nothingAction') }).focus()
    await page.keyboard.press('Enter')
    // The form opens with the focus in its first input.
    await expect.poll(() => datasetName(page).evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.type('names in letters')
    await expect.poll(() => datasetName(page).inputValue()).toBe('names in letters')
    await page.getByRole('button', { name: ui('features/create:fields.add') }).focus()
    await page.keyboard.press('Enter')
    await page.locator('[role=menuitem]:focus').waitFor()
    await page.keyboard.press('Enter')
    await part(page, 'text').waitFor()
    await page.getByRole('button', { name: ui('features/create:questions.add') }).focus()
    await page.keyboard.press('Enter')
    await page.locator('[role=menuitem]:focus').waitFor()
    while (!(await page.locator('[role=menuitem]:focus').innerText()).includes(ui('question-types/span:name'))) {
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    const question = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('list', { name: ui('question-types/shared/options:options.title') }) })
    await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe('span')
    await page.keyboard.type('names')
    const marked = question.getByRole('combobox', { name: ui('question-types/span:field') })
    await expect.poll(() => marked.inputValue()).toBe('text')
    await page
      .getByRole('listitem', { name: 'text', exact: true })
      .getByRole('textbox', { name: ui('features/create:part.name') })
      .fill('letter')
    await expect.poll(() => marked.inputValue()).toBe('letter')
    await preview(page)
      .getByText(ui('features/create:preview.sample', { title: 'letter' }))
      .waitFor()
    await page.getByRole('button', { name: ui('features/create:bar.create') }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/import$/)
    // The address changes before the page does. A file that is chosen too early would go to the previous form.
    await page.getByRole('heading', { name: ui('features/create:imports.title') }).waitFor()
    const id = idIn(page)
    expect(await items(`/datasets/${id}/questions`)).toMatchObject([
      { name: 'names', settings: { type: 'span', field: 'letter' } },
    ])
    expect(await datasetNamed('names in letters')).toMatchObject({ status: 'ready' })
    await choose(page, 'letters.csv', 'letter\nDear Ada\nDear Bob\n')
    await page.getByRole('button', { name: ui('features/create:imports.start') }).click()
    await page.getByText(importEnded({ created: 2 })).waitFor()
    expect(complaints()).toEqual([])
    await close()
  })

  detail('faults are shown at their inputs, and the first one gets the focus', async () => {
    await seedDataset(team.server, { name: 'taken', workspaceId: team.workspaceId })
    const { page, close } = await at('/new')
    await page.getByRole('button', { name: ui('features/create:start.nothingAction') }).click()
    await create(page, ui('features/create:bar.create'))
    await page.getByText(ui('features/create:fault.atLeastOneField')).waitFor()
    await page.getByText(ui('features/create:fault.atLeastOneQuestion')).waitFor()
    await expect.poll(() => datasetName(page).evaluate((input) => input === document.activeElement)).toBe(true)
    await datasetName(page).fill('taken')
    await page.getByText(ui('features/create:fault.taken')).waitFor()
    for (const _ of [1, 2]) {
      await page.getByRole('button', { name: ui('features/create:fields.add') }).click()
      await page.getByRole('menuitem', { name: ui('field-types/text:name') }).click()
    }
    await part(page, 'text-2')
      .getByRole('textbox', { name: ui('features/create:part.name') })
      .fill('text')
    await page.getByText(ui('features/create:fault.twice')).first().waitFor()
    await page
      .getByRole('button', { name: ui('features/create:part.remove', { name: 'text' }) })
      .first()
      .click()
    await expect.poll(() => page.getByText(ui('features/create:fault.twice')).count()).toBe(0)
    await page.getByRole('switch', { name: ui('features/create:fields.required') }).uncheck()
    await page.getByText(ui('features/create:fault.atLeastOneRequiredField')).waitFor()
    await page.getByRole('switch', { name: ui('features/create:fields.required') }).check()
    await page.getByRole('button', { name: ui('features/create:questions.add') }).click()
    await page.getByRole('menuitem', { name: ui('question-types/multi_label_selection:name') }).click()
    await setLabels(page, ['one'])
    await page.getByText(ui('question-types/shared/options:fault.atLeastTwo')).waitFor()
    await page.getByText(ui('features/create:fault.hasInvalidQuestions'), { exact: true }).waitFor()
    await setLabels(page, ['one', 'one'])
    await page.getByText(ui('question-types/shared/options:options.twice', { label: 'one' })).waitFor()
    await setLabels(page, ['one', '', 'two'])
    await page.getByRole('switch', { name: ui('features/create:questions.required') }).uncheck()
    await page.getByText(ui('features/create:fault.atLeastOneRequired')).waitFor()
    await page.getByRole('switch', { name: ui('features/create:questions.required') }).check()
    await datasetName(page).fill('in the way')
    await create(page, ui('features/create:bar.create'))
    await page.waitForURL(/\/import$/)
    await close()
  })
})

describe('a draft', () => {
  detail('is reopened with its file and the choices for its columns', async () => {
    const { page, close, complaints } = await at('/new')
    await choose(page, 'later.csv', REVIEWS)
    await part(page, 'review')
      .getByRole('textbox', { name: ui('features/create:part.name') })
      .fill('text')
    await page.getByRole('button', { name: ui('features/create:part.remove', { name: 'stars' }) }).click()
    await page.getByRole('button', { name: ui('features/create:bar.save') }).click()
    await page.waitForURL(/\/new\/[0-9a-f-]{36}$/)
    expect(await datasetNamed('later')).toMatchObject({ status: 'draft' })
    // Everything is stored, so the page doesn't ask before the user leaves.
    await page.getByRole('link', { name: ui('common:nav.toHome') }).click()
    await page.getByRole('link', { name: 'later' }).click()
    await page.getByRole('heading', { name: ui('features/create:titleOfDraft') }).waitFor()
    expect(await part(page, 'text').getByText(ui('features/create:part.fromColumn')).innerText()).toContain('review')
    await part(page, 'topic')
      .getByRole('textbox', { name: ui('features/create:questions.description') })
      .fill('The main one.')
    await page.getByRole('link', { name: ui('common:nav.toHome') }).click()
    await page
      .getByRole('dialog', { name: ui('features/create:leave.title') })
      .getByRole('button', { name: ui('features/create:leave.stay') })
      .click()
    await expect.poll(() => chooseRole(page, 'review').inputValue()).toBe('field')
    await expect.poll(() => chooseRole(page, 'stars').inputValue()).toBe('none')
    await preview(page).getByText('Arrived late but works.').waitFor()
    await create(page)
    await page.getByText(importEnded({ created: 5, failed: 1 })).waitFor()
    const id = idIn(page)
    expect(await datasetNamed('later')).toMatchObject({ id, status: 'ready' })
    expect(await items(`/datasets/${id}/questions`)).toMatchObject([{ name: 'topic', description: 'The main one.' }])
    expect((await items(`/datasets/${id}/records`))[0]).toMatchObject({ fields: { text: 'Arrived late but works.' } })
    await page.goto(`/new/${id}`)
    await page.waitForURL(/annotation-mode/)
    expect(complaints()).toEqual([])
    await close()
  })

  detail('that does not exist is not found', async () => {
    const { page, close } = await at('/new/00000000-0000-7000-8000-000000000009')
    await page.getByText(ui('common:error.notFound')).waitFor()
    await close()
  })
})
