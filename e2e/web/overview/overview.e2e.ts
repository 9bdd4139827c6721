import { detail } from '@postil/testkit/detail.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations, openBrowser, openPage, PHONE } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { type UiKey, ui } from '../../harness/ui-text.ts'
import { seedJudged } from '../fixtures/judged.ts'
import { callAsOwner, PASSWORD, seedDataset, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { expectSaved, updateButton } from '../fixtures/settings.ts'
import { createSession } from '../support/sign-in.ts'

type Insights = {
  readonly answers: { readonly [status: string]: number }
  readonly people: readonly { readonly user_id: string; readonly submitted: number }[]
  readonly suggestions: readonly { readonly agent: string | null; readonly accepted: number; readonly changed: number }[]
}
type Agreement = {
  readonly questions: readonly {
    readonly question_id: string
    readonly name: string
    readonly units: number
    readonly pairs: readonly { readonly users: readonly [string, string]; readonly units: number }[]
  }[]
}

let server: RunningServer
let browser: Browser
let dataset: string
let empty: string
let insights: Insights
let agreement: Agreement

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  const workspace = await seedWorkspace(server, 'team')
  dataset = await seedJudged(server, workspace)
  empty = await seedDataset(server, { name: 'empty', workspaceId: workspace, records: 2 })
  insights = await callAsOwner<Insights>(server, 'GET', `/datasets/${dataset}/insights`)
  agreement = await callAsOwner<Agreement>(server, 'GET', `/datasets/${dataset}/agreement`)
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const openAt = async (path: string, options = {}) => {
  const opened = await openPage(browser, server.url, { permissions: ['clipboard-read', 'clipboard-write'], ...options })
  await createSession(opened.page, server.url)
  await opened.page.goto(path)
  return opened
}
const text = (key: string, values = {}) => ui(`features/overview:${key}` as UiKey, values)
const grid = (page: Page) => page.getByRole('grid', { name: ui('features/records:title') })
/** The number of records in the table of records. */
const found = async (page: Page): Promise<number> => {
  await grid(page).waitFor()
  await expect.poll(() => grid(page).getAttribute('aria-busy')).toBe('false')
  return Number(await grid(page).getAttribute('aria-rowcount')) - 1
}
const personRow = (page: Page, name: string) =>
  page
    .locator('main tbody tr')
    .filter({ has: page.getByText(name, { exact: true }) })
    .first()

test('a lead opens the overview beside the records and follows numbers to their records', async () => {
  const { page, context } = await openAt(`/dataset/${dataset}/records`)
  const tabs = page.getByRole('navigation', { name: ui('common:dataset.tabs') })
  await tabs.getByRole('link', { name: ui('common:dataset.overview') }).click()
  const drafts = page.locator('[data-status=draft] a')
  await drafts.first().waitFor()
  expect(await drafts.first().textContent()).toBe(String(insights.answers['draft']))
  await drafts.first().click()
  expect(await found(page)).toBe(1)
  const chip = page.getByRole('button', {
    name: ui('features/records:filter.remove', { text: ui('features/records:filter.draft') }),
  })
  await chip.click()
  expect(await found(page)).toBe(48)

  await page.goto(`/dataset/${dataset}/overview`)
  await page.locator('main [data-bar]').last().click()
  // Some records have no answer.
  expect(await found(page)).toBe(40)
  await page.goBack()
  const bar = page.locator('main [data-bar][tabindex="0"]')
  await bar.focus()
  await page.keyboard.press('ArrowLeft')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-bar'))).toBe('12')

  await page.getByRole('link', { name: text('section.people') }).click()
  const [first] = insights.people
  const users = await callAsOwner<{ items: readonly { id: string; username: string }[] }>(server, 'GET', '/users')
  const nameOf = (id: string | undefined) => users.items.find((user) => user.id === id)?.username ?? ''
  const submitted = personRow(page, nameOf(first?.user_id)).getByRole('link').first()
  expect(await submitted.textContent()).toBe(String(first?.submitted))
  await submitted.click()
  expect(await found(page)).toBe(first?.submitted)

  await page.goto(`/dataset/${dataset}/overview?section=suggestions`)
  const large = insights.suggestions.find(({ agent }) => agent === 'large-model')
  const row = page.locator('main tbody tr', { hasText: 'large-model' })
  await row.waitFor()
  expect(await row.getByRole('link').allTextContents()).toContain(String(large?.accepted))
  await row.getByRole('link').last().click()
  const differing = await found(page)
  expect(differing).toBeGreaterThan(0)
  expect(differing).toBeLessThanOrEqual(large?.changed ?? 0)
  await context.close()
})

detail('the values of a question open the records with this answer, for everyone and for one person', async () => {
  const { page, context } = await openAt(`/dataset/${dataset}/overview?section=labels`)
  const angry = page.getByRole('region', { name: 'Tone', exact: true }).last().locator('tr', { hasText: 'Angry' })
  await angry.getByRole('link').waitFor()
  const all = Number(await angry.getByRole('link').textContent())
  const [, value = ''] = await page
    .getByLabel(text('labels.by'))
    .locator('option')
    .evaluateAll((list) => list.map((one) => (one as HTMLOptionElement).value))
  await page.getByLabel(text('labels.by')).selectOption(value)
  await expect.poll(async () => Number(await angry.getByRole('link').textContent())).toBeLessThan(all)
  const own = Number(await angry.getByRole('link').textContent())
  await angry.getByRole('link').click()
  expect(await found(page)).toBe(own)
  await page.goto(`/dataset/${dataset}/overview?section=labels`)
  const city = page.locator('main tr', { hasText: 'City' })
  const cities = Number(await city.getByRole('link').textContent())
  await city.getByRole('link').click()
  const records = await found(page)
  expect(records).toBeGreaterThan(0)
  expect(records).toBeLessThanOrEqual(cities)
  await page.getByText('Places: City').waitFor()
  await context.close()
})

detail('a question shows its coefficients, pairs and confusion matrix, whose cells open their records', async () => {
  const { page, context } = await openAt(`/dataset/${dataset}/overview?section=agreement`)
  const tone = agreement.questions.find(({ name }) => name === 'tone')!
  await page.getByText(text('measure.alpha_nominal')).first().waitFor()
  // Nearly all answers to one question are equal, so the page shows AC1 for this question.
  await page.getByText('AC1', { exact: false }).first().waitFor()
  await page
    .getByText(text('reason.no_overlap'))
    .or(page.getByText(text('measure.equal_share')))
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Tone', exact: true }).click()
  expect(page.url()).toContain('question=tone')
  const pairs = page.getByRole('grid', { name: text('agreement.pairs') })
  await pairs.waitFor()
  const cells = pairs.locator('[data-cell]')
  expect(await cells.count()).toBe(tone.pairs.length * 2)
  expect(await pairs.locator('[data-hollow]').count()).toBe(tone.pairs.filter(({ units }) => units < 10).length * 2)
  await pairs.locator('[data-cell="0 1"]').focus()
  await page.keyboard.press('ArrowRight')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-cell'))).toBe('0 2')
  await page.keyboard.press('ArrowLeft')
  const units = Number(/n (\d+)/.exec((await pairs.locator('[data-cell="0 1"]').textContent()) ?? '')?.[1])
  await page.keyboard.press('Enter')
  expect(await found(page)).toBe(units)
  await page.goBack()

  const confusion = page.getByRole('grid', { name: text('agreement.confusion') })
  const cell = confusion.locator('[data-cell][data-differs]').first()
  await cell.waitFor()
  const count = Number(await cell.textContent())
  await cell.click()
  expect(await found(page)).toBe(count)
  await page.goBack()
  const copy = page.getByRole('button', { name: text('copyCsv', { title: text('agreement.pairs') }) })
  await copy.click()
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).trimEnd().split('\r\n')
  expect(lines).toHaveLength(1 + tone.pairs.length)

  const toneRow = page.locator('main tbody tr', { has: page.getByRole('button', { name: 'Tone', exact: true }) })
  await toneRow.getByRole('link').first().click()
  expect(await found(page)).toBe(tone.units)
  await context.close()
})

