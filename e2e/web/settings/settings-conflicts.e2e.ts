import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { lookedAt, PHONE, THEMES, violations, wearTheme } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { asOwner, givenUser } from '../ground/given.ts'
import { form, givenSettings, openSettings, saved, update } from '../ground/settings.ts'
import { setUpTeam } from '../ground/team.ts'

const team = setUpTeam()
beforeAll(async () => {
  for (const name of ['adam', 'eve']) await givenUser(team.server, name, 'admin', [team.workspaceId])
})

/** Two people with the same part of the settings before them. */
const both = async (id: string, tab: string, options = {}) => {
  const mine = await openSettings(team, id, tab, 'adam', options)
  const theirs = await openSettings(team, id, tab, 'eve')
  for (const { page } of [mine, theirs]) await page.waitForLoadState('networkidle')
  return { mine, theirs, close: () => Promise.all([mine.close(), theirs.close()]) }
}
const store = async (page: Page, title: string): Promise<void> => {
  const stored = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await update(page, title).click()
  await stored
}
/** Counts what a page stores. */
const watch = (page: Page): (() => number) => {
  let sent = 0
  page.on('request', (request) => {
    if (!['GET', 'HEAD'].includes(request.method())) sent += 1
  })
  return () => sent
}
const question = (page: Page) => page.getByRole('dialog', { name: ui('features/settings:conflict.title') })
const side = (page: Page, name: string) => question(page).getByRole('region', { name, exact: true })
const typed = (page: Page) =>
  form(page, ui('features/settings:general.guidelines')).getByRole('textbox', {
    name: ui('features/settings:general.guidelines'),
  })
const guidelinesOf = async (id: string) =>
  (await asOwner<{ guidelines: string }>(team.server, 'GET', `/datasets/${id}`)).guidelines

const guidelinesOfBoth = async (name: string) => {
  const id = await givenSettings(team, name)
  const opened = await both(id, 'general')
  await typed(opened.mine.page).fill('Mine.')
  await typed(opened.theirs.page).fill('Theirs.')
  await store(opened.theirs.page, ui('features/settings:general.guidelines'))
  const sent = watch(opened.mine.page)
  await update(opened.mine.page, ui('features/settings:general.guidelines')).click()
  await question(opened.mine.page).waitFor()
  return { ...opened, id, page: opened.mine.page, sent }
}

test('who saves guidelines that another has changed meanwhile is told both, and nothing is stored until they decide', async () => {
  const { page, id, sent, mine, close } = await guidelinesOfBoth('guidelines, left')
  expect(await side(page, 'Guidelines: Stored now').textContent()).toBe('Theirs.')
  expect(await side(page, 'Guidelines: Yours').textContent()).toBe('Mine.')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(ui('features/settings:conflict.leave'))
  await page.keyboard.press('Escape')
  await question(page).waitFor({ state: 'detached' })
  expect(await typed(page).inputValue()).toBe('Mine.')
  await form(page, ui('features/settings:general.guidelines')).getByText(ui('features/settings:unsaved')).waitFor()
  // Going on with one's own does not make it forgotten.
  await typed(page).fill('Mine, and more.')
  await update(page, ui('features/settings:general.guidelines')).click()
  await question(page).waitFor()
  expect(sent()).toBe(0)
  expect(await guidelinesOf(id)).toBe('Theirs.')
  expect(mine.complaints()).toEqual([])
  await close()
})

test('one’s own is kept where that is what one wants', async () => {
  const { page, id, close } = await guidelinesOfBoth('guidelines, mine')
  await question(page)
    .getByRole('button', { name: ui('features/settings:conflict.keep') })
    .click()
  await saved(page, ui('features/settings:general.guidelines'))
  await expect.poll(() => guidelinesOf(id)).toBe('Mine.')
  expect(await question(page).count()).toBe(0)
  await close()
})

test('a change after that is asked about again', async () => {
  const { page, id, close } = await guidelinesOfBoth('guidelines, again')
  await asOwner(team.server, 'PATCH', `/datasets/${id}`, { guidelines: 'Theirs once more.' })
  await question(page)
    .getByRole('button', { name: ui('features/settings:conflict.keep') })
    .click()
  await side(page, 'Guidelines: Stored now').getByText('Theirs once more.').waitFor()
  await question(page)
    .getByRole('button', { name: ui('features/settings:conflict.take') })
    .click()
  await saved(page, ui('features/settings:general.guidelines'))
  expect(await typed(page).inputValue()).toBe('Theirs once more.')
  expect(await guidelinesOf(id)).toBe('Theirs once more.')
  await close()
})

