import { variants } from '@postil/testkit/run-size.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { applyTheme, checkedRules, findViolations, PHONE, THEMES } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { seedUser } from '../fixtures/seed.ts'
import { expectSaved, formNamed, openSettings, seedSettingsDataset, updateButton } from '../fixtures/settings.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const team = setUpSharedTeam()
beforeAll(() => seedUser(team.server, 'adam', 'admin', [team.workspaceId]))

const fields = [
  { name: 'text', title: 'Text', required: true, settings: { type: 'text', use_markdown: false } },
  {
    name: 'card',
    title: 'Card',
    required: false,
    settings: { type: 'custom', template: '<b>{{record.fields.card.name}}</b>', advanced_mode: false },
  },
]
const seed = (name: string, more: object = {}) =>
  seedSettingsDataset(team, name, {
    fields,
    records: ['first', 'second'].map((of) => ({ fields: { text: `The ${of} text.`, card: { name: `The ${of} card` } } })),
    ...more,
  })

const card = (page: Page) => formNamed(page, 'Card')
const template = (page: Page) => card(page).getByRole('textbox', { name: ui('field-types/custom:template') })
const preview = (page: Page) =>
  card(page).getByRole('region', { name: ui('features/settings:questions.preview', { title: 'Card' }) })
const renderedText = (page: Page) => preview(page).frameLocator('iframe').locator('body')

test('a template is rendered with the first record as annotators see it, and again after typing pauses', async () => {
  const { page, close, complaints } = await openSettings(team, await seed('previewed'), 'fields', 'adam')
  await renderedText(page).getByText('The first card').waitFor()
  await preview(page).getByText(ui('features/settings:fields.withFirst')).waitFor()
  expect(await preview(page).locator('iframe').getAttribute('sandbox')).toBe('allow-scripts')
  // A field without a template has no preview.
  expect(await page.getByRole('region', { name: uiPattern('features/settings:questions.preview') }).count()).toBe(1)
  await template(page).fill('<p>{{record.fields.text}} {{record.fields.card.name}}</p>')
  await renderedText(page).getByText('The first text. The first card').waitFor()
  expect(await template(page).evaluate((box) => box === document.activeElement)).toBe(true)
  await updateButton(page, 'Card').click()
  await expectSaved(page, 'Card')
  await renderedText(page).getByText('The first text. The first card').waitFor()
  expect(complaints()).toEqual([])
  await close()
})

test('an invalid template keeps the last preview, says so, and its error stays under the template', async () => {
  const { page, close, complaints } = await openSettings(team, await seed('faulty'), 'fields', 'adam')
  await renderedText(page).getByText('The first card').waitFor()
  await template(page).fill('{{#if record}}<i>never closed</i>')
  await card(page)
    .getByText(ui('field-types/custom:fault.unclosed', { braces: '{{ }}' }))
    .waitFor()
  await preview(page).getByText(ui('features/settings:fields.before')).waitFor()
  await renderedText(page).getByText('The first card').waitFor()
  await template(page).fill('{{#if record}}<i>closed</i>{{/if}}')
  await renderedText(page).getByText('closed').waitFor()
  await expect.poll(() => preview(page).getByText(ui('features/settings:fields.before')).count()).toBe(0)
  expect(complaints()).toEqual([])
  await close()
})

test('an advanced template runs its scripts in isolation, and their errors are shown as to annotators', async () => {
  const { page, close } = await openSettings(team, await seed('advanced'), 'fields', 'adam')
  await template(page).fill('<p id=x></p><script>x.textContent = "Run with " + record.fields.card.name</script>')
  await card(page)
    .getByRole('switch', { name: ui('field-types/custom:advanced') })
    .check()
  await renderedText(page).getByText('Run with The first card').waitFor()
  await template(page).fill('<script>missing()</script>')
  await preview(page)
    .getByText(uiPattern('field-types/custom:problem', { problem: /.*missing is not defined.*/ }))
    .waitFor()
  await template(page).fill('<p>Whole</p>')
  await renderedText(page).getByText('Whole').waitFor()
  await expect.poll(() => preview(page).getByText(uiPattern('field-types/custom:problem')).count()).toBe(0)
  await close()
})

test('a dataset without records has sample values', async () => {
  const id = await seed('no records', { records: [] })
  const { page, close, complaints } = await openSettings(team, id, 'fields', 'adam')
  await preview(page).getByText(ui('features/settings:fields.withMadeUp')).waitFor()
  await template(page).fill('<p>{{record.fields.text}}</p>')
  await renderedText(page)
    .getByText(ui('features/settings:questions.sample', { title: 'Text' }))
    .waitFor()
  expect(complaints()).toEqual([])
  await close()
})

test.each(
  variants(1, [
    ['a wide window', { viewport: { width: 1440, height: 900 } }],
    ['a phone', PHONE],
  ]),
)('the preview is accessible in %s, in every theme', async (name, options) => {
  const { page, close } = await openSettings(team, await seed(`clean in ${name}`), 'fields', 'adam', options)
  await renderedText(page).getByText('The first card').waitFor()
  await template(page).fill('{{#if record}}')
  await preview(page).getByText(ui('features/settings:fields.before')).waitFor()
  for (const theme of THEMES) {
    await applyTheme(page, theme)
    expect(await findViolations(page, theme === 'light' ? 'all' : checkedRules(theme))).toEqual([])
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  await close()
})

test('labels that are all visible are not described as folded', async () => {
  const options = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].map((text) => ({ value: text, text }))
  const questions = { six: { title: 'Six labels', required: true, settings: { type: 'label_selection', options } } }
  const { page, close } = await openSettings(team, await seed('six labels', { questions }), 'questions', 'adam')
  const shown = formNamed(page, 'Six labels').getByRole('slider')
  await shown.waitFor()
  await page.getByText(ui('question-types/shared/options:options.allVisible', { count: 6 })).waitFor()
  await shown.fill('4')
  await page.getByText(ui('question-types/shared/options:options.visible', { count: 4 })).waitFor()
  await close()
})