detail('people are compared with the final answers once there are some', async () => {
  const job = await callAsOwner<{ id: string }>(server, 'POST', `/datasets/${dataset}/gold/jobs`, {
    search: {},
    rule: 'majority',
  })
  const jobStatus = async () => (await callAsOwner<{ status: string }>(server, 'GET', `/jobs/${job.id}`)).status
  await expect.poll(jobStatus, { timeout: 30_000 }).toBe('finished')
  const { page, context } = await openAt(`/dataset/${dataset}/overview?section=agreement&question=tone`)
  const refresh = page.getByRole('button', { name: text('refresh') })
  await refresh.click()
  await page.getByRole('columnheader', { name: text('agreement.withFinal') }).waitFor()
  await page.getByRole('combobox', { name: text('agreement.second') }).selectOption({ label: text('agreement.finalAnswers') })
  const confusion = page.getByRole('grid', { name: text('agreement.confusion') })
  await confusion.getByText(text('agreement.finalAnswers')).waitFor()
  expect(await findViolations(page)).toEqual([])
  const cell = confusion.locator('[data-cell][data-differs]').first()
  const count = Number(await cell.textContent())
  await cell.click()
  expect(await found(page)).toBe(count)
  const chips = page.getByRole('list', { name: ui('features/records:filter.more') })
  await chips.getByText(ui('features/records:filter.final', { answer: '' }).trim(), { exact: false }).waitFor()
  await context.close()
})