test('of a question only what both have changed is asked about, and what is taken leaves the rest of one’s own', async () => {
  const id = await givenSettings(team, 'a question')
  const { mine, theirs, close } = await both(id, 'questions')
  const { page } = mine
  const write = async (at: Page, title: string, label: string) => {
    await form(at, 'Tone')
      .getByRole('textbox', { name: ui('question-types/shared:options.text', { value: 'neutral' }) })
      .fill(label)
    await form(at, 'Tone')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill(title)
  }
  await write(theirs.page, 'Theirs', 'Neither')
  await store(theirs.page, 'Tone')
  await write(page, 'Mine', 'Neutral, mine')
  await form(page, 'Tone')
    .getByRole('textbox', { name: ui('features/settings:description') })
    .fill('Only mine.')
  // What others have stored is in the form when one comes back to the window, and what both have changed is asked about all the same.
  const read = page.waitForResponse((response) => response.url().endsWith('/questions'))
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await read
  await form(page, 'Theirs')
    .getByRole('textbox', { name: ui('features/settings:itemTitle') })
    .fill('Mine, longer')
  await update(page, 'Theirs').click()
  await question(page).waitFor()
  expect(await question(page).getByRole('heading', { level: 3 }).allTextContents()).toEqual([
    ui('features/settings:itemTitle'),
    ui('features/settings:conflict.label', { label: 'neutral' }),
  ])
  expect(await side(page, 'Title: Stored now').textContent()).toBe('Theirs')
  expect(await side(page, 'Title: Yours').textContent()).toBe('Mine, longer')
  expect(await side(page, 'Label “neutral”: Stored now').textContent()).toBe('Neither')
  const sent = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await question(page)
    .getByRole('button', { name: ui('features/settings:conflict.take') })
    .click()
  expect((await sent).request().postDataJSON()).toEqual({ description: 'Only mine.' })
  await saved(page, 'Theirs')
  const { items } = await asOwner<{ items: { name: string }[] }>(team.server, 'GET', `/datasets/${id}/questions`)
  expect(items.find(({ name }) => name === 'tone')).toMatchObject({ title: 'Theirs', description: 'Only mine.' })
  expect(mine.complaints()).toEqual([])
  await close()
})

test.each([
  ['fields', 'Text'],
  ['metadata', 'Source'],
  ['vectors', 'Words'],
])('a title among the %s is asked about, too', async (tab, title) => {
  const id = await givenSettings(team, `a title of ${tab}`)
  const { mine, theirs, close } = await both(id, tab)
  const input = (page: Page) => form(page, title).getByRole('textbox', { name: ui('features/settings:itemTitle') })
  await input(mine.page).fill('Mine')
  await input(theirs.page).fill('Theirs')
  await store(theirs.page, title)
  await update(mine.page, title).click()
  await side(mine.page, 'Title: Stored now').getByText('Theirs').waitFor()
  const sent = mine.page.waitForResponse((response) => response.request().method() === 'PATCH')
  await question(mine.page)
    .getByRole('button', { name: ui('features/settings:conflict.keep') })
    .click()
  expect((await sent).request().postDataJSON()).toEqual({ title: 'Mine' })
  await saved(mine.page, 'Mine')
  await close()
})

test('how records are handed out is told in words', async () => {
  const id = await givenSettings(team, 'handed out')
  const { mine, close } = await both(id, 'general')
  const { page } = mine
  const handing = form(page, ui('features/settings:handingOut.title'))
  await handing.getByRole('combobox', { name: 'Order' }).selectOption({ label: 'Oldest records first' })
  await handing.getByLabel(ui('features/settings:handingOut.most')).fill('5')
  const order = [{ scope: { entity: 'record', property: 'inserted_at' }, order: 'desc' }]
  await asOwner(team.server, 'PUT', `/datasets/${id}/queue-settings`, { order, max_per_person: 7, assigned_by: null })
  await update(page, ui('features/settings:handingOut.title')).click()
  expect(await side(page, 'Order: Stored now').textContent()).toBe(ui('features/settings:handingOut.inserted.desc'))
  expect(await side(page, 'Order: Yours').textContent()).toBe('Oldest records first')
  expect(await side(page, 'The most records for one person: Stored now').textContent()).toBe('7')
  const sent = page.waitForResponse((response) => response.request().method() === 'PUT')
  await question(page)
    .getByRole('button', { name: ui('features/settings:conflict.keep') })
    .click()
  expect((await sent).request().postDataJSON()).toMatchObject({ order: [{ order: 'asc' }], max_per_person: 5 })
  await saved(page, ui('features/settings:handingOut.title'))
  await close()
})

test('the question is clean on a phone, in every theme', async () => {
  const id = await givenSettings(team, 'on a phone')
  const { mine, close } = await both(id, 'general', PHONE)
  const { page } = mine
  await typed(page).fill('Mine, which is longer than one line of a phone. '.repeat(30))
  await asOwner(team.server, 'PATCH', `/datasets/${id}`, { guidelines: 'Theirs. '.repeat(200) })
  await update(page, ui('features/settings:general.guidelines')).click()
  await question(page).waitFor()
  for (const theme of THEMES) {
    await wearTheme(page, theme)
    expect(await violations(page, theme === 'light' ? 'all' : lookedAt(theme))).toEqual([])
  }
  await close()
})
