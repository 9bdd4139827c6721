import { expect, test } from 'vitest'
import { spanQuestion } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const { seedRecords, open } = annotationTest(setUpSharedTeam())

const fields = [{ name: 'text', title: 'Text', required: true, settings: { type: 'text', use_markdown: false } }]
const questions = { marks: spanQuestion({ first: 'Person' }) }

test('the label below a span doesn’t overlap its neighbor, with or without a score', async () => {
  // A text of mostly narrow letters.
  const text = 'illicit will in Lilliput'
  const value = [
    { label: 'a', start: 0, end: 7 },
    { label: 'a', start: 8, end: 12 },
    { label: 'a', start: 13, end: 15 },
  ]
  const suggestions = { marks: { value, score: value.map((_, index) => 0.5 + index / 10) } }
  const id = await seedRecords([{ fields: { text }, suggestions }], { questions, fields })
  const { page, done } = await open(id)
  const chips = page.locator('[data-span-text] [data-chip]')
  await expect.poll(() => chips.count()).toBe(3)
  const overlaps = () =>
    chips.evaluateAll((all) => {
      const boxes = all.map((chip) => chip.getBoundingClientRect()).toSorted((a, b) => a.left - b.left)
      return boxes.slice(1).map(({ left }, index) => Math.max(0, Math.round((boxes[index]?.right ?? 0) - left)))
    })
  await expect.poll(overlaps).toEqual([0, 0])
  await done()
})

test('labels stay below their spans when a reader increases letter, word and line spacing', async () => {
  const text = 'Ada Lovelace wrote to Charles Babbage, and lived in London. '.repeat(4)
  const value = [text.indexOf('London'), text.lastIndexOf('Charles')].map((start) => ({ label: 'a', start, end: start + 6 }))
  const id = await seedRecords([{ fields: { text }, suggestions: { marks: { value } } }], { questions, fields })
  const { page, done } = await open(id)
  const off = () =>
    page.locator('[data-span-text]').evaluate((root) => {
      const lefts = (all: string) => [...root.querySelectorAll(all)].map((one) => Math.round(one.getClientRects()[0]!.left))
      const marked = lefts('[data-marked]')
      return lefts('[data-chip]').map((left, index) => Math.abs(left - marked[index]!) < 2)
    })
  await expect.poll(off).toEqual([true, true])
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }')
    document.adoptedStyleSheets = [sheet]
  })
  await expect.poll(off).toEqual([true, true])
  await done()
})

test('only lines with spans are taller, the cursor moves through them, and a long first field is shown in full', async () => {
  const text = 'Ada Lovelace wrote to Charles Babbage, and lived in London. '.repeat(60)
  const start = text.indexOf('Charles', 600)
  const value = [{ label: 'a', start, end: start + 7 }]
  const id = await seedRecords([{ fields: { text, notes: 'More' }, suggestions: { marks: { value } } }], {
    questions,
    fields: [...fields, { ...fields[0]!, name: 'notes', title: 'Notes' }],
  })
  const { page, done } = await open(id)
  await page.locator('[data-span-text] [data-chip]').waitFor()
  expect(await page.locator('main [data-cut]').count()).toBe(0)
  /**
   * The position of the line with the span, the distance from this line to the next one, all other distances between lines, and
   * the width of the text.
   */
  const layout = () =>
    page.locator('[data-span-text]').evaluate((root) => {
      const range = document.createRange()
      const tops = new Set<number>()
      for (const element of root.querySelectorAll('[data-at]')) {
        range.selectNodeContents(element)
        for (const rect of range.getClientRects()) tops.add(Math.round(rect.top))
      }
      const lines = [...tops].sort((a, b) => a - b)
      const marked = Math.round(root.querySelector('[data-marked]')!.getClientRects()[0]!.top)
      const gaps = lines.slice(1).map((top, index) => top - lines[index]!)
      const at = lines.indexOf(marked)
      return { marked: at, after: gaps[at], others: gaps.filter((_, index) => index !== at), width: root.clientWidth }
    })
  const { marked, after, others, width } = await layout()
  expect(marked).toBeGreaterThan(0)
  expect(Math.max(...others)).toBeLessThan(29)
  expect(after! - Math.max(...others)).toBeGreaterThanOrEqual(15)
  expect(width).toBeGreaterThan(700)
  await page.locator('[data-span-text]').focus()
  await page.keyboard.press('Control+Home')
  const caret = () => page.locator('[data-span-text] > span:last-child').evaluate((line) => line.getBoundingClientRect().top)
  const places = [await caret()]
  for (let line = 0; line < marked + 2; line += 1) {
    await page.keyboard.press('ArrowDown')
    places.push(await caret())
  }
  const steps = places.slice(1).map((top, index) => Math.round(top - places[index]!))
  expect(Math.min(...steps)).toBeGreaterThan(20)
  expect(Math.max(...steps)).toBeLessThan(50)
  for (let line = 0; line < marked + 2; line += 1) await page.keyboard.press('ArrowUp')
  expect(Math.round(await caret())).toBe(Math.round(places[0]!))
  await done()
})
