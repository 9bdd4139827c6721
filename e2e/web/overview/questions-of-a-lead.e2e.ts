import { detail } from '@postil/testkit/detail.ts'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { type UiKey, ui } from '../../harness/ui-text.ts'
import { answeredBy, answerOf, countRecords, people, seedLargeTeam, suggestionOf } from '../fixtures/large-team.ts'
import { seedWorkspace } from '../fixtures/seed.ts'
import { createSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser
let dataset: string
let page: Page
let context: BrowserContext
let clicks = 0

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  dataset = await seedLargeTeam(server, await seedWorkspace(server, 'team'))
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})
beforeEach(async () => {
  ;({ page, context } = await openPage(browser, server.url))
  await createSession(page, server.url)
  await page.goto(`/dataset/${dataset}/annotation-mode`)
  clicks = 0
})
afterEach(() => context.close())

const text = (key: string, values = {}) => ui(`features/overview:${key}` as UiKey, values)
const click = async (target: Locator): Promise<void> => {
  clicks += 1
  await target.click()
}
/** Chooses an option from a list. Counts as one click. */
const choose = async (list: Locator, label: string): Promise<void> => {
  clicks += 1
  await list.selectOption({ label })
}
const openTab = (name: 'overview' | 'records') =>
  click(
    page.getByRole('navigation', { name: ui('common:dataset.tabs') }).getByRole('link', { name: ui(`common:dataset.${name}`) }),
  )
const openSection = (name: string) =>
  click(page.getByRole('navigation', { name: text('sections') }).getByRole('link', { name: text(`section.${name}`) }))
const grid = () => page.getByRole('grid', { name: ui('features/records:title') })
const row = (id: string) =>
  grid()
    .getByRole('row')
    .filter({ has: page.getByText(id, { exact: true }) })
const expectFound = (count: number) => expect.poll(() => grid().getAttribute('aria-rowcount')).toBe(String(count + 1))
const number = async (link: Locator): Promise<number> => Number(((await link.textContent()) ?? '').replace(/\D/g, ''))
const inTable = (content: string) => page.locator('main tbody tr').filter({ hasText: content }).first()
const disagreements = countRecords((record) => {
  const [first, second] = answeredBy(record)
  return first !== undefined && second !== undefined && answerOf(record, first) !== answerOf(record, second)
})

test('How far are we, and when will we finish? One click', async () => {
  await openTab('overview')
  const completed = countRecords((record) => answeredBy(record).length === 2)
  const tile = page.locator('main dl > div').filter({ hasText: text('tile.completed') })
  await tile.getByRole('link').waitFor()
  expect(await number(tile.getByRole('link'))).toBe(completed)
  await page.getByText(text('forecast.title')).waitFor()
  // All answers are from today
  await page.getByText(text('forecast.reason.too_few_days')).waitFor()
  expect(clicks).toBeLessThanOrEqual(1)
})

detail('Who did how much this week? Two clicks', async () => {
  await openTab('overview')
  await openSection('people')
  for (const [person, name] of people.entries()) {
    const done = countRecords((record) => answeredBy(record).includes(person))
    await inTable(name).getByRole('link').first().waitFor()
    expect(await number(inTable(name).getByRole('link').first()), name).toBe(done)
    const recent = text('people.recentCount', { count: done, shown: done })
    await inTable(name).getByRole('link', { name: recent }).waitFor()
  }
  expect(clicks).toBeLessThanOrEqual(2)
})

test('Where do annotators disagree? Two clicks', async () => {
  await openTab('records')
  await choose(page.getByRole('combobox', { name: ui('features/records:filter.differ') }), ui('features/records:filter.disagree'))
  await expectFound(disagreements)
  await row('ticket-4').locator('[data-differs]').first().waitFor()
  expect(clicks).toBeLessThanOrEqual(2)
})

detail('Which labels are confused? Three clicks, and one more to their records', async () => {
  await openTab('overview')
  await openSection('agreement')
  await click(page.getByRole('button', { name: 'Topic', exact: true }))
  const confusion = page.getByRole('grid', { name: text('agreement.confusion') })
  const cell = confusion.locator('[data-cell][data-differs]').first()
  await cell.waitFor()
  expect(clicks).toBeLessThanOrEqual(3)
  const confused = await number(cell)
  expect(confused).toBeGreaterThan(0)
  await click(cell)
  await expectFound(confused)
  expect(clicks).toBeLessThanOrEqual(4)
})

detail('What did one person answer on one record? Two clicks', async () => {
  await openTab('records')
  await click(row('ticket-4'))
  const panel = page.getByRole('region', { name: ui('features/records:panel.title'), exact: true })
  const [first, second] = answeredBy(3) as [number, number]
  const headings = panel.getByRole('columnheader')
  for (const person of [first, second]) await headings.filter({ hasText: people[person]! }).waitFor()
  const topic = panel.getByRole('row').filter({ hasText: 'Topic' })
  const answers = (await topic.textContent()) ?? ''
  for (const person of [first, second]) expect(answers).toContain(answerOf(3, person))
  expect(clicks).toBeLessThanOrEqual(2)
})

detail('Which suggestions are wrong? Two clicks, and one more to the records', async () => {
  await openTab('overview')
  await openSection('suggestions')
  const model = inTable('topic-model')
  await model.getByRole('link').last().waitFor()
  expect(clicks).toBeLessThanOrEqual(2)
  const wrong = countRecords((record) => answeredBy(record).some((person) => answerOf(record, person) !== suggestionOf(record)))
  await openTab('records')
  await choose(
    page.getByRole('combobox', { name: ui('features/records:filter.differ') }),
    ui('features/records:filter.differFromSuggestion'),
  )
  await expectFound(wrong)
})

detail('How is work assigned again? Six clicks for all pending records', async () => {
  await openTab('records')
  await choose(page.getByRole('combobox', { name: ui('features/records:filter.status') }), ui('features/records:filter.pending'))
  const pending = countRecords((record) => answeredBy(record).length < 2)
  await expectFound(pending)
  await click(grid().getByRole('checkbox', { name: ui('features/records:select.all') }))
  await click(
    page
      .getByRole('group', { name: ui('features/records:select.bar') })
      .getByRole('button', { name: ui('features/records:select.assign') }),
  )
  await click(page.getByRole('dialog').getByRole('checkbox', { name: 'greta' }))
  await click(page.getByRole('dialog').getByRole('button', { name: ui('features/assignments:assign.action'), exact: true }))
  const done = ui('features/assignments:done.assign', { count: pending, formatted: pending.toLocaleString('en') })
  await page
    .getByRole('region', { name: ui('common:toast.region') })
    .getByText(done, { exact: true })
    .waitFor()
  await row('ticket-4001').getByText('greta', { exact: true }).waitFor()
  expect(clicks).toBeLessThanOrEqual(6)
})

detail('Is an annotator careful? Three clicks to the agreement with the others', async () => {
  await openTab('overview')
  await openSection('agreement')
  await click(page.getByRole('button', { name: 'Topic', exact: true }))
  const byPerson = page.getByRole('region', { name: text('agreement.byPerson') }).first()
  await byPerson.waitFor()
  for (const name of people) await byPerson.getByText(name, { exact: true }).first().waitFor()
  expect(clicks).toBeLessThanOrEqual(3)
})
