import { detail } from '@postil/testkit/detail.ts'
import { type StandInModel, startStandInModel } from '@postil/testkit/stand-in-model.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations, openBrowser, openPage, PHONE } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { type UiKey, ui, uiPattern } from '../../harness/ui-text.ts'
import { callAsOwner, PASSWORD, seedDataset, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { createSession } from '../support/sign-in.ts'

const KEY = 'sk-of-the-tests'

let server: RunningServer
let browser: Browser
let model: StandInModel
beforeAll(async () => {
  model = await startStandInModel({ key: KEY })
  ;[server, browser] = await Promise.all([startServer({ env: { POSTIL_MODELS_ALLOW_PRIVATE: 'true' } }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await model?.close()
})

const text = (key: string, values = {}) => ui(`features/models:${key}` as UiKey, values)
const openAt = async (path: string, options = {}) => {
  const opened = await openPage(browser, server.url, options)
  await createSession(opened.page, server.url)
  await opened.page.goto(path)
  return opened
}
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

type Alignment = { readonly questions: readonly { readonly equal: number; readonly records: number }[] }
type Suggestion = { readonly value: string; readonly agent: string }

/**
 * Creates a dataset with final answers. The text of each record contains the correct label. The model is wrong about every fourth
 * record.
 */
const seedReviewed = async (name: string, records: number) => {
  const workspaceId = await seedWorkspace(server, name)
  const dataset = await seedDataset(server, { name, workspaceId })
  const questions = await callAsOwner<{ items: readonly { settings: { options: readonly { value: string }[] } }[] }>(
    server,
    'GET',
    `/datasets/${dataset}/questions`,
  )
  const [yes = '', no = ''] = questions.items[0]?.settings.options.map(({ value }) => value) ?? []
  const labelOf = (i: number) => (i % 3 === 0 ? no : yes)
  const items = Array.from({ length: records }, (_, i) => ({
    fields: { text: `The text number ${i} is about ${labelOf(i)}.${i % 4 === 0 ? ' [[wrong]]' : ''}` },
  }))
  const made = await callAsOwner<{ items: readonly { id: string }[] }>(server, 'POST', `/datasets/${dataset}/records/bulk`, {
    items,
  })
  for (const [i, { id }] of made.items.entries())
    await callAsOwner(server, 'PUT', `/records/${id}/gold`, {
      mutation_id: crypto.randomUUID(),
      base_version: null,
      values: { label: { value: labelOf(i), source: 'adjudicated' } },
    })
  return { workspaceId, dataset, ids: made.items.map(({ id }) => id) }
}

test('a lead connects a model, previews a record, runs it, compares it with people, publishes it and undoes this', async () => {
  const { dataset, ids } = await seedReviewed('reviews', 40)
  const { page, context } = await openAt(`/dataset/${dataset}/overview`)
  const tabs = page.getByRole('navigation', { name: ui('common:dataset.tabs') })
  await tabs.getByRole('link', { name: ui('common:dataset.models') }).click()
  await page.getByText(text('localHint')).waitFor()
  expect(await findViolations(page)).toEqual([])

  await button(page, text('connections.add')).click()
  await page.getByLabel(text('connections.name')).fill('Stand-in')
  await page.getByLabel(text('connections.url')).fill(model.url)
  await page.getByLabel(text('connections.model'), { exact: true }).fill('small')
  await page.getByLabel(text('connections.key'), { exact: true }).fill('wrong')
  await page.getByLabel(text('connections.inputPrice')).fill('1000')
  await page.getByLabel(text('connections.outputPrice')).fill('2000')
  await button(page, text('connections.addVerb')).click()
  const check = button(page, text('connections.checkOf', { name: 'Stand-in' }))
  await check.click()
  await page.getByRole('status').filter({ hasText: '401' }).waitFor()
  await button(page, text('connections.editOf', { name: 'Stand-in' })).click()
  await page.getByLabel(text('connections.key'), { exact: true }).fill(KEY)
  await button(page, text('save')).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await check.click()
  await page.getByText(uiPattern('features/models:connections.answered', { ms: /\d+/ })).waitFor()
  expect(await page.content()).not.toContain(KEY)

  await button(page, text('runs.new')).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('region', { name: text('preview.prompt') })
    .getByText('The text number 0')
    .waitFor()
  await dialog.getByLabel(text('form.prompt'), { exact: true }).fill('Judge carefully.\n{{questions}}\nRecord:\n{{fields}}')
  await dialog
    .getByRole('region', { name: text('preview.prompt') })
    .getByText('Judge carefully.')
    .waitFor()
  const before = model.asked.length
  await button(page, text('preview.ask')).click()
  await dialog
    .getByRole('region', { name: text('preview.answer') })
    .getByText('"label"')
    .waitFor()
  expect(model.asked).toHaveLength(before + 1)
  expect(await findViolations(page)).toEqual([])
  await dialog.getByLabel(text('form.prompt'), { exact: true }).fill('Nothing about the record')
  await dialog.getByText(text('form.promptFault', { part: '{{fields}}' })).waitFor()
  await dialog.getByLabel(text('form.prompt'), { exact: true }).fill('Record:\n{{fields}}')
  await dialog.getByLabel(text('form.cap')).fill('1000')
  await button(page, text('form.start')).click()

  const publish = button(page, text('run.publish', { count: 40, shown: '40' }))
  await publish.waitFor({ timeout: 60_000 })
  await page.getByText(text('run.records', { done: '40', total: '40' })).waitFor()
  await page.getByRole('region', { name: text('results.confusion') }).waitFor()
  const id = new URL(page.url()).searchParams.get('run')
  const { questions } = await callAsOwner<Alignment>(server, 'GET', `/model-runs/${id}/alignment`)
  await page.getByText(`(${questions[0]?.equal} of ${questions[0]?.records})`).waitFor()
  const shown = page.getByRole('button', { name: /disagreement/ })
  await shown.click()
  const disagreements = page.getByRole('region', { name: text('disagreements.title') }).getByRole('row')
  await disagreements.nth(1).waitFor()
  expect(await findViolations(page)).toEqual([])

  await button(page, text('results.lookAtTest')).click()
  await page.getByText(text('results.looks', { run: '1', dataset: '1' })).waitFor()

  await publish.click()
  await button(page, text('run.unpublish')).waitFor({ timeout: 60_000 })
  const suggestions = () => callAsOwner<{ items: readonly Suggestion[] }>(server, 'GET', `/records/${ids[1]}/suggestions`)
  expect((await suggestions()).items).toMatchObject([{ agent: 'assistant/v1' }])
  await button(page, text('run.unpublish')).click()
  await publish.waitFor({ timeout: 60_000 })
  expect((await suggestions()).items).toEqual([])

  await page.getByRole('link', { name: text('run.back') }).click()
  const results = page.getByRole('region', { name: text('results.title') })
  await results.getByText('assistant/v1').waitFor()
  await page.getByRole('link', { name: 'assistant/v1' }).first().click()
  await page.getByRole('button', { name: /disagreement/ }).click()
  await disagreements.getByRole('link').first().click()
  await page.waitForURL(/\/records/)
  await context.close()
})

detail('the page fits a phone and the dark theme, in German too', async () => {
  const { dataset, workspaceId } = await seedReviewed('telefon', 24)
  const connection = await callAsOwner(server, 'POST', `/workspaces/${workspaceId}/model-connections`, {
    name: 'Stand-in',
    base_url: model.url,
    model: 'small',
    api_key: KEY,
  })
  const body = { connection_id: connection.id, name: 'judge', questions: ['label'], samples: 2 }
  const { id } = await callAsOwner(server, 'POST', `/datasets/${dataset}/model-runs`, body)
  const { page, context } = await openAt(`/dataset/${dataset}/models`, { ...PHONE, theme: 'dark', language: 'de' })
  const german = (key: string, values = {}) => ui(`features/models:${key}` as UiKey, values, 'de')
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  await page.getByText(german('state.finished')).first().waitFor({ timeout: 60_000 })
  await page
    .getByRole('region', { name: german('results.title') })
    .getByText('judge/v1')
    .waitFor()
  expect(await width()).toBe(390)
  expect(await findViolations(page)).toEqual([])
  await page.goto(`/dataset/${dataset}/models?run=${id}`)
  await page.getByRole('region', { name: german('results.confusion') }).waitFor()
  expect(await width()).toBe(390)
  expect(await findViolations(page)).toEqual([])
  await page.goto(`/dataset/${dataset}/models`)
  await button(page, german('runs.new')).click()
  await page.getByRole('region', { name: german('preview.prompt') }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await context.close()
})

/**
 * Creates a dataset with three records, each with two texts to compare. In the first record, one text is better. @returns its ID
 */
const seedComparison = async (workspaceId: string): Promise<string> => {
  const call = (method: string, path: string, body = {}) => callAsOwner(server, method, path, body)
  const { id } = await call('POST', '/datasets', { name: 'pairs', workspace_id: workspaceId })
  for (const name of ['a', 'b'])
    await call('POST', `/datasets/${id}/fields`, { name, title: name, required: true, settings: { type: 'text' } })
  const options = ['a', 'b'].map((value) => ({ value, text: value }))
  const settings = { type: 'label_selection', postil_kind: 'comparison', options, compare: { options: { a: 'a', b: 'b' } } }
  await call('POST', `/datasets/${id}/questions`, { name: 'better', title: 'Which is better?', required: true, settings })
  await call('PUT', `/datasets/${id}/publish`)
  const items = ['one [[best]]', 'two', 'three'].map((a) => ({ fields: { a, b: `not ${a.slice(0, 3)}` } }))
  await call('POST', `/datasets/${id}/records/bulk`, { items })
  return id
}

detail('a lead asks about comparisons in both orders, and sees which position the model prefers', async () => {
  const workspaceId = await seedWorkspace(server, 'pairs')
  const dataset = await seedComparison(workspaceId)
  await callAsOwner(server, 'POST', `/workspaces/${workspaceId}/model-connections`, {
    name: 'Stand-in',
    base_url: model.url,
    model: 'small',
    api_key: KEY,
  })
  const { page, context } = await openAt(`/dataset/${dataset}/models`)
  await button(page, text('runs.new')).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('switch', { name: text('form.bothOrders') }).click()
  expect(await findViolations(page)).toEqual([])
  await button(page, text('form.start')).click()
  const interval = text('results.rate', { low: '6.1%', high: '79.2%', n: '3' })
  const found = text('results.positionOf', { same: '33.3%', interval, first: '2', second: '0', p: '0.5' })
  await page.getByText(found).waitFor({ timeout: 60_000 })
  expect(await findViolations(page)).toEqual([])
  // The next run starts with the same setup.
  await page.getByRole('link', { name: text('run.back') }).click()
  await button(page, text('runs.new')).click()
  expect(await dialog.getByRole('switch', { name: text('form.bothOrders') }).isChecked()).toBe(true)
  await context.close()
})

detail('annotators do not find the page', async () => {
  const { dataset, workspaceId } = await seedReviewed('hidden', 1)
  await seedUser(server, 'ann', 'annotator', [workspaceId])
  const { page, context } = await openPage(browser, server.url)
  await createSession(page, server.url, 'ann', PASSWORD)
  await page.goto(`/dataset/${dataset}/models`)
  await page.getByText(ui('common:error.notFound')).waitFor()
  await context.close()
})
