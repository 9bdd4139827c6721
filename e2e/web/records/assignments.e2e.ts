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

const count = 14

beforeAll(async () => {
  const { server, workspaceId: workspace } = team
  for (const name of ['ann', 'ben', 'cleo']) await seedUser(server, name, 'annotator', [workspace])
  dataset = (await callAsOwner(server, 'POST', '/datasets', { name: 'tickets', workspace_id: workspace })).id
  const part = (route: string, name: string, settings: object) =>
    callAsOwner(server, 'POST', `/datasets/${dataset}/${route}`, { name, title: name, required: true, settings })
  await part('fields', 'text', { type: 'text', use_markdown: false })
  await part('questions', 'label', { type: 'label_selection', options: ['good', 'bad'].map((value) => ({ value, text: value })) })
  await callAsOwner(server, 'PUT', `/datasets/${dataset}/publish`)
  const items = Array.from({ length: count }, (_, i) => ({
    external_id: `ticket-${i + 1}`,
    fields: { text: `The parcel of order ${i + 1} arrived late` },
  }))
  await callAsOwner(server, 'POST', `/datasets/${dataset}/records/bulk`, { items })
})

const openAt = async (path: string, username?: string, options = {}) => {
  const opened = await openPage(team.browser, team.server.url, options)
  await (username ? createSession(opened.page, team.server.url, username, PASSWORD) : createSession(opened.page, team.server.url))
  await opened.page.goto(path)
  return opened
}
const grid = (page: Page) => page.getByRole('grid', { name: ui('features/records:title') })
const row = (page: Page, id: string) =>
  grid(page)
    .getByRole('row')
    .filter({ has: page.getByText(id, { exact: true }) })
const bar = (page: Page) => page.getByRole('group', { name: ui('features/records:select.bar') })
const dialog = (page: Page) => page.getByRole('dialog')
const toasts = (page: Page) => page.getByRole('region', { name: ui('common:toast.region') })
const toast = (page: Page, text: string) => toasts(page).getByText(text, { exact: true })
const assigned = (n: number) => ui('features/assignments:done.assign', { count: n, formatted: String(n) })
const movedTo = (n: number) => ui('features/assignments:done.move', { count: n, formatted: String(n) })
const recordsPath = () => `/dataset/${dataset}/records`

/** The text of the record that the annotation screen shows first. */
const firstRecord = async (page: Page): Promise<string> => {
  const text = page.getByText(/^The parcel of order \d+ arrived late$/).first()
  await text.waitFor()
  return (await text.textContent()) ?? ''
}

