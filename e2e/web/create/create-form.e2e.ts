import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findViolations, openPage } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { choose, startDataset } from '../support/creation-form.ts'
import { labelsOf, paste, setLabels } from '../support/label-rows.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()
beforeAll(async () => {
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
})

/** Opens the form for a new dataset from the home page. */
const atForm = async () => {
  const opened = await openPage(team.browser, team.server.url)
  const { page } = opened
  await createSession(page, team.server.url, 'adam', PASSWORD)
  await page.goto('/')
  await startDataset(page, 'scratch')
  return opened
}
const add = async (page: Page, kind: string): Promise<void> => {
  await page.getByRole('button', { name: ui('features/create:questions.add') }).click()
  await page.getByRole('menuitem', { name: kind }).click()
}
const preview = (page: Page) => page.getByRole('region', { name: ui('features/create:preview.title') })

describe('numbers in the form', () => {
  test('for a rating scale are reported at the invalid input with the allowed range', async () => {
    const { page, close, complaints } = await atForm()
    await add(page, ui('question-types/rating:name'))
    const from = page.getByRole('spinbutton', { name: ui('question-types/rating:scale.from') })
    const to = page.getByRole('spinbutton', { name: ui('question-types/rating:scale.to') })
    /** An input's error message. Empty if there is none. */
    const faultOf = (input: typeof from) =>
      input.evaluate((element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent ?? '')
    const range = ui('question-types/rating:scale.range', { least: '0', greatest: '10' })
    for (const [first, last, faults] of [
      ['-1', '5', [range, '']],
      ['1', '11', ['', range]],
      ['1.5', '', [range, range]],
      ['7', '3', ['', ui('question-types/rating:scale.order')]],
      ['3', '3', ['', ui('question-types/shared/options:fault.atLeastTwo')]],
      ['1', '5', ['', '']],
    ] as const) {
      await from.fill(first)
      await to.fill(last)
      await expect.poll(async () => [await faultOf(from), await faultOf(to)], { message: `${first} to ${last}` }).toEqual(faults)
    }
    await from.fill('-1')
    // Only the invalid input is marked, because the page moves the focus to the first marked input.
    await expect
      .poll(async () => [await from.getAttribute('aria-invalid'), await to.getAttribute('aria-invalid')])
      .toEqual(['true', null])
    expect(complaints()).toEqual([])
    await close()
  })

  test('for required answers are reported as in the settings', async () => {
    const { page, close } = await atForm()
    const answers = page.getByRole('spinbutton', { name: ui('features/create:work.minSubmitted') })
    for (const typed of ['0', '-1', '1.5']) {
      await answers.fill(typed)
      await page.getByText(ui('features/create:fault.wholeNumber', { min: '1' }), { exact: true }).waitFor()
      await answers.fill('2')
      await page.getByText(ui('features/create:fault.wholeNumber', { min: '1' }), { exact: true }).waitFor({ state: 'detached' })
    }
    await answers.fill('')
    await page.getByText(ui('features/create:fault.required'), { exact: true }).waitFor()
    await close()
  })
})

test('the preview shows a suggestion if a multi-label question has more than three labels', async () => {
  const { page, close, complaints } = await atForm()
  await add(page, ui('question-types/multi_label_selection:name'))
  const suggested = () =>
    preview(page)
      .getByRole('option', { name: uiPattern('question-types/shared:suggestedWithScore', {}, { whole: false }) })
      .allTextContents()
  await expect.poll(suggested).toEqual(
    [
      ['news', '0.5'],
      ['sports', '0.7'],
    ].map(([label, score = '']) =>
      expect.stringMatching(new RegExp(`${label}.*${ui('question-types/shared:suggestedWithScore', { score })}$`)),
    ),
  )
  await setLabels(page, ['news', 'sports', 'politics'])
  await expect.poll(() => preview(page).getByRole('option').count()).toBe(3)
  await expect.poll(suggested).toEqual([])
  expect(complaints()).toEqual([])
  await close()
})

test('an invalid template is reported at its input with the line, and prevents creation', async () => {
  const { page, close, complaints } = await atForm()
  await page.getByRole('textbox', { name: ui('features/create:about.name') }).fill('templates')
  await page.getByRole('button', { name: ui('features/create:fields.add') }).click()
  await page.getByRole('menuitem', { name: ui('field-types/custom:name') }).click()
  await add(page, ui('question-types/text:name'))
  const template = page.getByRole('textbox', { name: ui('field-types/custom:template') })
  const faultOf = () =>
    template.evaluate((box) => document.getElementById(box.getAttribute('aria-describedby') ?? '')?.textContent ?? '')
  for (const [typed, fault] of [
    [
      '<b>\n{{#if record.fields.a}}\n{{/each}}',
      ui('field-types/custom:fault.mismatch', { line: '2', opened: 'if', closed: 'each' }),
    ],
    ['<b>\n\n{{= x}}', ui('field-types/custom:fault.unreadable', { line: '3', near: '{{= x}}' })],
    ['{{#if record.fields.a}}', ui('field-types/custom:fault.unclosed', { braces: '{{ }}' })],
    [' ', ui('field-types/custom:fault.missing')],
    ['{{upper record}}', ui('field-types/custom:fault.unknownHelper', { line: '1', name: 'upper' })],
  ] as const) {
    await template.fill(typed)
    await expect.poll(faultOf).toBe(fault)
  }
  await page.getByRole('button', { name: ui('features/create:bar.create') }).click()
  await page
    .getByRole('form')
    .getByText(ui('features/create:bar.faults', { count: 1 }))
    .waitFor()
  await expect.poll(() => template.evaluate((box) => box === document.activeElement)).toBe(true)
  expect(await findViolations(page, 'all')).toEqual([])
  await template.fill('<b>{{record.fields.custom.text}}</b>')
  await page.getByRole('button', { name: ui('features/create:bar.create') }).click()
  await page.waitForURL(/\/import$/)
  await page.goto(page.url().replace(/\/import$/, '/settings?tab=fields'))
  const field = page.getByRole('form', { name: 'custom' })
  const update = field.getByRole('button', { name: ui('features/settings:update') })
  await template.fill('{{#each record}}\n{{/if}}')
  await expect.poll(faultOf).toBe(ui('field-types/custom:fault.mismatch', { line: '1', opened: 'each', closed: 'if' }))
  expect(await update.getAttribute('aria-disabled')).toBe('true')
  expect(await findViolations(page, 'all')).toEqual([])
  await template.fill('<i>{{json record}}</i>')
  const stored = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok())
  await update.click()
  expect(await (await stored).json()).toMatchObject({ settings: { template: '<i>{{json record}}</i>' } })
  expect(complaints()).toEqual([])
  await close()
})

