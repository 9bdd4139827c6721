import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, openPage } from '../../harness/browser.ts'
import { OWNER } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { openAnnotation } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { expectSaved, openSettings, updateButton } from '../fixtures/settings.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { longTrace, traceField, weatherTrace } from '../fixtures/traces.ts'
import { createSession } from '../support/sign-in.ts'

/* Traces of agents are read with the keyboard alone. */

const team = setUpSharedTeam()
const { seedRecords, open, onlyStoredAnswer } = annotationTest(team)

const f = 'field-types/trace' as const
const fields = [traceField]
const quality = {
  title: 'Quality',
  required: true,
  settings: {
    type: 'label_selection',
    options: [
      { value: 'good', text: 'Good' },
      { value: 'bad', text: 'Bad' },
    ],
  },
}

const treeOf = (page: Page) => page.getByRole('tree', { name: ui(`${f}:tree`, { title: 'Trace' }) })
/** The text of the selected step in the tree. */
const shown = (page: Page) => treeOf(page).locator('[aria-selected="true"]').textContent()
const stepNamed = (page: Page, name: string) => page.getByRole('region', { name: ui(`${f}:step`, { name }) })

detail('keys move between steps, fold them, and the shown step has its input and output', async () => {
  const id = await seedRecords([{ fields: { trace: { steps: weatherTrace } } }], { fields, questions: { quality } })
  const { page, done } = await open(id)
  const tree = treeOf(page)
  await tree.waitFor()
  expect(await shown(page)).toContain('weather agent')
  expect(await tree.getByRole('treeitem').count()).toBe(weatherTrace.length)
  await tree.focus()
  await page.keyboard.press('j')
  await expect.poll(() => shown(page)).toContain('chat')
  const chat = stepNamed(page, 'chat')
  expect(await chat.getByText('Be brief.').count()).toBe(0)
  await chat.getByText(ui(`${f}:systemPrompt`)).click()
  await chat.getByText('Be brief.').waitFor()
  await chat.getByText('forecast').click()
  await chat.getByText('Zürich', { exact: true }).waitFor()
  await tree.focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => shown(page)).toContain(ui(`${f}:error`))
  await stepNamed(page, 'forecast').getByText('Timeout after 900 ms').waitFor()
  await page.keyboard.press('j')
  // Content is plain text, even if it looks like HTML or a template.
  await stepNamed(page, 'forecast').getByText('<img src=x onerror=alert(1)>{{record}}', { exact: true }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => tree.getByRole('treeitem').count()).toBe(weatherTrace.length - 1)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => shown(page)).toContain('cache')
  await page.keyboard.press('k')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => tree.getByRole('treeitem').count()).toBe(1)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('End')
  await expect.poll(() => shown(page)).toContain('chat')
  expect(await findViolations(page, 'all')).toEqual([])
  await done()
})

test('of a long trace, only the visible steps are in the document', async () => {
  const id = await seedRecords([{ fields: { trace: { steps: longTrace(2000) } } }], { fields, questions: { quality } })
  const { page, done } = await open(id)
  const tree = treeOf(page)
  await tree.focus()
  await page.keyboard.press('End')
  await expect.poll(() => shown(page)).toContain('step 1999')
  await stepNamed(page, 'step 1999').getByText('Output of step 1999').waitFor()
  await page.keyboard.press('k')
  await expect.poll(() => shown(page)).toContain('step 1998')
  expect(await tree.getByRole('treeitem').count()).toBeLessThan(120)
  await done()
})

detail('odd traces are shown', async () => {
  const odd = [
    { id: 'a', parent: 'b', kind: 'chain', name: 'first of a cycle' },
    { id: 'b', parent: 'a', kind: 'chain', name: 'second of a cycle' },
    { id: 'c', parent: 'nowhere', kind: 'tool', name: '', input: 'x'.repeat(200_000) },
  ]
  const id = await seedRecords([{ fields: { trace: { steps: odd } } }], { fields, questions: { quality } })
  const { page, done } = await open(id)
  const tree = treeOf(page)
  await expect.poll(() => tree.getByRole('treeitem').count()).toBe(3)
  await page.getByText(ui(`${f}:noParent`)).waitFor()
  await page.getByRole('button', { name: ui(`${f}:showText`, { count: 200_000, formatted: '200,000' }) }).click()
  await tree.focus()
  await page.keyboard.press('End')
  await expect.poll(() => shown(page)).toContain('second of a cycle')
  await done()
  const empty = await open(await seedRecords([{ fields: { trace: { steps: [] } } }], { fields, questions: { quality } }))
  await empty.page.getByText(ui(`${f}:noSteps`)).waitFor()
  await empty.done()
})

const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))
const aboutSteps = (title: string, given: readonly object[], unit: object) => ({
  title,
  required: true,
  settings: { type: 'span', postil_kind: 'turns', field: 'trace', options: given, unit: { of: 'turn', ...unit } },
})

