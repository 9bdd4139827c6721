import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { QUESTIONS, question, TEXT } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const team = setUpSharedTeam()
const { seedRecords, open } = annotationTest(team)

/** The announcements that a screen reader makes in addition to reading the focused element. */
const expectAnnounced = (page: Page, urgency: 'status' | 'alert' = 'status') =>
  expect.poll(() => page.locator(`.visually-hidden[aria-live][role=${urgency}]`).textContent())
const go = (page: Page, name: string) => question(page, name).focus()

test('announces a label that a key selected outside the focused question, and its deselection', async () => {
  const id = await seedRecords([{ fields: { text: TEXT } }])
  const { page, done } = await open(id)
  await go(page, 'tone')
  await page.keyboard.press('2')
  await expectAnnounced(page).toBe(ui('question-types/shared:picked', { option: 'Neutral' }))
  await go(page, 'tone')
  await page.keyboard.press('2')
  await expectAnnounced(page).toBe(ui('question-types/shared:takenOff', { option: 'Neutral' }))
  await go(page, 'topics')
  await page.keyboard.press('3')
  await expectAnnounced(page).toBe(ui('question-types/shared:picked', { option: 'Topic 03' }))
  await go(page, 'quality')
  await page.keyboard.press('7')
  await expectAnnounced(page).toBe(ui('question-types/shared:picked', { option: '7' }))
  // Selecting an option with Space moves the focus to the next question immediately.
  await question(page, 'quality').getByRole('radio', { name: '4', exact: true }).press('Space')
  await expectAnnounced(page).toBe(ui('question-types/shared:picked', { option: '4' }))
  await go(page, 'entities')
  await page.keyboard.press('1')
  await expectAnnounced(page).toBe(ui('question-types/shared:picked', { option: 'Person' }))
  await done()
})

test('announces the label search results and the label that Enter selected', async () => {
  const id = await seedRecords([{ fields: { text: TEXT } }])
  const { page, done } = await open(id)
  await go(page, 'topics')
  await page.keyboard.type('t')
  await expectAnnounced(page).toBe(ui('question-types/shared:found', { count: 24, first: 'Topic 01' }))
  await page.keyboard.type('opic 13')
  await expectAnnounced(page).toBe(ui('question-types/shared:found', { count: 1, first: 'Topic 13' }))
  await page.keyboard.press('Enter')
  await expectAnnounced(page).toBe(ui('question-types/shared:picked', { option: 'Topic 13' }))
  await page.keyboard.type('zz')
  await expectAnnounced(page).toBe(ui('question-types/shared:noLabelFound', { query: 'zz' }))
  await done()
})

test('announces which question still needs an answer on submit, even if it already has the focus', async () => {
  const id = await seedRecords([{ fields: { text: TEXT } }])
  const { page, done } = await open(id)
  await page.keyboard.press('Enter')
  await expectAnnounced(page, 'alert').toBe(`Tone: ${ui('features/annotate:question.missing')}`)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expectAnnounced(page, 'alert').toBe(`Topics: ${ui('features/annotate:question.missing')}`)
  await done()
})

test('announces undo and redo in the form', async () => {
  const id = await seedRecords([{ fields: { text: TEXT } }])
  const { page, done } = await open(id)
  await page.keyboard.press('1')
  await expectAnnounced(page).toBe(ui('question-types/shared:picked', { option: 'Positive' }))
  await page.keyboard.press('Control+z')
  await expectAnnounced(page).toBe(ui('features/annotate:done.undone'))
  await page.keyboard.press('Control+Shift+z')
  await expectAnnounced(page).toBe(ui('features/annotate:done.redone'))
  await page.keyboard.press('Control+z')
  await expectAnnounced(page).toBe(ui('features/annotate:done.undone'))
  await done()
})

test('describes suggested cards and spans as suggestions, like labels', async () => {
  const person = { label: 'person', start: TEXT.indexOf('Charles') - 3, end: TEXT.indexOf('.') - 3 }
  const replies = ['reply-b', 'reply-a', 'reply-c'].map((value, index) => ({ value, rank: index + 1 }))
  const suggestions = { replies: { value: replies, score: [0.5, 0.4, 0.3] }, entities: { value: [person], score: [0.9] } }
  const id = await seedRecords([{ fields: { text: TEXT }, suggestions }])
  const { page, done } = await open(id)
  const suggested = (score: number) => ui('question-types/shared:suggestedWithScore', { score })
  const reply = (rank: number) => `Reply B ${ui('question-types/ranking:rankOf', { rank, count: 3 })}`
  const card = (name: string) => question(page, 'replies').getByRole('button', { name, exact: true })
  await card(`${reply(1)} ${suggested(0.5)}`).press('ArrowDown')
  await card(reply(2)).waitFor()
  const spans = question(page, 'entities').getByRole('button', { name: ui('question-types/span:count', { count: 1 }) })
  await spans.press('Enter')
  await question(page, 'entities')
    .getByRole('option', { name: suggested(0.9) })
    .waitFor()
  const marks = page.getByRole('textbox', { name: 'Text' })
  const chip = await marks.locator('[data-chip]').textContent()
  expect([chip?.startsWith('Person'), chip?.endsWith(suggested(0.9))]).toEqual([true, true])
  await marks.press('Tab')
  await expectAnnounced(page).toBe(`Person: Charles Babbage, ${suggested(0.9)}`)
  await done()
})

test('announces the option that a digit selected, that it was submitted, and that Clear emptied the form', async () => {
  const id = await seedRecords([{ fields: { text: 'One' } }, { fields: { text: 'Two' } }], {
    questions: { tone: QUESTIONS.tone },
  })
  const { page, done } = await open(id)
  await page.keyboard.press('2')
  await expectAnnounced(page).toBe(ui('question-types/shared:picked', { option: 'Neutral' }))
  await page.keyboard.press('Enter')
  await expectAnnounced(page).toBe(
    [ui('features/annotate:done.submitted'), ui('features/annotate:announce.left', { count: 1 })].join('. '),
  )
  const clear = page.getByRole('button', { name: ui('features/annotate:action.clear'), exact: true })
  await clear.click()
  await expectAnnounced(page).toBe(ui('features/annotate:done.cleared'))
  await page.getByRole('button', { name: uiPattern('features/annotate:pager.previous') }).click()
  await page.locator('section[data-status=submitted]').waitFor()
  await clear.click()
  await expectAnnounced(page).toBe(`${ui('features/annotate:done.cleared')}. ${ui('features/annotate:done.removed')}`)
  await done()
})
