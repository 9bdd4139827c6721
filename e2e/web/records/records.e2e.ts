import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations, openPage, PHONE } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()
let dataset: string
let second: string

const count = 250
const longTitle = 'The complete text of the message as the customer wrote it, with its subject, its quotes and its signature'

beforeAll(async () => {
  const { server, workspaceId: workspace } = team
  const [ann, ben] = [
    await seedUser(server, 'ann', 'annotator', [workspace]),
    await seedUser(server, 'ben', 'annotator', [workspace]),
  ]
  dataset = (
    await callAsOwner(server, 'POST', '/datasets', {
      name: 'tickets',
      workspace_id: workspace,
      distribution: { strategy: 'overlap', min_submitted: 2 },
    })
  ).id
  const part = (route: string, name: string, settings: object, title = name) =>
    callAsOwner(server, 'POST', `/datasets/${dataset}/${route}`, { name, title, required: true, settings })
  await part('fields', 'text', { type: 'text', use_markdown: false }, longTitle)
  const options = ['good', 'bad'].map((value) => ({ value, text: value }))
  await part('questions', 'label', { type: 'label_selection', options })
  await callAsOwner(server, 'PUT', `/datasets/${dataset}/publish`)
  const answer = (user_id: string, value: string) => ({ user_id, status: 'submitted', values: { label: { value } } })
  const responses = [[answer(ann, 'good'), answer(ben, 'good')], [answer(ann, 'good'), answer(ben, 'bad')], [answer(ann, 'bad')]]
  const items = Array.from({ length: count }, (_, i) => ({
    external_id: `ticket-${i + 1}`,
    fields: { text: `The parcel of order ${i + 1} arrived late` },
    responses: responses[i] ?? [],
  }))
  const { items: made } = await callAsOwner<{ items: readonly { id: string }[] }>(
    server,
    'POST',
    `/datasets/${dataset}/records/bulk`,
    { items },
  )
  second = made[1]?.id ?? ''
})

const openAt = async (path: string, username?: string, options = {}) => {
  const opened = await openPage(team.browser, team.server.url, { permissions: ['clipboard-read', 'clipboard-write'], ...options })
  await (username ? createSession(opened.page, team.server.url, username, PASSWORD) : createSession(opened.page, team.server.url))
  await opened.page.goto(path)
  return opened
}
const grid = (page: Page) => page.getByRole('grid', { name: ui('features/records:title') })
const row = (page: Page, id: string) =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByText(id, { exact: true }) })
const panel = (page: Page) => page.getByRole('region', { name: ui('features/records:panel.title'), exact: true })

