import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { QUESTIONS, question, TEXT } from '../ground/annotation.ts'
import { answering } from '../ground/answering.ts'
import { setUpTeam } from '../ground/team.ts'

const team = setUpTeam()
const { givenRecords, open } = answering(team)

/** What a reader says beside what the focus is on. */
const said = (page: Page, urgency: 'status' | 'alert' = 'status') =>
  expect.poll(() => page.locator(`.visually-hidden[aria-live][role=${urgency}]`).textContent())
const go = (page: Page, name: string) => question(page, name).focus()

test('what a key has picked elsewhere than at the focus is said, and that it was taken off', async () => {
  const id = await givenRecords([{ fields: { text: TEXT } }])
  const { page, done } = await open(id)
  await go(page, 'tone')
  await page.keyboard.press('2')
  await said(page).toBe(ui('question-types/shared:picked', { option: 'Neutral' }))
  await go(page, 'tone')
  await page.keyboard.press('2')
  await said(page).toBe(ui('question-types/shared:takenOff', { option: 'Neutral' }))
  await go(page, 'topics')
  await page.keyboard.press('3')
  await said(page).toBe(ui('question-types/shared:picked', { option: 'Topic 03' }))
  await go(page, 'quality')
  await page.keyboard.press('7')
  await said(page).toBe(ui('question-types/shared:picked', { option: '7' }))
  // By Space the option has the focus, which goes on to the next question at once.
  await question(page, 'quality').getByRole('radio', { name: '4', exact: true }).press('Space')
  await said(page).toBe(ui('question-types/shared:picked', { option: '4' }))
  await go(page, 'entities')
  await page.keyboard.press('1')
  await said(page).toBe(ui('question-types/shared:picked', { option: 'Person' }))
  await done()
})

test('what the search of labels has found is said, and which one Enter has picked', async () => {
  const id = await givenRecords([{ fields: { text: TEXT } }])
  const { page, done } = await open(id)
  await go(page, 'topics')
  await page.keyboard.type('t')
  await said(page).toBe(ui('question-types/shared:found', { count: 24, first: 'Topic 01' }))
  await page.keyboard.type('opic 13')
  await said(page).toBe(ui('question-types/shared:found', { count: 1, first: 'Topic 13' }))
  await page.keyboard.press('Enter')
  await said(page).toBe(ui('question-types/shared:picked', { option: 'Topic 13' }))
  await page.keyboard.type('zz')
  await said(page).toBe(ui('question-types/shared:noLabelFound', { query: 'zz' }))
  await done()
})

test('a submit that waits for an answer says for which, also where the focus is there already', async () => {
  const id = await givenRecords([{ fields: { text: TEXT } }])
  const { page, done } = await open(id)
  await page.keyboard.press('Enter')
  await said(page, 'alert').toBe(`Tone: ${ui('features/annotate:question.missing')}`)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await said(page, 'alert').toBe(`Topics: ${ui('features/annotate:question.missing')}`)
  await done()
})

test('what is undone and redone in the form is said', async () => {
  const id = await givenRecords([{ fields: { text: TEXT } }])
  const { page, done } = await open(id)
  await page.keyboard.press('1')
  await said(page).toBe(ui('question-types/shared:picked', { option: 'Positive' }))
  await page.keyboard.press('Control+z')
  await said(page).toBe(ui('features/annotate:deed.undone'))
  await page.keyboard.press('Control+Shift+z')
  await said(page).toBe(ui('features/annotate:deed.redone'))
  await page.keyboard.press('Control+z')
  await said(page).toBe(ui('features/annotate:deed.undone'))
  await done()
})

test('cards and spans that are only suggested are read as that, as labels are', async () => {
  const person = { label: 'person', start: TEXT.indexOf('Charles') - 3, end: TEXT.indexOf('.') - 3 }
  const replies = ['reply-b', 'reply-a', 'reply-c'].map((value, index) => ({ value, rank: index + 1 }))
  const suggestions = { replies: { value: replies, score: [0.5, 0.4, 0.3] }, entities: { value: [person], score: [0.9] } }
  const id = await givenRecords([{ fields: { text: TEXT }, suggestions }])
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
  await said(page).toBe(`Person: Charles Babbage, ${suggested(0.9)}`)
  await done()
})

test('a digit that submits says what it has picked, and Clear that the form is empty', async () => {
  const id = await givenRecords([{ fields: { text: 'One' } }, { fields: { text: 'Two' } }], {
    questions: { tone: QUESTIONS.tone },
  })
  const { page, done } = await open(id)
  await page.keyboard.press('2')
  await said(page).toBe(
    [
      ui('question-types/shared:picked', { option: 'Neutral' }),
      ui('features/annotate:deed.submitted'),
      ui('features/annotate:announce.left', { count: 1 }),
    ].join('. '),
  )
  const clear = page.getByRole('button', { name: ui('features/annotate:action.clear') })
  await clear.click()
  await said(page).toBe(ui('features/annotate:deed.cleared'))
  await page.getByRole('button', { name: uiPattern('features/annotate:pager.previous') }).click()
  await page.locator('section[data-status=submitted]').waitFor()
  await clear.click()
  await said(page).toBe(`${ui('features/annotate:deed.cleared')}. ${ui('features/annotate:deed.removed')}`)
  await done()
})
