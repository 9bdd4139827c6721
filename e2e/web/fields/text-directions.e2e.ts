import type { Frame, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { RECORD, spanQuestion } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const { seedRecords, open } = annotationTest(setUpSharedTeam())

const field = (name: string, settings: object) => ({ name, title: name, required: false, settings })
const plain = { type: 'text', use_markdown: false }

const HEBREW = 'עברית, שנגמרת כאן.'
const ARABIC = 'مشروع Postil جيد.'
const ENGLISH = 'An English one, it ends here.'
const TEXT = `${ENGLISH}\n\n${HEBREW}\n${ENGLISH}\n${ARABIC}`

/**
 * The direction of each line within an element: right to left if the line's first letter is on the right and its period is on the
 * left.
 */
const lineDirections = (page: Page | Frame, within: string, lines: readonly string[]) =>
  page.locator(within).evaluate((root, expectedLines) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const nodes: Text[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node as Text)
    const leftOf = (node: Text, at: number): number => {
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      return range.getBoundingClientRect().left
    }
    return expectedLines.map((line) => {
      const node = nodes.find(({ data }) => data.includes(line))
      if (!node) return 'missing'
      const start = node.data.indexOf(line)
      return leftOf(node, start) < leftOf(node, start + line.length - 1) ? 'ltr' : 'rtl'
    })
  }, lines)

const LINES = [ENGLISH, HEBREW, ARABIC]
const EXPECTED_DIRECTIONS = ['ltr', 'rtl', 'rtl']

test('each paragraph has its own direction: in a text, a conversation, a text with spans and typed text', async () => {
  const note = { title: 'Note', required: false, settings: plain }
  const talk = [{ role: 'user', content: TEXT }]
  const id = await seedRecords([{ fields: { plain: TEXT, talk, text: TEXT }, suggestions: { note: { value: TEXT } } }], {
    fields: [field('plain', plain), field('talk', { type: 'chat', use_markdown: false }), field('text', plain)],
    questions: { marks: spanQuestion(), note },
  })
  const { page, done } = await open(id)
  const fields = page.locator(RECORD)
  await fields.getByText(ARABIC).nth(2).waitFor()
  await fields.evaluate((section, text) => {
    const shown = [...section.querySelectorAll<HTMLElement>('div')].filter((one) => one.textContent === text)
    for (const [index, one] of shown.entries()) one.dataset['shown'] = String(index)
    return shown.length
  }, TEXT)
  const places = await fields
    .locator('[data-shown]')
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset['shown']))
  expect(places.length).toBeGreaterThan(2)
  for (const place of places) expect(await lineDirections(page, `[data-shown="${place}"]`, LINES)).toEqual(EXPECTED_DIRECTIONS)
  // Copying yields the plain text.
  const copied = await page
    .locator('[data-shown]')
    .first()
    .evaluate((one) => {
      getSelection()!.selectAllChildren(one)
      return String(getSelection())
    })
  expect(copied).toBe(TEXT)
  expect(await page.locator('textarea').evaluate((area) => getComputedStyle(area).unicodeBidi)).toBe('plaintext')
  await done()
})

test('each part of a Markdown text has its own direction, and code reads as code', async () => {
  const text = `# ${HEBREW}\n\n${ENGLISH}\n\n- ${ARABIC}\n- One.\n\n> ${HEBREW}\n\n| a |\n|---|\n| Cell. |\n\n${HEBREW} `.repeat(
    2,
  )
  const id = await seedRecords([{ fields: { text: `${text}\n\n\`\`\`\ncode();\n\`\`\`` } }], {
    fields: [field('text', { type: 'text', use_markdown: true })],
    questions: { note: { title: 'Note', required: true, settings: plain } },
  })
  const { page, done } = await open(id)
  await page.locator('main h3').first().waitFor()
  const lines = [HEBREW, ENGLISH, ARABIC, 'One.', 'Cell.', 'code();']
  expect(await lineDirections(page, RECORD, lines)).toEqual(['rtl', 'ltr', 'rtl', 'ltr', 'ltr', 'ltr'])
  // The list marker is next to its line, inside the record.
  const item = page.locator('main li', { hasText: 'One.' }).first()
  expect(
    await item.evaluate((one) => one.getBoundingClientRect().left - one.parentElement!.getBoundingClientRect().left),
  ).toBeGreaterThan(15)
  await done()
})

test.each([
  ['<p>{{record.fields.card.a}}</p><p>{{record.fields.card.b}}</p>', ['rtl', 'ltr']],
  ['<style>p { direction: ltr }</style><p>{{record.fields.card.a}}</p><p>{{record.fields.card.b}}</p>', ['ltr', 'ltr']],
])('the output of the template %j has its own direction unless the template sets one', async (template, expectedLines) => {
  const id = await seedRecords([{ fields: { card: { a: HEBREW, b: ENGLISH } } }], {
    fields: [field('card', { type: 'custom', template, advanced_mode: false })],
    questions: { note: { title: 'Note', required: true, settings: plain } },
  })
  const { page, done } = await open(id)
  const frame = () => page.frames().find((one) => one.url().endsWith('/frame'))
  await expect.poll(() => frame()?.getByText(ENGLISH).count()).toBe(1)
  expect(await lineDirections(frame()!, 'body', [HEBREW, ENGLISH])).toEqual(expectedLines)
  await done()
})
