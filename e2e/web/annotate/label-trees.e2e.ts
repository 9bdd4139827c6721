import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from '../../harness/browser.ts'
import { OWNER } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { question, storedAnswers } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { LABEL_TREE } from '../fixtures/label-tree.ts'
import { callAsOwner } from '../fixtures/seed.ts'
import { expectSaved, formNamed, openSettings, updateButton } from '../fixtures/settings.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { labelsOf, paste, setLabels } from '../support/label-rows.ts'

const team = setUpSharedTeam()
const { seedRecords, open, onlyStoredAnswer } = annotationTest(team)

const small = LABEL_TREE.slice(0, 6)
const kind = { title: 'Kind', required: true, settings: { type: 'label_selection', options: small } }
const topics = { title: 'Topics', required: true, settings: { type: 'multi_label_selection', options: LABEL_TREE } }
const one = [{ fields: { text: 'A dog under a tree' } }]

type Option = { readonly value: string; readonly parent?: string }
type Listed = { readonly items: readonly { readonly settings: { readonly options: readonly Option[] } }[] }

const shown = (page: Page, name: string) =>
  question(page, name)
    .getByRole('treeitem')
    .evaluateAll((items) => items.map((item) => `${item.getAttribute('aria-level')} ${item.getAttribute('data-option')}`))
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('data-option'))
const found = (page: Page, name: string) => question(page, name).locator('[data-found]')

test('branches are folded and labels picked with the keyboard', async () => {
  const id = await seedRecords(one, { questions: { kind } })
  const { page, done } = await open(id)
  const open_ = ['1 animals', '2 dogs', '3 poodle', '3 beagle', '2 cats', '1 plants']
  await expect.poll(() => shown(page, 'kind')).toEqual(open_)
  expect(await findViolations(page)).toEqual([])
  await question(page, 'kind').getByRole('treeitem').first().focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => focused(page)).toBe('dogs')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => shown(page, 'kind')).toEqual(['1 animals', '2 dogs', '2 cats', '1 plants'])
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => focused(page)).toBe('animals')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => shown(page, 'kind')).toEqual(open_)
  // A number picks its label. A second press removes it again.
  await page.keyboard.press('4')
  await expect.poll(() => question(page, 'kind').locator('[data-option="beagle"]').getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('4')
  // A branch can be picked too. A picked label stays visible when the branch above it is folded.
  await page.keyboard.press('2')
  await question(page, 'kind').locator('[data-option="animals"]').focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => shown(page, 'kind')).toEqual(['1 animals', '2 dogs', '1 plants'])
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Enter')
  expect(await onlyStoredAnswer(id)).toMatchObject({ status: 'submitted', values: { kind: 'dogs' } })
  await done()
})

test('a search finds labels with their path, and several can be picked', async () => {
  const id = await seedRecords(one, { questions: { topics } })
  const { page, done } = await open(id)
  // A large tree starts folded.
  await expect.poll(async () => (await shown(page, 'topics')).every((row) => row.startsWith('1 '))).toBe(true)
  await page.keyboard.type('poo')
  await expect.poll(() => found(page, 'topics').getAttribute('data-option')).toBe('poodle')
  await found(page, 'topics').getByText('Animals › Dogs › Poodle').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  // A label is also found by the names above it.
  await page.keyboard.type('plants › o')
  await expect.poll(() => found(page, 'topics').getAttribute('data-option')).toBe('oak')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  const picked = question(page, 'topics').locator('[aria-selected="true"]')
  await expect.poll(() => picked.count()).toBe(2)
  await page
    .getByText(ui('question-types/shared:picked', { option: 'Plants › Oak' }))
    .first()
    .waitFor({ state: 'attached' })
  await page.keyboard.press('Control+Enter')
  await expect
    .poll(async () => [...(await storedAnswers(team.server, id)).values()])
    .toEqual([{ status: 'submitted', values: { topics: ['poodle', 'oak'] } }])
  await done()
})

detail('the settings change levels by keyboard, and a dataset is created from pasted lines', async () => {
  const id = await seedRecords(one, { questions: { kind } })
  const opened = await openSettings(team, id, 'questions', OWNER.username)
  const { page } = opened
  const form = formNamed(page, 'Kind')
  const input = (value: string) =>
    form.getByRole('textbox', { name: ui('question-types/shared/options:options.text', { value }) })
  const parents = async () => {
    const { items } = await callAsOwner<Listed>(team.server, 'GET', `/datasets/${id}/questions`)
    return items[0]?.settings.options.map(({ value, parent = null }) => `${value} ${parent}`)
  }
  expect(await findViolations(page)).toEqual([])
  await input('beagle').focus()
  await page.keyboard.press('Alt+Shift+ArrowLeft')
  await input('plants').focus()
  await page.keyboard.press('Alt+Shift+ArrowRight')
  // The labels below a label move with it.
  await form
    .getByRole('button', { name: ui('question-types/shared/options:options.up', { label: 'Cats' }), exact: true })
    .press('Enter')
  // A click waits until the button is enabled. A key press doesn't, so the test waits first.
  await form.getByText(ui('features/settings:unsaved')).waitFor()
  await updateButton(page, 'Kind').press('Enter')
  await expectSaved(page, 'Kind')
  expect(await parents()).toEqual([
    'animals null',
    'dogs animals',
    'poodle dogs',
    'cats animals',
    'beagle animals',
    'plants animals',
  ])

  await page.goto('/new')
  await page.getByRole('button', { name: ui('features/create:start.nothingAction') }).click()
  await page.locator('[data-add=questions]').click()
  await page.getByRole('menuitem', { name: ui('question-types/label_selection:name'), exact: true }).click()
  await setLabels(page, [''])
  await paste(
    page.getByRole('textbox', { name: ui('question-types/shared/options:options.place', { place: 1 }) }),
    'A\n  B\n    C\nD',
  )
  await expect.poll(() => labelsOf(page)).toEqual(['A', 'B', 'C', 'D'])
  await page.getByRole('treeitem', { name: 'C' }).waitFor()
  expect(await page.getByRole('treeitem', { name: 'C' }).getAttribute('aria-level')).toBe('3')
  expect(await findViolations(page)).toEqual([])
  expect(opened.complaints()).toEqual([])
  await opened.close()
})
