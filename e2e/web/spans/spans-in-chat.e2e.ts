import { expect, test } from 'vitest'
import { findViolations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { dragOverText, shownSpans, textBox } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const { seedRecords, open, onlyStoredAnswer } = annotationTest(setUpSharedTeam())

const options = [
  { value: 'a', text: 'Alpha' },
  { value: 'b', text: 'Beta' },
]
const questions = {
  marks: { title: 'Marks', required: true, settings: { type: 'span', field: 'text', options, allow_overlapping: false } },
}

test('spans in a conversation are marked by pointer and keyboard, each within one message', async () => {
  const talk = [
    { role: 'user', content: 'Who is 👩‍👩‍👧 Ada Lovelace?' },
    { role: 'assistant', content: 'A mathematician\nof London' },
  ]
  const chatText = [...talk.map(({ content }) => content).join('\n')]
  const cut = ({ start, end }: { start: number; end: number }) => chatText.slice(start, end).join('')
  const fields = [{ name: 'text', title: 'Talk', required: true, settings: { type: 'chat', use_markdown: false } }]
  const id = await seedRecords([{ fields: { text: talk } }], { fields, questions })
  const { page, done } = await open(id)
  const text = page.locator('[data-span-text]')
  await text.getByText('assistant').waitFor()
  expect(await findViolations(page, 'all')).toEqual([])
  await page.keyboard.press('1')
  await dragOverText(page, 'Lovelace')
  const show = (...wanted: readonly string[]) => expect.poll(() => shownSpans(page)).toEqual(wanted)
  await show('Alpha: Lovelace')
  // Moves from the last line up across a message boundary and back down. The cursor must stop at every line.
  await text.focus()
  await page.keyboard.press('Control+End')
  for (let i = 0; i < 2; i += 1) await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  await page.keyboard.press('Control+Shift+ArrowRight')
  await page.keyboard.press('Control+Shift+ArrowRight')
  await page.keyboard.press('2')
  await show('Alpha: Lovelace', 'Beta: A mathematician')
  // If a selection extends beyond the end of a message, the span ends where the message ends.
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+End')
  await page.keyboard.press('2')
  await show(`Beta: ${talk[0]!.content}`, 'Beta: A mathematician')
  await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
  const marks = (await onlyStoredAnswer(id))?.values['marks'] as readonly { label: string; start: number; end: number }[]
  expect(marks.map((mark) => [mark.label, cut(mark)])).toEqual([
    ['b', talk[0]!.content],
    ['b', 'A mathematician'],
  ])
  await done()
})

test('each message of a conversation with spans has its own direction, as without spans', async () => {
  const hebrew = 'היא כתבה את התוכנית הראשונה.'
  const talk = [
    { role: 'user', content: 'Who was Ada Lovelace? Tell me everything that is known of her.' },
    { role: 'assistant', content: hebrew },
    { role: 'user', content: 'Thanks.' },
  ]
  const fields = [{ name: 'text', title: 'Talk', required: true, settings: { type: 'chat', use_markdown: false } }]
  const id = await seedRecords([{ fields: { text: talk } }], { fields, questions })
  const { page, done } = await open(id)
  const directions = () =>
    page
      .locator('[data-span-text] [data-block]')
      .evaluateAll((blocks) => blocks.map((block) => getComputedStyle(block).direction))
  await expect.poll(directions).toEqual(['ltr', 'rtl', 'ltr'])
  const word = await textBox(page, 'כתבה')
  const stop = await textBox(page, 'הראשונה.')
  expect(stop.x).toBeLessThan(word.x)
  // Home and End follow the reading order. Arrow keys follow the visual order.
  await page.keyboard.press('1')
  await dragOverText(page, 'הראשונה')
  await expect.poll(() => shownSpans(page)).toEqual(['Alpha: הראשונה'])
  await page.locator('[data-span-text]').focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await page.keyboard.press('2')
  await expect.poll(() => shownSpans(page)).toEqual(['Beta: היא', 'Alpha: הראשונה'])
  await done()
})
