import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { expectLeft, QUESTIONS, storedAnswers } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { callAsOwner } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const team = setUpSharedTeam()
const { seedRecords, open } = annotationTest(team)

const { tone, note, quality } = QUESTIONS
const options = ['Rude', 'Unclear'].map((text) => ({ value: text.toLowerCase(), text }))
const reason = {
  title: 'Reason',
  required: true,
  settings: { type: 'label_selection', options },
  shown_when: { all: [{ question: 'tone', in: ['negative'] }] },
}

const shownTitles = (page: Page) => page.locator('[data-question] h2').allInnerTexts()
const titles = async (page: Page) => (await shownTitles(page)).map((title) => title.split('\n')[0]?.replace(/ \*.*$/, ''))
const announced = (page: Page, title: string) =>
  page.getByText(ui('features/annotate:question.appeared', { title })).first().waitFor({ state: 'attached' })

test('a question appears and disappears with the answer that it depends on, by keyboard alone', async () => {
  const id = await seedRecords(
    [1, 2, 3].map((number) => ({ fields: { text: `Record ${number}` } })),
    { questions: { tone, reason, note } },
  )
  const { page, done } = await open(id)
  await expect.poll(() => titles(page)).toEqual(['Tone', 'Note'])
  expect(await findViolations(page)).toEqual([])
  // The key 3 selects Negative. This makes the next question appear, and the focus moves to that question.
  await page.keyboard.press('3')
  await expect.poll(() => titles(page)).toEqual(['Tone', 'Reason', 'Note'])
  await announced(page, 'Reason')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[data-question]')?.getAttribute('data-question')))
    .toBe('reason')
  expect(await findViolations(page)).toEqual([])
  // The question is required while it is shown.
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('[data-question="reason"][data-missing]').count()).toBe(1)
  await page.keyboard.press('2')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  // The key 2 selects Neutral. The draft keeps the reason, but the sent answer doesn't contain it.
  await page.keyboard.press('2')
  await expect.poll(() => titles(page)).toEqual(['Tone', 'Note'])
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('3')
  await expect.poll(() => titles(page)).toEqual(['Tone', 'Reason', 'Note'])
  await expect.poll(() => page.locator('[data-question="reason"] [aria-checked="true"]').count()).toBe(1)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('2')
  await expect.poll(() => titles(page)).toEqual(['Tone', 'Note'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Enter')
  await expectLeft(page, 2)
  await expect
    .poll(async () => [...(await storedAnswers(team.server, id)).values()])
    .toEqual([{ status: 'submitted', values: { tone: 'neutral' } }])
  // The next record starts without the question.
  await expect.poll(() => titles(page)).toEqual(['Tone', 'Note'])
  // Undo brings the record back, with the reason in its draft.
  await page.keyboard.press('Control+z')
  await expectLeft(page, 3)
  await page.keyboard.press('3')
  await expect.poll(() => page.locator('[data-question="reason"] [aria-checked="true"]').count()).toBe(1)
  await page.keyboard.press('Control+Enter')
  await expectLeft(page, 2)
  await expect
    .poll(async () => [...(await storedAnswers(team.server, id)).values()])
    .toEqual([{ status: 'submitted', values: { tone: 'negative', reason: 'unclear' } }])
  await done()
})

detail('metadata decides which questions are shown on a record', async () => {
  const id = await seedRecords(
    ['de', 'en'].map((lang, i) => ({ external_id: lang, fields: { text: `Record ${i + 1}` }, metadata: { lang } })),
    { questions: { tone, quality }, metadata: [{ name: 'lang', title: 'Language', settings: { type: 'terms' } }] },
  )
  const { items } = await callAsOwner<{ items: { id: string; name: string }[] }>(team.server, 'GET', `/datasets/${id}/questions`)
  await callAsOwner(team.server, 'PATCH', `/questions/${items[1]?.id}`, {
    shown_when: { all: [{ metadata: 'lang', in: ['de'] }] },
  })
  const { page, done } = await open(id)
  await expect.poll(() => titles(page)).toEqual(['Tone', 'Quality'])
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => titles(page)).toEqual(['Tone'])
  await page.keyboard.press('1')
  await page.keyboard.press('Control+Enter')
  await expectLeft(page, 1)
  await done()
})