detail('a dataset without answers says so, and problems can be retried', async () => {
  const { page, context } = await openAt(`/dataset/${empty}/overview?section=labels`)
  await page.getByRole('heading', { name: text('empty') }).waitFor()
  await page.goto(`/dataset/${empty}/overview`)
  await page.getByText(text('forecast.reason.too_few_days')).waitFor()
  let fails = true
  await page.route('**/insights?*', (route) =>
    fails ? route.fulfill({ status: 500, json: { detail: 'broken' } }) : route.continue(),
  )
  await page.goto(`/dataset/${dataset}/overview?section=people`)
  const again = page.getByRole('button', { name: text('again') })
  await again.waitFor({ timeout: 60_000 })
  fails = false
  await again.click()
  await personRow(page, 'amelie').waitFor()
  await context.close()
})

test('annotators have no overview', async () => {
  const opened = await openPage(browser, server.url)
  await createSession(opened.page, server.url, 'amelie', PASSWORD)
  await opened.page.goto(`/dataset/${dataset}/overview`)
  await opened.page.locator('main h1', { hasText: '404' }).waitFor()
  await opened.context.close()
})

detail('the overview fits a phone', async () => {
  for (const section of ['progress', 'people', 'agreement&question=tone', 'labels', 'suggestions']) {
    const { page, context } = await openAt(`/dataset/${dataset}/overview?section=${section}`, { ...PHONE, language: 'de' })
    await page.locator('main table tbody tr, main [data-bar]').first().waitFor({ state: 'attached' })
    const excess = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(await excess(), section).toBe(0)
    await context.close()
  }
})

detail('active time of other people is shown once the settings allow it, and people find their own', async () => {
  const workspace = await seedWorkspace(server, 'timed')
  await seedUser(server, 'tess', 'annotator', [workspace])
  const id = await seedDataset(server, { name: 'timed', workspaceId: workspace, records: 4 })
  const { items: records } = await callAsOwner<{ items: { id: string }[] }>(server, 'GET', `/datasets/${id}/records`)
  const tess = await openPage(browser, server.url)
  await createSession(tess.page, server.url, 'tess', PASSWORD)
  for (const [i, active_ms] of [4_200, 30_000, 90_000, 600_000].entries()) {
    const answer = { status: 'submitted', values: { label: { value: 'yes' } }, active_ms }
    const headers = { 'X-Postil-CSRF': '1', Origin: server.url }
    const stored = await tess.page.request.post(`/api/v1/records/${records[i]?.id}/responses`, { data: answer, headers })
    expect(stored.status()).toBe(201)
  }
  const { page, context, complaints } = await openAt(`/dataset/${id}/overview?section=people`)
  await personRow(page, 'tess').waitFor()
  expect(await page.getByRole('columnheader', { name: text('people.time') }).count()).toBe(0)
  await page.getByText(text('people.timeHidden')).waitFor()
  await page.getByRole('link', { name: text('people.timeSettings') }).click()
  await page.getByRole('switch', { name: ui('features/settings:activeTime.show') }).click()
  await updateButton(page, ui('features/settings:activeTime.title')).click()
  await expectSaved(page, ui('features/settings:activeTime.title'))
  await page.goto(`/dataset/${id}/overview?section=people`)
  await page.getByRole('columnheader', { name: text('people.time') }).waitFor()
  expect(await page.getByText(text('people.timeHidden')).count()).toBe(0)
  expect(await personRow(page, 'tess').innerText()).toMatch(/60 sec\s+24 sec – 3.6 min/)
  await page.getByRole('button', { name: text('copyCsv', { title: text('section.people') }) }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(',23.6,60,217.5,')
  expect(complaints()).toEqual([])
  await context.close()

  await tess.page.goto(`/dataset/${id}/annotation-mode`)
  await tess.page.getByRole('button', { name: ui('features/annotate:time.title') }).click()
  const own = tess.page.getByRole('dialog', { name: ui('features/annotate:time.title') })
  await own.getByText(ui('features/annotate:time.median', { count: 4, formatted: '4', time: '60 sec' })).waitFor()
  await own.getByText(ui('features/annotate:time.quartiles', { from: '24 sec', to: '3.6 min' })).waitFor()
  await own.getByText(ui('features/annotate:time.shared')).waitFor()
  expect(tess.complaints()).toEqual([])
  await tess.close()
})
