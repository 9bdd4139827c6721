import { expect, test } from 'vitest'
import { violations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { dragOver, placeOf, spansShown } from '../ground/annotation.ts'
import { answering } from '../ground/answering.ts'
import { setUpTeam } from '../ground/team.ts'

const { givenRecords, open, onlyAnswer } = answering(setUpTeam())

const options = [
  { value: 'a', text: 'Alpha' },
  { value: 'b', text: 'Beta' },
]
const questions = {
  marks: { title: 'Marks', required: true, settings: { type: 'span', field: 'text', options, allow_overlapping: false } },
}

test('spans in a conversation are marked by pointer and by keys, each within one message', async () => {
  const talk = [
    { role: 'user', content: 'Who is 👩‍👩‍👧 Ada Lovelace?' },
    { role: 'assistant', content: 'A mathematician\nof London' },
  ]
  const said = [...talk.map(({ content }) => content).join('\n')]
  const cut = ({ start, end }: { start: number; end: number }) => said.slice(start, end).join('')
  const fields = [{ name: 'text', title: 'Talk', required: true, settings: { type: 'chat', use_markdown: false } }]
  const id = await givenRecords([{ fields: { text: talk } }], { fields, questions })
  const { page, done } = await open(id)
  const text = page.locator('[data-span-text]')
  await text.getByText('assistant').waitFor()
  expect(await violations(page, 'all')).toEqual([])
  await page.keyboard.press('1')
  await dragOver(page, 'Lovelace')
  const show = (...wanted: readonly string[]) => expect.poll(() => spansShown(page)).toEqual(wanted)
  await show('Alpha: Lovelace')
  // From the last line up over the end of a message and back down: the cursor meets every line.
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
  // What is selected over the end of a message is marked up to there.
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+End')
  await page.keyboard.press('2')
  await show(`Beta: ${talk[0]!.content}`, 'Beta: A mathematician')
  await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
  const marks = (await onlyAnswer(id))?.values['marks'] as readonly { label: string; start: number; end: number }[]
  expect(marks.map((mark) => [mark.label, cut(mark)])).toEqual([
    ['b', talk[0]!.content],
    ['b', 'A mathematician'],
  ])
  await done()
})

test('each message of a conversation with spans has a direction of its own, as it has without', async () => {
  const hebrew = 'היא כתבה את התוכנית הראשונה.'
  const talk = [
    { role: 'user', content: 'Who was Ada Lovelace? Tell me everything that is known of her.' },
    { role: 'assistant', content: hebrew },
    { role: 'user', content: 'Thanks.' },
  ]
  const fields = [{ name: 'text', title: 'Talk', required: true, settings: { type: 'chat', use_markdown: false } }]
  const id = await givenRecords([{ fields: { text: talk } }], { fields, questions })
  const { page, done } = await open(id)
  const directions = () =>
    page
      .locator('[data-span-text] [data-block]')
      .evaluateAll((blocks) => blocks.map((block) => getComputedStyle(block).direction))
  await expect.poll(directions).toEqual(['ltr', 'rtl', 'ltr'])
  const word = await placeOf(page, 'כתבה')
  const stop = await placeOf(page, 'הראשונה.')
  expect(stop.x).toBeLessThan(word.x)
  // Home and End are the ends as they are read, arrows go as they point.
  await page.keyboard.press('1')
  await dragOver(page, 'הראשונה')
  await expect.poll(() => spansShown(page)).toEqual(['Alpha: הראשונה'])
  await page.locator('[data-span-text]').focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await page.keyboard.press('2')
  await expect.poll(() => spansShown(page)).toEqual(['Beta: היא', 'Alpha: הראשונה'])
  await done()
})