test('a lead splits records between two people, who get theirs first, and moves what remains', async () => {
  const lead = await openAt(recordsPath())
  const { page } = lead
  await row(page, 'ticket-5').waitFor()
  for (let i = 5; i <= 14; i++) {
    const box = row(page, `ticket-${i}`).getByRole('checkbox')
    if (i > 6) await box.check()
    else {
      await row(page, `ticket-${i}`).focus()
      await page.keyboard.press('x')
      await expect.poll(() => box.isChecked()).toBe(true)
    }
  }
  await bar(page)
    .getByText(ui('features/records:select.count', { count: 10, shown: '10' }))
    .waitFor()
  await bar(page)
    .getByRole('button', { name: ui('features/records:select.assign') })
    .click()
  for (const name of ['ann', 'ben']) await dialog(page).getByRole('checkbox', { name }).check()
  await dialog(page).getByLabel(ui('features/assignments:assign.due')).fill('2099-12-31')
  expect(await findViolations(page)).toEqual([])
  await dialog(page)
    .getByRole('button', { name: ui('features/assignments:assign.action'), exact: true })
    .click()
  await toast(page, assigned(10)).waitFor()
  await row(page, 'ticket-5').getByText('ann', { exact: true }).waitFor()
  await row(page, 'ticket-6').getByText('ben', { exact: true }).waitFor()

  // Ann's records come first on her home page and in her queue
  const ann = await openAt('/', 'ann')
  const mine = ann.page.getByRole('region', { name: ui('features/home:assigned.title') })
  await mine.getByText(ui('features/home:assigned.left', { count: 5, number: '5' })).waitFor()
  await mine.getByRole('link', { name: 'tickets' }).click()
  expect(await firstRecord(ann.page)).toContain('order 5 ')
  await ann.context.close()
  const cleo = await openAt(`/dataset/${dataset}/annotation-mode`, 'cleo')
  expect(await firstRecord(cleo.page)).toContain('order 1 ')
  await cleo.context.close()

  await page.goto(`/dataset/${dataset}/overview?section=people`)
  const move = page.getByRole('button', { name: ui('features/overview:assignments.moveOf', { name: 'ann' }) })
  await move.click()
  await dialog(page).getByRole('checkbox', { name: 'cleo' }).check()
  await dialog(page)
    .getByRole('button', { name: ui('features/assignments:move.action'), exact: true })
    .click()
  await toast(page, movedTo(5)).waitFor()
  await page.getByRole('button', { name: ui('features/overview:assignments.moveOf', { name: 'cleo' }) }).waitFor()
  await expect.poll(() => move.count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  const next = await openAt('/', 'cleo')
  await next.page
    .getByRole('region', { name: ui('features/home:assigned.title') })
    .getByText(ui('features/home:assigned.left', { count: 5, number: '5' }))
    .waitFor()
  await next.context.close()
  await page.getByRole('button', { name: ui('features/assignments:undo') }).click()
  await move.waitFor()
  await lead.context.close()
})

detail('single records can be left out after all were selected', async () => {
  const { page, context } = await openAt(recordsPath())
  await row(page, 'ticket-3').waitFor()
  const all = grid(page).getByRole('checkbox', { name: ui('features/records:select.all') })
  await all.check()
  for (const id of ['ticket-1', 'ticket-2']) await row(page, id).getByRole('checkbox').uncheck()
  await bar(page)
    .getByText(ui('features/records:select.count', { count: count - 2, shown: String(count - 2) }))
    .waitFor()
  expect(await all.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true)
  await bar(page)
    .getByRole('button', { name: ui('features/records:select.unassign') })
    .click()
  const undo = page.getByRole('button', { name: ui('features/assignments:undo') })
  await undo.waitFor()
  await expect.poll(() => row(page, 'ticket-5').locator('[data-kind="assigned_to"]').textContent()).toBe('')
  await undo.click()
  await row(page, 'ticket-5').getByText('ann', { exact: true }).waitFor()
  await context.close()
})

detail('selected records are deleted after a delay, and the deletion can be undone', async () => {
  const { page, context } = await openAt(recordsPath())
  const remove = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) await row(page, id).getByRole('checkbox').check()
    await bar(page)
      .getByRole('button', { name: ui('features/records:delete.open') })
      .click()
    const values = { count: ids.length, shown: String(ids.length) }
    await page.getByRole('heading', { name: ui('features/records:delete.title', values) }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await dialog(page)
      .getByRole('button', { name: ui('features/records:delete.action', values) })
      .click()
    await toast(page, ui('features/records:delete.soon', values)).waitFor()
    expect(await bar(page).count()).toBe(0)
  }
  await row(page, 'ticket-13').waitFor()
  await remove(['ticket-13', 'ticket-14'])
  await toasts(page)
    .getByRole('button', { name: ui('features/records:delete.undo') })
    .click()
  await toast(page, ui('features/records:delete.undone')).waitFor()
  expect(await grid(page).getAttribute('aria-rowcount')).toBe(String(count + 1))
  await remove(['ticket-14'])
  await toast(page, ui('features/records:delete.done', { count: 1, shown: '1' })).waitFor()
  await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe(String(count))
  await context.close()
})

detail('all matching records can be assigned, filtered and unassigned, on a phone too', async () => {
  const { page, context } = await openAt(`${recordsPath()}?search=id:ticket-1`, undefined, PHONE)
  const all = grid(page).getByRole('checkbox', { name: ui('features/records:select.all') })
  await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe('2')
  await all.check()
  await bar(page)
    .getByRole('button', { name: ui('features/records:select.assign') })
    .click()
  await dialog(page).getByRole('checkbox', { name: 'cleo' }).check()
  await dialog(page)
    .getByRole('button', { name: ui('features/assignments:assign.action'), exact: true })
    .click()
  await toast(page, assigned(1)).waitFor()
  await page.goto(recordsPath())
  await page.getByRole('combobox', { name: ui('features/records:filter.assigned') }).selectOption({
    label: ui('features/records:filter.assignedTo', { name: 'cleo' }),
  })
  await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe('2')
  await grid(page)
    .getByRole('checkbox', { name: ui('features/records:select.all') })
    .check()
  await bar(page)
    .getByRole('button', { name: ui('features/records:select.unassign') })
    .click()
  await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe('1')
  await page.getByRole('button', { name: ui('features/assignments:undo') }).click()
  await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe('2')
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  expect(await findViolations(page)).toEqual([])
  await context.close()
})