test('missing question settings are described in words, in the form and in the annotator preview', async () => {
  const { page, close } = await atForm()
  await add(page, ui('question-types/span:name'))
  await preview(page).getByText(ui('question-types/span:noFieldYet')).waitFor()
  await setLabels(page, ['a', 'b', 'a'])
  await page.getByRole('button', { name: ui('features/create:fields.add') }).click()
  await page.getByRole('menuitem', { name: ui('field-types/text:name') }).click()
  await page.getByRole('combobox', { name: ui('question-types/span:field') }).selectOption('text')
  await page.getByText(ui('question-types/shared/options:options.twice', { label: 'a' })).waitFor()
  await close()
})

test('going back asks for confirmation without changing the address, and the choice is respected', async () => {
  const { page, close, complaints } = await atForm()
  const name = page.getByRole('textbox', { name: ui('features/create:about.name') })
  const question = page.getByRole('dialog', { name: ui('features/create:leave.title') })
  await name.fill('half a dataset')
  for (const _ of [1, 2]) {
    await page.evaluate(() => history.back())
    await question.waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/new')
    await question.getByRole('button', { name: ui('features/create:leave.stay') }).click()
    await question.waitFor({ state: 'detached' })
    await expect.poll(async () => [new URL(page.url()).pathname, await name.inputValue()]).toEqual(['/new', 'half a dataset'])
  }
  await page.evaluate(() => history.back())
  await question.getByRole('button', { name: ui('features/create:leave.leave') }).click()
  await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  // The browser history has no additional entry.
  await page.goForward()
  await expect.poll(() => name.inputValue()).toBe('')
  expect(complaints()).toEqual([])
  await close()
})

test('labels are added with Enter and by pasting, moved with keys and removed, and 500 of them stay editable', async () => {
  const { page, close, complaints } = await atForm()
  await add(page, ui('question-types/label_selection:name'))
  await setLabels(page, ['a', 'b'])
  const rows = page.getByRole('list', { name: ui('question-types/shared/options:options.title') }).getByRole('textbox')
  await rows.nth(0).press('Enter')
  await expect.poll(() => rows.nth(1).evaluate((input) => input === document.activeElement)).toBe(true)
  await page.keyboard.type('between')
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => labelsOf(page)).toEqual(['between', 'a', 'b'])
  await expect.poll(() => rows.nth(0).evaluate((input) => input === document.activeElement)).toBe(true)
  await page
    .getByRole('button', { name: ui('question-types/shared/options:options.remove', { label: 'a' }), exact: true })
    .click()
  await expect.poll(() => labelsOf(page)).toEqual(['between', 'b'])
  const many = Array.from({ length: 498 }, (_, i) => `label ${i + 1}`)
  await paste(rows.nth(1), `${many.join('\n')}\n`)
  await expect.poll(() => labelsOf(page)).toEqual(['between', 'b', ...many])
  await expect.poll(() => rows.nth(499).evaluate((input) => input === document.activeElement)).toBe(true)
  await rows.nth(250).fill('label 1')
  await page.getByText(ui('question-types/shared/options:options.twice', { label: 'label 1' })).waitFor()
  expect(await rows.nth(250).getAttribute('aria-invalid')).toBe('true')
  expect(await findViolations(page)).toEqual([])
  await rows.nth(250).fill('')
  await rows.nth(250).press('Backspace')
  await expect.poll(() => rows.count()).toBe(499)
  expect(complaints()).toEqual([])
  await close()
})

test('while the members that annotations may belong to are loading, the form says so and creates nothing', async () => {
  const { page, close, complaints } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url, 'adam', PASSWORD)
  const released = Promise.withResolvers<void>()
  await page.route('**/api/v1/workspaces/*/users', async (route) => {
    await released.promise
    await route.continue()
  })
  await page.goto('/new')
  await choose(page, 'export.json', readFileSync(join(import.meta.dirname, 'import-files', 'labelstudio', 'export.json')))
  await page.getByText(ui('features/create:bar.waiting')).waitFor()
  const create = page.getByRole('button', { name: ui('features/create:bar.createAndImport') })
  expect(await create.isDisabled()).toBe(true)
  released.resolve()
  await create.click()
  await page.waitForURL(/dataset\/[^/]+\/import/)
  expect(complaints()).toEqual([])
  await close()
})