test('an owner sees all records with everyone’s answers, moves by keyboard and filters by disagreement', async () => {
  const { page, context } = await openAt(`/dataset/${dataset}/annotation-mode`)
  await page
    .getByRole('navigation', { name: ui('common:dataset.tabs') })
    .getByRole('link', { name: ui('common:dataset.records') })
    .click()
  await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe(String(count + 1))
  const disagreement = row(page, 'ticket-2')
  await disagreement.waitFor()
  const text = (await disagreement.textContent()) ?? ''
  for (const part of ['ann', 'ben', 'good', 'bad', ui('common:status.completed')]) expect(text).toContain(part)
  expect(await disagreement.locator('[data-differs]').count()).toBe(2)
  // Only the visible rows are in the document.
  expect(await grid(page).getByRole('row').count()).toBeLessThan(60)

  await row(page, 'ticket-1').click()
  await panel(page).getByRole('heading', { name: 'ticket-1' }).waitFor()
  await page.keyboard.press('j')
  await panel(page).getByRole('heading', { name: 'ticket-2' }).waitFor()
  expect(await panel(page).getByText(ui('features/records:panel.differs')).count()).toBe(1)
  await panel(page)
    .getByText(ui('features/records:panel.agreement', { agreement: '0%' }))
    .waitFor()
  await panel(page).getByText('order 2 arrived').waitFor()
  expect(await findViolations(page)).toEqual([])
  await panel(page)
    .getByRole('button', { name: ui('features/records:panel.copyLink') })
    .click()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${team.server.url}/dataset/${dataset}/record/${second}`)
  await page.keyboard.press('Escape')
  await panel(page).waitFor({ state: 'detached' })

  await grid(page).getByRole('row').nth(3).focus()
  await page.keyboard.press('End')
  await row(page, `ticket-${count}`).waitFor()

  await page
    .getByRole('combobox', { name: ui('features/records:filter.differ') })
    .selectOption({ label: ui('features/records:filter.disagree') })
  await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe('2')
  expect(page.url()).toContain('differ=answers')
  await page.goto(link)
  await panel(page).getByRole('heading', { name: 'ticket-2' }).waitFor()
  await page.goto(`/dataset/${dataset}/annotation-mode?status=completed`)
  await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe('3')
  await context.close()
})

detail('the agreement on each record is a column to sort by, and a range of it is a filter', async () => {
  const { page, context } = await openAt(`/dataset/${dataset}/records`)
  const agreementOf = async (id: string) => (await row(page, id).locator('[data-kind="agreement"]').textContent()) ?? ''
  await row(page, 'ticket-3').waitFor()
  expect(await Promise.all(['ticket-1', 'ticket-2', 'ticket-3'].map(agreementOf))).toEqual(['100%', '0%', ''])
  const heading = grid(page).getByRole('columnheader', { name: ui('features/records:column.agreement', { title: 'label' }) })
  const firstRow = () => grid(page).locator('[data-row="0"]').textContent()
  await heading.getByRole('button').press('Enter')
  await expect.poll(firstRow).toContain('ticket-2')
  expect(await heading.getAttribute('aria-sort')).toBe('ascending')
  await heading.getByRole('button').press('Enter')
  await expect.poll(firstRow).toContain('ticket-1')
  await page.reload()
  await expect.poll(firstRow).toContain('ticket-1')
  expect(await heading.getAttribute('aria-sort')).toBe('descending')

  const range = page.getByRole('button', { name: ui('features/records:filter.range.title') })
  await range.press('Enter')
  const dialog = page.getByRole('dialog', { name: ui('features/records:filter.range.title') })
  await dialog.getByLabel(ui('features/records:filter.range.to')).fill('50')
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe('2')
  await dialog.waitFor({ state: 'hidden' })
  expect(await firstRow()).toContain('ticket-2')
  const shown = ui('features/records:filter.range.shown', { from: '0%', to: '50%', question: 'label' })
  await page.getByRole('button', { name: ui('features/records:filter.remove', { text: shown }) }).click()
  await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe(String(count + 1))
  await context.close()
})

detail('answers are returned to one author with a comment, and the change can be undone', async () => {
  const { page, context } = await openAt(`/dataset/${dataset}/records`)
  await row(page, 'ticket-2').getByRole('checkbox').check()
  const bar = page.getByRole('group', { name: ui('features/records:select.bar') })
  await bar.getByRole('button', { name: ui('features/records:select.answers') }).click()
  const dialog = page.getByRole('dialog', { name: ui('features/review:answers.title', { count: 1, shown: '1' }) })
  const confirm = dialog.getByRole('button', { name: ui('features/review:answers.action.return') })
  expect(await confirm.isDisabled()).toBe(true)
  await dialog
    .getByRole('combobox', { name: ui('features/review:answers.by') })
    .selectOption({ label: ui('features/review:answers.byPerson', { name: 'ben' }) })
  await dialog.getByRole('textbox', { name: ui('features/review:return.comment') }).fill('Please read the new guidelines')
  expect(await findViolations(page)).toEqual([])
  await confirm.click()
  await page
    .getByText(ui('features/review:answers.returned', { count: 1, shown: '1' }))
    .first()
    .waitFor()
  await expect.poll(() => row(page, 'ticket-2').textContent()).toContain(ui('common:status.pending'))
  const read = () => callAsOwner<{ responses: { status: string }[] }>(team.server, 'GET', `/records/${second}`)
  expect((await read()).responses.map(({ status }) => status).sort()).toEqual(['draft', 'submitted'])
  await page.getByRole('button', { name: ui('features/review:answers.undo') }).click()
  await page
    .getByText(ui('features/review:answers.undone', { count: 1, shown: '1' }))
    .first()
    .waitFor()
  expect((await read()).responses.map(({ status }) => status)).toEqual(['submitted', 'submitted'])
  await context.close()
})

detail(
  'more answers are requested for records, after a count of those that become pending, and the request can be undone',
  async () => {
    const { page, context } = await openAt(`/dataset/${dataset}/records`)
    await row(page, 'ticket-1').getByRole('checkbox').check()
    await row(page, 'ticket-4').getByRole('checkbox').check()
    const bar = page.getByRole('group', { name: ui('features/records:select.bar') })
    await bar.getByRole('button', { name: ui('features/review:request.open') }).click()
    const dialog = page.getByRole('dialog', { name: ui('features/review:request.title', { count: 2, shown: '2' }) })
    const confirm = dialog.getByRole('button', { name: ui('features/review:request.action') })
    await dialog.getByText(ui('features/review:request.moved', { count: 1, shown: '1' })).waitFor()
    await dialog.getByRole('textbox', { name: ui('features/review:request.answers') }).fill('11')
    await dialog.getByText(ui('features/review:request.fault', { max: '10' })).waitFor()
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('textbox', { name: ui('features/review:request.answers') }).fill('2')
    await dialog.getByText(ui('features/review:request.moved', { count: 1, shown: '1' })).waitFor()
    expect(await findViolations(page)).toEqual([])
    await confirm.click()
    await page
      .getByText(ui('features/review:request.done', { count: 2, shown: '2' }))
      .first()
      .waitFor()
    const answersOf = (submitted: string, required: string) =>
      ui('features/records:answersOf', { count: Number(required), submitted, required })
    await expect.poll(() => row(page, 'ticket-1').textContent()).toContain(answersOf('2', '4'))
    expect(await row(page, 'ticket-1').textContent()).toContain(ui('common:status.pending'))
    await page.getByRole('button', { name: ui('features/review:answers.undo') }).click()
    await page
      .getByText(ui('features/review:request.undone', { count: 2, shown: '2' }))
      .first()
      .waitFor()
    await expect.poll(() => row(page, 'ticket-1').textContent()).toContain(answersOf('2', '2'))
    // Answers can also be requested for a single record.
    await page.goto(`/dataset/${dataset}/record/${second}`)
    await panel(page)
      .getByRole('button', { name: ui('features/review:request.open') })
      .click()
    const single = page.getByRole('dialog', { name: ui('features/review:request.title', { count: 1, shown: '1' }) })
    await single.getByRole('button', { name: ui('features/review:request.action') }).click()
    await expect.poll(() => panel(page).textContent()).toContain(ui('common:status.pending'))
    await page.getByRole('button', { name: ui('features/review:answers.undo') }).click()
    await expect.poll(() => panel(page).textContent()).toContain(ui('common:status.completed'))
    await context.close()
  },
)

detail('records are filtered by the days on which their answers changed', async () => {
  const { page, context } = await openAt(`/dataset/${dataset}/records`)
  await page.getByRole('button', { name: ui('features/records:filter.dates.title') }).press('Enter')
  const dialog = page.getByRole('dialog', { name: ui('features/records:filter.dates.title') })
  const today = await page.evaluate(() => new Date().toLocaleDateString('sv'))
  await dialog.getByLabel(ui('features/records:filter.dates.from')).fill(today)
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: ui('features/records:filter.range.apply') }).click()
  await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe('4')
  await page.goto(`/dataset/${dataset}/records?to=2020-01-31`)
  await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe('1')
  await page
    .getByRole('list', { name: ui('features/records:filter.more') })
    .getByRole('button')
    .click()
  await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe(String(count + 1))
  await context.close()
})

detail('a column is resized by mouse and by keyboard, and keeps its width', async () => {
  const { page, context } = await openAt(`/dataset/${dataset}/records`)
  await row(page, 'ticket-1').waitFor()
  const handle = grid(page).getByRole('separator', {
    name: ui('features/records:columnWidth', { title: ui('features/records:column.external_id') }),
  })
  const cell = row(page, 'ticket-1').locator('[data-kind="external_id"]')
  const width = async () => (await cell.boundingBox())?.width
  const before = (await width()) ?? 0
  const box = await handle.boundingBox()
  if (!box) throw new Error('the handle is not visible')
  await page.mouse.move(box.x + 4, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + 104, box.y + 10)
  await expect.poll(width).toBe(before + 100)
  await page.mouse.up()
  await handle.press('ArrowLeft')
  await expect.poll(width).toBe(before + 84)
  expect(await findViolations(page)).toEqual([])
  await page.reload()
  await expect.poll(width).toBe(before + 84)
  expect(await handle.getAttribute('aria-valuenow')).toBe(String(before + 84))
  await handle.press('Enter')
  await expect.poll(width).toBe(before)
  await context.close()
})

detail('the table fits a phone, in every theme and language', async () => {
  for (const [theme, language] of [
    ['dark', 'de'],
    ['high-contrast', 'es'],
  ] as const) {
    const { page, context } = await openAt(`/dataset/${dataset}/records`, undefined, { ...PHONE, theme, language })
    await page.getByRole('grid').getByText('ticket-1', { exact: true }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await findViolations(page)).toEqual([])
    await context.close()
  }
})

test('annotators have no tabs and no records page; a record’s address opens the record to answer', async () => {
  const { page, context } = await openAt(`/dataset/${dataset}/record/${second}`, 'ann')
  await page.getByText('order 2 arrived').waitFor()
  expect(page.url()).toContain('status=submitted')
  expect(await page.getByRole('navigation', { name: ui('common:dataset.tabs') }).count()).toBe(0)
  await page.getByRole('button', { name: ui('features/annotate:record.copyLink') }).waitFor()
  const [title, id] = await Promise.all(
    [longTitle, 'ticket-2'].map((text) => page.getByText(text, { exact: true }).boundingBox()),
  )
  expect((title?.x ?? 0) + (title?.width ?? 0)).toBeLessThanOrEqual(id?.x ?? 0)
  await page.goto(`/dataset/${dataset}/records`)
  await page.getByText(ui('common:error.notFound')).waitFor()
  await context.close()
})