test('questions about steps are answered by keyboard alone, with one key for each label', async () => {
  const scale = ['1', '2', '3'].map((value) => ({ value, text: value, ordinal: 'true' }))
  const questions = {
    calls: aboutSteps('Calls', options('right', 'wrong'), { roles: ['tool'] }),
    stars: aboutSteps('Stars', scale, { roles: ['tool', 'llm'] }),
  }
  const id = await seedRecords([{ fields: { trace: { steps: weatherTrace } } }], { fields, questions })
  const { page, done } = await open(id)
  const tree = treeOf(page)
  const labeled = (count: number, all: number) =>
    page.getByText(ui(`${f}:labeled`, { count: all, labeled: count, formatted: all }), { exact: true })
  await tree.waitFor()
  await labeled(0, 2).waitFor()
  // The first J moves into the trace, to the first step that needs a label.
  await page.keyboard.press('j')
  await expect.poll(() => shown(page)).toContain('forecast')
  await page.keyboard.press('k')
  await expect.poll(() => shown(page)).toContain('chat')
  // This step has only the question about stars.
  await page.keyboard.press('3')
  await labeled(1, 4).waitFor()
  await expect.poll(() => shown(page)).toContain(ui(`${f}:error`))
  await page.keyboard.press('2')
  await page.keyboard.press('1')
  await expect.poll(() => shown(page)).toContain('350')
  await page.keyboard.press('1')
  await page.keyboard.press('h')
  await page.keyboard.press('Delete')
  await labeled(1, 2).waitFor()
  expect(await findViolations(page, 'all')).toEqual([])
  await page.keyboard.press('1')
  await page.keyboard.press('2')
  await expect.poll(() => tree.locator('[aria-selected="true"]').textContent()).toContain('chat')
  await page.keyboard.press('3')
  await labeled(4, 4).waitFor()
  await page.keyboard.press('Enter')
  const answer = await onlyStoredAnswer(id)
  expect(answer?.values).toEqual({
    calls: [
      { label: 'wrong', start: 2, end: 3 },
      { label: 'right', start: 3, end: 4 },
    ],
    stars: [
      { label: '3', start: 1, end: 2 },
      { label: '1', start: 2, end: 3 },
      { label: '2', start: 3, end: 4 },
      { label: '3', start: 5, end: 6 },
    ],
  })
  await done()
})

detail('keys that are pressed before the view of the trace has loaded are handled when it appears', async () => {
  const questions = { calls: aboutSteps('Calls', options('right', 'wrong'), { roles: ['tool'] }) }
  const id = await seedRecords([{ fields: { trace: { steps: weatherTrace } } }], { fields, questions })
  const opened = await openPage(team.browser, team.server.url, { isNew: true })
  await createSession(opened.page, team.server.url)
  const view = Promise.withResolvers<void>()
  await opened.page.route(/\/assets\/TraceTurns-[^/]*\.js/, async (route) => {
    await view.promise
    await route.continue()
  })
  await openAnnotation(opened.page, id)
  await opened.page.locator('[data-question=calls]').waitFor()
  expect(await treeOf(opened.page).count()).toBe(0)
  await opened.page.keyboard.press('2')
  await opened.page.keyboard.press('1')
  view.resolve()
  await treeOf(opened.page).waitFor()
  const labeled = ui(`${f}:labeled`, { count: 2, labeled: 2, formatted: 2 })
  await opened.page.getByText(labeled, { exact: true }).waitFor()
  await opened.page.keyboard.press('Enter')
  expect((await onlyStoredAnswer(id))?.values).toEqual({
    calls: [
      { label: 'wrong', start: 2, end: 3 },
      { label: 'right', start: 3, end: 4 },
    ],
  })
  expect(opened.complaints()).toEqual([])
  await opened.close()
})

detail('a custom field becomes a trace in the settings, and values that are none stay readable', async () => {
  const settings = { type: 'custom', template: '<p>{{record.fields.run.steps}}</p>', advanced_mode: false }
  const records = [{ fields: { run: { steps: weatherTrace } } }, { fields: { run: { other: 'kept value' } } }]
  const id = await seedRecords(records, {
    fields: [{ name: 'run', title: 'Run', required: true, settings }],
    questions: { quality },
  })
  const { page, close, complaints } = await openSettings(team, id, 'fields', OWNER.username)
  const view = page.getByRole('combobox', { name: ui('features/settings:fields.view') })
  await view.selectOption({ label: ui('field-types/trace:name') })
  expect(await findViolations(page)).toEqual([])
  await updateButton(page, 'Run').click()
  await expectSaved(page, 'Run')
  await openAnnotation(page, id)
  const tree = page.getByRole('tree', { name: ui(`${f}:tree`, { title: 'Run' }) })
  const other = page.getByText('kept value')
  await tree.or(other).waitFor()
  const isTree = (await tree.count()) === 1
  await page.keyboard.press('ArrowRight')
  await (isTree ? other : tree).waitFor()
  expect(complaints()).toEqual([])
  await close()
})
