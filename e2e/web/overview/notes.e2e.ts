import { readFileSync } from 'node:fs'
import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, openPage, PHONE } from '../../harness/browser.ts'
import { type UiKey, ui } from '../../harness/ui-text.ts'
import { callAsOwner, seedDataset } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()
const text = (key: string, values = {}) => ui(`features/overview:notes.${key}` as UiKey, values)

type Items<T> = { readonly items: readonly T[] }
type Question = {
  readonly id: string
  readonly name: string
  readonly settings: { readonly options?: readonly { value: string }[] }
}
type Answered = {
  readonly responses: readonly {
    readonly status: string
    readonly values: { readonly [name: string]: { readonly value: unknown } }
  }[]
}

/** A dataset with notes by the owner. */
const seedNotes = async (name: string, notes: readonly string[]): Promise<string> => {
  const id = await seedDataset(team.server, { name, workspaceId: team.workspaceId, publish: false })
  const options = ['good', 'bad'].map((value) => ({ value, text: value }))
  for (const question of [
    { name: 'problems', title: 'Problems', settings: { type: 'multi_label_selection', options } },
    { name: 'note', title: 'What is wrong?', settings: { type: 'text' } },
  ])
    await callAsOwner(team.server, 'POST', `/datasets/${id}/questions`, question)
  await callAsOwner(team.server, 'PUT', `/datasets/${id}/publish`)
  if (notes.length > 0)
    await callAsOwner(team.server, 'POST', `/datasets/${id}/records/bulk`, {
      items: notes.map((_, i) => ({ fields: { text: `Record ${i}` } })),
    })
  const { items } = await callAsOwner<Items<{ readonly id: string }>>(team.server, 'GET', `/datasets/${id}/records`)
  for (const [i, note] of notes.entries())
    await callAsOwner(team.server, 'POST', `/records/${items[i]?.id}/responses`, {
      status: 'submitted',
      values: { label: { value: 'no' }, note: { value: note } },
    })
  return id
}
const questionsOf = async (id: string) =>
  (await callAsOwner<Items<Question>>(team.server, 'GET', `/datasets/${id}/questions`)).items
const problemsOf = async (id: string): Promise<unknown[]> => {
  const { items } = await callAsOwner<Items<Answered>>(team.server, 'GET', `/datasets/${id}/records?include=responses`)
  return items.map(({ responses }) => responses[0]?.values['problems']?.value)
}

const open = async (path: string, options = {}) => {
  const opened = await openPage(team.browser, team.server.url, options)
  await createSession(opened.page, team.server.url)
  await opened.page.goto(path)
  return opened
}
const choose = (page: Page, note: string) => page.getByRole('checkbox', { name: text('choose', { note }) }).check()

