import { variants } from '@postil/testkit/run-size.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { applyTheme, checkedRules, findViolations, PHONE, THEMES } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, seedUser } from '../fixtures/seed.ts'
import { expectSaved, formNamed, openSettings, seedSettingsDataset, updateButton } from '../fixtures/settings.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const team = setUpSharedTeam()
beforeAll(async () => {
  for (const name of ['adam', 'eve']) await seedUser(team.server, name, 'admin', [team.workspaceId])
})

/** Opens the same section of the settings as two users. */
const both = async (id: string, tab: string, options = {}) => {
  const mine = await openSettings(team, id, tab, 'adam', options)
  const theirs = await openSettings(team, id, tab, 'eve')
  for (const { page } of [mine, theirs]) await page.waitForLoadState('networkidle')
  return { mine, theirs, close: () => Promise.all([mine.close(), theirs.close()]) }
}
const store = async (page: Page, title: string): Promise<void> => {
  const stored = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await updateButton(page, title).click()
  await stored
}
/** Counts the writes of a page. */
const watch = (page: Page): (() => number) => {
  let sent = 0
  page.on('request', (request) => {
    if (!['GET', 'HEAD'].includes(request.method())) sent += 1
  })
  return () => sent
}
const question = (page: Page) => page.getByRole('dialog', { name: ui('features/settings:conflict.title') })
const side = (page: Page, label: string, whose: 'theirs' | 'mine') =>
  question(page).getByRole('region', { name: `${label}: ${ui(`features/settings:conflict.${whose}`)}`, exact: true })
const typed = (page: Page) =>
  formNamed(page, ui('features/settings:general.guidelines')).getByRole('textbox', {
    name: ui('features/settings:general.guidelines'),
  })
const guidelinesOf = async (id: string) =>
  (await callAsOwner<{ guidelines: string }>(team.server, 'GET', `/datasets/${id}`)).guidelines

const guidelinesOfBoth = async (name: string) => {
  const id = await seedSettingsDataset(team, name)
  const opened = await both(id, 'general')
  await typed(opened.mine.page).fill('Mine.')
  await typed(opened.theirs.page).fill('Theirs.')
  await store(opened.theirs.page, ui('features/settings:general.guidelines'))
  const sent = watch(opened.mine.page)
  await updateButton(opened.mine.page, ui('features/settings:general.guidelines')).click()
  await question(opened.mine.page).waitFor()
  return { ...opened, id, page: opened.mine.page, sent }
}

test('saving guidelines that someone else changed shows both versions, and nothing is stored until the user decides', async () => {
  const { page, id, sent, mine, close } = await guidelinesOfBoth('guidelines, left')
  expect(await side(page, ui('features/settings:general.guidelines'), 'theirs').textContent()).toBe('Theirs.')
  expect(await side(page, ui('features/settings:general.guidelines'), 'mine').textContent()).toBe('Mine.')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(ui('features/settings:conflict.leave'))
  await page.keyboard.press('Escape')
  await question(page).waitFor({ state: 'detached' })
  expect(await typed(page).inputValue()).toBe('Mine.')
  await formNamed(page, ui('features/settings:general.guidelines')).getByText(ui('features/settings:unsaved')).waitFor()
  // Further edits don't dismiss the conflict.
  await typed(page).fill('Mine, and more.')
  await updateButton(page, ui('features/settings:general.guidelines')).click()
  await question(page).waitFor()
  expect(sent()).toBe(0)
  expect(await guidelinesOf(id)).toBe('Theirs.')
  expect(mine.complaints()).toEqual([])
  await close()
})

test('the user can keep their own version', async () => {
  const { page, id, close } = await guidelinesOfBoth('guidelines, mine')
  await question(page)
    .getByRole('button', { name: ui('features/settings:conflict.keep') })
    .click()
  await expectSaved(page, ui('features/settings:general.guidelines'))
  await expect.poll(() => guidelinesOf(id)).toBe('Mine.')
  expect(await question(page).count()).toBe(0)
  await close()
})

test('another change by someone else asks again', async () => {
  const { page, id, close } = await guidelinesOfBoth('guidelines, again')
  await callAsOwner(team.server, 'PATCH', `/datasets/${id}`, { guidelines: 'Theirs once more.' })
  await question(page)
    .getByRole('button', { name: ui('features/settings:conflict.keep') })
    .click()
  await side(page, ui('features/settings:general.guidelines'), 'theirs').getByText('Theirs once more.').waitFor()
  await question(page)
    .getByRole('button', { name: ui('features/settings:conflict.take') })
    .click()
  await expectSaved(page, ui('features/settings:general.guidelines'))
  expect(await typed(page).inputValue()).toBe('Theirs once more.')
  expect(await guidelinesOf(id)).toBe('Theirs once more.')
  await close()
})

