import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

/* Two questions about the turns of a conversation are answered with the keyboard alone, with one key for each label. */

const team = setUpSharedTeam()
const { seedRecords, open, onlyStoredAnswer } = annotationTest(team)

const t = 'question-types/turns' as const
const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))
const scale = ['1', '2', '3', '4', '5'].map((value) => ({ value, text: value, ordinal: 'true' }))
const settings = (given: readonly object[], unit: object = {}) => ({
  type: 'span',
  postil_kind: 'turns',
  field: 'talk',
  options: given,
  unit: { of: 'turn', roles: null, ...unit },
})
const tone = { title: 'Tone', required: true, settings: settings(options('good', 'bad')) }
const stars = { title: 'Stars', required: true, settings: settings(scale) }
const fields = [{ name: 'talk', title: 'Talk', required: true, settings: { type: 'chat', use_markdown: false } }]
const talk = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: `Message ${at} 😀` }))

const cell = (page: Page, number: number, role: string, question: string) =>
  page.getByRole('group', { name: new RegExp(`^${ui(`${t}:cell`, { number, role, question })}(,|$)`) })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
const labeled = (page: Page, count: number, all: number) =>
  page.getByText(ui(`${t}:labeled`, { count: all, labeled: count, formatted: all }), { exact: true })

/** Counts the keys that a test presses. */
const keyboardOf = (page: Page) => {
  let count = 0
  return {
    press: async (key: string) => {
      count += 1
      await page.keyboard.press(key)
    },
    count: () => count,
  }
}

test('two questions about sixty turns need fewer than two keys a turn', async () => {
  const turns = 60
  const ofAssistant = { ...stars, settings: settings(scale, { roles: ['assistant'] }) }
  const id = await seedRecords([{ fields: { talk: talk(turns) } }], { fields, questions: { tone, stars: ofAssistant } })
  const { page, done } = await open(id)
  await cell(page, 1, 'user', 'Tone').waitFor()
  const keys = keyboardOf(page)
  for (let at = 0; at < turns; at += 1) {
    await keys.press(at % 3 === 0 ? '2' : '1')
    // Every other turn is a turn of the assistant.
    if (at % 2 === 1) await keys.press(String((at % 5) + 1))
  }
  await labeled(page, turns, turns).waitFor()
  await labeled(page, turns / 2, turns / 2).waitFor()
  await keys.press('Enter')
  expect(keys.count()).toBeLessThan(2 * turns)
  const values = (await onlyStoredAnswer(id))?.values as { readonly [name: string]: readonly { label: string; start: number }[] }
  expect(values['tone']?.map(({ label }) => label)).toEqual(
    Array.from({ length: turns }, (_, at) => (at % 3 === 0 ? 'bad' : 'good')),
  )
  const ofTurns = Array.from({ length: turns }, (_, at) => at).filter((at) => at % 2 === 1)
  expect(values['stars']?.map(({ label }) => label)).toEqual(ofTurns.map((at) => String((at % 5) + 1)))
  await done()
})

detail('keys move between turns and questions, and a submit names what is missing', async () => {
  const ofAssistant = { ...tone, settings: settings(options('good', 'bad'), { roles: ['assistant'] }) }
  const id = await seedRecords([{ fields: { talk: talk(6) } }], { fields, questions: { tone: ofAssistant, stars } })
  const { page, done } = await open(id)
  await cell(page, 2, 'assistant', 'Tone').waitFor()
  expect(await cell(page, 1, 'user', 'Tone').count()).toBe(0)
  const { press } = keyboardOf(page)
  const at = (number: number, role: string, question: string, ...given: readonly string[]) =>
    expect.poll(() => focused(page)).toBe([ui(`${t}:cell`, { number, role, question }), ...given].join(', '))
  // The first J moves from the question into the conversation.
  await press('j')
  await at(2, 'assistant', 'Tone')
  await press('j')
  await at(4, 'assistant', 'Tone')
  await press('k')
  await press('ArrowRight')
  await at(2, 'assistant', 'Stars')
  await press('k')
  await at(1, 'user', 'Stars')
  await press('4')
  await at(2, 'assistant', 'Tone')
  await press('1')
  await at(2, 'assistant', 'Stars')
  await press('ArrowLeft')
  await at(2, 'assistant', 'Tone', 'good')
  await press('Delete')
  await at(2, 'assistant', 'Tone')
  await press('2')
  expect(await labeled(page, 1, 3).count()).toBe(1)
  await press('Enter')
  await page
    .getByText(ui('features/annotate:form.toSubmit', { titles: 'Tone and Stars' }))
    .first()
    .waitFor()
  await press('Escape')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-question'))).toBe('tone')
  expect(await findViolations(page, 'all')).toEqual([])
  await page
    .getByRole('button', { name: ui(`${t}:goToNext`) })
    .first()
    .click()
  await at(4, 'assistant', 'Tone')
  await done()
})

detail('suggested labels are accepted with their number, several labels are toggled, and the mouse works too', async () => {
  const several = {
    title: 'Topics',
    required: false,
    settings: settings(options('price', 'delay'), { roles: ['assistant'], required: 'none', exclusive: false }),
  }
  const records = [
    {
      fields: { talk: talk(4) },
      suggestions: { tone: { value: [{ label: 'good', start: 12, end: 23 }], agent: 'model', score: [0.75] } },
    },
  ]
  const ofAssistant = { ...tone, settings: settings(options('good', 'bad'), { roles: ['assistant'] }) }
  const id = await seedRecords(records, { fields, questions: { tone: ofAssistant, topics: several } })
  const { page, done } = await open(id, { isNew: true })
  const chip = (number: number, question: string, label: string) =>
    cell(page, number, 'assistant', question).getByRole('button', { name: new RegExp(`^${label}`) })
  await expect.poll(() => chip(2, 'Tone', 'good').getAttribute('data-state')).toBe('suggested')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect.poll(() => focused(page)).toContain('good')
  await page.keyboard.press('1')
  await expect.poll(() => chip(2, 'Tone', 'good').getAttribute('data-state')).toBe('on')
  await expect.poll(() => focused(page)).toContain('Topics')
  await page.keyboard.press('1')
  await page.keyboard.press('2')
  await expect.poll(() => focused(page)).toMatch(/price, delay$/)
  await page.keyboard.press('1')
  await expect.poll(() => focused(page)).toMatch(/Topics, delay$/)
  await chip(4, 'Tone', 'bad').click()
  await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
  const answer = await onlyStoredAnswer(id)
  expect(answer?.values).toEqual({
    tone: [
      { label: 'good', start: 12, end: 23 },
      { label: 'bad', start: 36, end: 47 },
    ],
    topics: [{ label: 'delay', start: 12, end: 23 }],
  })
  await done()
})