test('a text question collects notes, and groups of notes become a label, which can be undone', async () => {
  const notes = ['arrived late', 'Late: arrived!', 'wrong colour', 'arrived late']
  const id = await seedNotes('error analysis', notes)
  const { page, close, complaints } = await open(`/dataset/${id}/settings?tab=questions`)
  const form = page.getByRole('form', { name: 'What is wrong?', exact: true })
  await form.getByRole('switch', { name: ui('question-types/text:codes') }).check()
  await form.getByRole('button', { name: ui('features/settings:update') }).click()
  await expect
    .poll(async () => (await questionsOf(id)).find(({ name }) => name === 'note')?.settings)
    .toEqual({ type: 'text', use_markdown: false, codes: true })

  await page.goto(`/dataset/${id}/overview`)
  await page.getByRole('link', { name: ui('features/overview:section.notes'), exact: true }).click()
  await page.getByText(text('hint', { count: 4, notes: '4', records: '4', answered: '4' })).waitFor()
  const rows = page.getByRole('table').locator('tbody tr')
  expect(await rows.count()).toBe(2)
  expect(await rows.nth(0).locator('td').nth(1).textContent()).toBe('3')
  expect(await rows.nth(0).locator('td').nth(2).textContent()).toContain('75%')
  await page.getByRole('searchbox', { name: text('search') }).fill('colo')
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('searchbox', { name: text('search') }).fill('')
  await expect.poll(() => rows.count()).toBe(2)
  await choose(page, 'arrived late')
  expect(await findViolations(page)).toEqual([])

  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: text('download') }).click()
  const rubric = readFileSync(await (await downloading).path(), 'utf8')
  expect(rubric).toContain('1. arrived late (3 records, 75%')
  expect(rubric).toContain('{{fields}}')

  await page.getByRole('button', { name: text('make') }).click()
  const dialog = page.getByRole('dialog', { name: text('make') })
  await dialog.getByRole('combobox', { name: text('target') }).selectOption({ label: 'Problems' })
  const label = dialog.getByRole('textbox', { name: text('label') })
  expect(await label.inputValue()).toBe('arrived late')
  await label.fill('Late')
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: text('addAndAnswer') }).click()
  await page
    .getByText(text('done', { count: 3, shown: '3', label: 'Late' }))
    .first()
    .waitFor()
  expect(await problemsOf(id)).toEqual([['Late'], ['Late'], undefined, ['Late']])
  expect((await questionsOf(id)).find(({ name }) => name === 'problems')?.settings.options?.map(({ value }) => value)).toEqual([
    'good',
    'bad',
    'Late',
  ])
  await page.getByRole('button', { name: text('undo') }).click()
  await page
    .getByText(text('undone', { count: 3, shown: '3' }))
    .first()
    .waitFor()
  expect(await problemsOf(id)).toEqual([undefined, undefined, undefined, undefined])
  expect(complaints()).toEqual([])
  await close()
})

detail('the notes fit on a phone, and a dataset without notes explains how to collect them', async () => {
  const id = await seedNotes('notes on a phone', [])
  const { page, close, complaints } = await open(`/dataset/${id}/overview?section=notes`, PHONE)
  await page.getByText(text('off')).waitFor()
  const note = (await questionsOf(id)).find(({ name }) => name === 'note')
  await callAsOwner(team.server, 'PATCH', `/questions/${note?.id}`, { settings: { type: 'text', codes: true } })
  await page.reload()
  await page.getByRole('heading', { name: text('empty') }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  expect(await findViolations(page)).toEqual([])
  expect(complaints()).toEqual([])
  await close()
})

detail('notes about records with similar vectors can form a group', async () => {
  const id = await seedDataset(team.server, { name: 'similar records', workspaceId: team.workspaceId, publish: false })
  const path = `/datasets/${id}`
  const note = { name: 'note', title: 'What is wrong?', settings: { type: 'text', codes: true } }
  await callAsOwner(team.server, 'POST', `${path}/questions`, note)
  await callAsOwner(team.server, 'POST', `${path}/vectors-settings`, { name: 'meaning', title: 'Meaning', dimensions: 2 })
  await callAsOwner(team.server, 'PUT', `${path}/publish`)
  const entries = [
    { text: 'late', meaning: [1, 0] },
    { text: 'red', meaning: [0, 1] },
    { text: 'slow delivery', meaning: [2, 0.1] },
  ]
  const items = entries.map(({ text: own, meaning }) => ({ fields: { text: own }, vectors: { meaning } }))
  const made = await callAsOwner<Items<{ readonly id: string }>>(team.server, 'POST', `${path}/records/bulk`, { items })
  for (const [i, entry] of entries.entries())
    await callAsOwner(team.server, 'POST', `/records/${made.items[i]?.id}/responses`, {
      status: 'submitted',
      values: { label: { value: 'no' }, note: { value: entry.text } },
    })
  const { page, close, complaints } = await open(`/dataset/${id}/overview`)
  await page.getByRole('link', { name: ui('features/overview:section.notes'), exact: true }).click()
  const rows = page.getByRole('table').locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(3)
  await choose(page, 'late')
  await page.getByLabel(text('groupBy')).selectOption({ label: text('byVector', { title: 'Meaning' }) })
  await expect.poll(() => rows.count()).toBe(2)
  expect(await rows.nth(0).textContent()).toMatch(/late.*slow delivery|slow delivery.*late/)
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize(PHONE.viewport)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  expect(complaints()).toEqual([])
  await close()
})
