import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { lookedAt, PHONE, THEMES, violations, wearTheme } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { givenUser } from '../ground/given.ts'
import { form, givenSettings, openSettings, saved, update } from '../ground/settings.ts'
import { setUpTeam } from '../ground/team.ts'

const team = setUpTeam()
beforeAll(() => givenUser(team.server, 'adam', 'admin', [team.workspaceId]))

const fields = [
  { name: 'text', title: 'Text', required: true, settings: { type: 'text', use_markdown: false } },
  {
    name: 'card',
    title: 'Card',
    required: false,
    settings: { type: 'custom', template: '<b>{{record.fields.card.name}}</b>', advanced_mode: false },
  },
]
const given = (name: string, more: object = {}) =>
  givenSettings(team, name, {
    fields,
    records: ['first', 'second'].map((of) => ({ fields: { text: `The ${of} text.`, card: { name: `The ${of} card` } } })),
    ...more,
  })

const card = (page: Page) => form(page, 'Card')
const template = (page: Page) => card(page).getByRole('textbox', { name: ui('field-types/custom:template') })
const preview = (page: Page) =>
  card(page).getByRole('region', { name: ui('features/settings:questions.preview', { title: 'Card' }) })
const drawn = (page: Page) => preview(page).frameLocator('iframe').locator('body')

test('a template is drawn with the first record, as annotators get it, and again once typing has paused', async () => {
  const { page, close, complaints } = await openSettings(team, await given('previewed'), 'fields', 'adam')
  await drawn(page).getByText('The first card').waitFor()
  await preview(page).getByText(ui('features/settings:fields.withFirst')).waitFor()
  expect(await preview(page).locator('iframe').getAttribute('sandbox')).toBe('allow-scripts')
  // What has no template has no preview.
  expect(await page.getByRole('region', { name: /^Preview of/ }).count()).toBe(1)
  await template(page).fill('<p>{{record.fields.text}} {{record.fields.card.name}}</p>')
  await drawn(page).getByText('The first text. The first card').waitFor()
  expect(await template(page).evaluate((box) => box === document.activeElement)).toBe(true)
  await update(page, 'Card').click()
  await saved(page, 'Card')
  await drawn(page).getByText('The first text. The first card').waitFor()
  expect(complaints()).toEqual([])
  await close()
})

test('what cannot be drawn leaves the last preview, says so, and its fault stays under the template', async () => {
  const { page, close, complaints } = await openSettings(team, await given('faulty'), 'fields', 'adam')
  await drawn(page).getByText('The first card').waitFor()
  await template(page).fill('{{#if record}}<i>never closed</i>')
  await card(page)
    .getByText(ui('field-types/custom:fault.unclosed', { braces: '{{ }}' }))
    .waitFor()
  await preview(page).getByText(ui('features/settings:fields.before')).waitFor()
  await drawn(page).getByText('The first card').waitFor()
  await template(page).fill('{{#if record}}<i>closed</i>{{/if}}')
  await drawn(page).getByText('closed').waitFor()
  await expect.poll(() => preview(page).getByText(ui('features/settings:fields.before')).count()).toBe(0)
  expect(complaints()).toEqual([])
  await close()
})

test('a page of its own runs its scripts apart, and what fails in them is told as it is to annotators', async () => {
  const { page, close } = await openSettings(team, await given('advanced'), 'fields', 'adam')
  await template(page).fill('<p id=x></p><script>x.textContent = "Run with " + record.fields.card.name</script>')
  await card(page)
    .getByRole('switch', { name: ui('field-types/custom:advanced') })
    .check()
  await drawn(page).getByText('Run with The first card').waitFor()
  await template(page).fill('<script>missing()</script>')
  await preview(page)
    .getByText(/^The template has a problem: .*missing is not defined/)
    .waitFor()
  await template(page).fill('<p>Whole</p>')
  await drawn(page).getByText('Whole').waitFor()
  await expect.poll(() => preview(page).getByText('The template has a problem').count()).toBe(0)
  await close()
})

test('a dataset without records has made-up values', async () => {
  const id = await given('no records', { records: [] })
  const { page, close, complaints } = await openSettings(team, id, 'fields', 'adam')
  await preview(page).getByText(ui('features/settings:fields.withMadeUp')).waitFor()
  await template(page).fill('<p>{{record.fields.text}}</p>')
  await drawn(page)
    .getByText(ui('features/settings:questions.sample', { title: 'Text' }))
    .waitFor()
  expect(complaints()).toEqual([])
  await close()
})

test.each([
  ['a wide window', { viewport: { width: 1440, height: 900 } }],
  ['a phone', PHONE],
])('is clean in %s, in every theme', async (name, options) => {
  const { page, close } = await openSettings(team, await given(`clean in ${name}`), 'fields', 'adam', options)
  await drawn(page).getByText('The first card').waitFor()
  await template(page).fill('{{#if record}}')
  await preview(page).getByText(ui('features/settings:fields.before')).waitFor()
  for (const theme of THEMES) {
    await wearTheme(page, theme)
    expect(await violations(page, theme === 'light' ? 'all' : lookedAt(theme))).toEqual([])
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  await close()
})

test('of labels that are all shown it is not said that a rest is folded', async () => {
  const options = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map((text) => ({ value: text, text }))
  const questions = { six: { title: 'Six labels', required: true, settings: { type: 'label_selection', options } } }
  const { page, close } = await openSettings(team, await given('six labels', { questions }), 'questions', 'adam')
  const shown = form(page, 'Six labels').getByRole('slider')
  await shown.waitFor()
  await page.getByText(ui('question-types/shared:options.allVisible', { count: 6 })).waitFor()
  await shown.fill('4')
  await page.getByText(ui('question-types/shared:options.visible', { count: 4 })).waitFor()
  await close()
})