test("only question values that both changed are asked about, and taking theirs leaves the user's other changes", async () => {
  const id = await seedSettingsDataset(team, 'a question')
  const { mine, theirs, close } = await both(id, 'questions')
  const { page } = mine
  const write = async (at: Page, title: string, label: string) => {
    await formNamed(at, 'Tone')
      .getByRole('textbox', { name: ui('question-types/shared/options:options.text', { value: 'neutral' }) })
      .fill(label)
    await formNamed(at, 'Tone')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill(title)
  }
  await write(theirs.page, 'Theirs', 'Neither')
  await store(theirs.page, 'Tone')
  await write(page, 'Mine', 'Neutral, mine')
  await formNamed(page, 'Tone')
    .getByRole('textbox', { name: ui('features/settings:description') })
    .fill('Only mine.')
  // When the window regains focus, the form loads other users' changes. This doesn't dismiss a conflict.
  const read = page.waitForResponse((response) => response.url().endsWith('/questions'))
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await read
  await formNamed(page, 'Theirs')
    .getByRole('textbox', { name: ui('features/settings:itemTitle') })
    .fill('Mine, longer')
  await updateButton(page, 'Theirs').click()
  await question(page).waitFor()
  expect(await question(page).getByRole('heading', { level: 3 }).allTextContents()).toEqual([
    ui('features/settings:itemTitle'),
    ui('features/settings:conflict.label', { label: 'neutral' }),
  ])
  expect(await side(page, ui('features/settings:itemTitle'), 'theirs').textContent()).toBe('Theirs')
  expect(await side(page, ui('features/settings:itemTitle'), 'mine').textContent()).toBe('Mine, longer')
  expect(await side(page, ui('features/settings:conflict.label', { label: 'neutral' }), 'theirs').textContent()).toBe('Neither')
  const sent = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await question(page)
    .getByRole('button', { name: ui('features/settings:conflict.take') })
    .click()
  expect((await sent).request().postDataJSON()).toEqual({ description: 'Only mine.' })
  await expectSaved(page, 'Theirs')
  const { items } = await callAsOwner<{ items: { name: string }[] }>(team.server, 'GET', `/datasets/${id}/questions`)
  expect(items.find(({ name }) => name === 'tone')).toMatchObject({ title: 'Theirs', description: 'Only mine.' })
  expect(mine.complaints()).toEqual([])
  await close()
})

test.each(
  variants(1, [
    ['fields', 'Text'],
    ['metadata', 'Source'],
    ['vectors', 'Words'],
  ]),
)('a conflicting title in %s is also asked about', async (tab, title) => {
  const id = await seedSettingsDataset(team, `a title of ${tab}`)
  const { mine, theirs, close } = await both(id, tab)
  const input = (page: Page) => formNamed(page, title).getByRole('textbox', { name: ui('features/settings:itemTitle') })
  await input(mine.page).fill('Mine')
  await input(theirs.page).fill('Theirs')
  await store(theirs.page, title)
  await updateButton(mine.page, title).click()
  await side(mine.page, ui('features/settings:itemTitle'), 'theirs').getByText('Theirs').waitFor()
  const sent = mine.page.waitForResponse((response) => response.request().method() === 'PATCH')
  await question(mine.page)
    .getByRole('button', { name: ui('features/settings:conflict.keep') })
    .click()
  expect((await sent).request().postDataJSON()).toEqual({ title: 'Mine' })
  await expectSaved(mine.page, 'Mine')
  await close()
})

test('a conflict in assignment settings is described in words', async () => {
  const id = await seedSettingsDataset(team, 'handed out')
  const { mine, close } = await both(id, 'general')
  const { page } = mine
  const handing = formNamed(page, ui('features/settings:handingOut.title'))
  await handing
    .getByRole('combobox', { name: ui('features/settings:handingOut.order') })
    .selectOption({ label: ui('features/settings:handingOut.inserted.asc') })
  await handing.getByLabel(ui('features/settings:handingOut.maxPerPerson')).fill('5')
  const order = [{ scope: { entity: 'record', property: 'inserted_at' }, order: 'desc' }]
  await callAsOwner(team.server, 'PUT', `/datasets/${id}/queue-settings`, { order, max_per_person: 7, assigned_by: null })
  await updateButton(page, ui('features/settings:handingOut.title')).click()
  expect(await side(page, ui('features/settings:handingOut.order'), 'theirs').textContent()).toBe(
    ui('features/settings:handingOut.inserted.desc'),
  )
  expect(await side(page, ui('features/settings:handingOut.order'), 'mine').textContent()).toBe(
    ui('features/settings:handingOut.inserted.asc'),
  )
  expect(await side(page, ui('features/settings:handingOut.maxPerPerson'), 'theirs').textContent()).toBe('7')
  const sent = page.waitForResponse((response) => response.request().method() === 'PUT')
  await question(page)
    .getByRole('button', { name: ui('features/settings:conflict.keep') })
    .click()
  expect((await sent).request().postDataJSON()).toMatchObject({ order: [{ order: 'asc' }], max_per_person: 5 })
  await expectSaved(page, ui('features/settings:handingOut.title'))
  await close()
})

test('the conflict question is accessible on a phone in every theme', async () => {
  const id = await seedSettingsDataset(team, 'on a phone')
  const { mine, close } = await both(id, 'general', PHONE)
  const { page } = mine
  await typed(page).fill('Mine, which is longer than one line of a phone. '.repeat(30))
  await callAsOwner(team.server, 'PATCH', `/datasets/${id}`, { guidelines: 'Theirs. '.repeat(200) })
  await updateButton(page, ui('features/settings:general.guidelines')).click()
  await question(page).waitFor()
  for (const theme of THEMES) {
    await applyTheme(page, theme)
    expect(await findViolations(page, theme === 'light' ? 'all' : checkedRules(theme))).toEqual([])
  }
  await close()
})
