import type { Frame, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { marksQuestion, RECORD } from '../ground/annotation.ts'
import { answering } from '../ground/answering.ts'
import { setUpTeam } from '../ground/team.ts'

const { givenRecords, open } = answering(setUpTeam())

const field = (name: string, settings: object) => ({ name, title: name, required: false, settings })
const plain = { type: 'text', use_markdown: false }

const HEBREW = 'עברית, שנגמרת כאן.'
const ARABIC = 'مشروع Postil جيد.'
const ENGLISH = 'An English one, it ends here.'
const TEXT = `${ENGLISH}\n\n${HEBREW}\n${ENGLISH}\n${ARABIC}`

/** Of each of these lines within an element, whether its first letter is at its right and its full stop at its left, or the other way round. */
const readings = (page: Page | Frame, within: string, lines: readonly string[]) =>
  page.locator(within).evaluate((root, wanted) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const nodes: Text[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) nodes.push(node as Text)
    const leftOf = (node: Text, at: number): number => {
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      return range.getBoundingClientRect().left
    }
    return wanted.map((line) => {
      const node = nodes.find(({ data }) => data.includes(line))
      if (!node) return 'missing'
      const start = node.data.indexOf(line)
      return leftOf(node, start) < leftOf(node, start + line.length - 1) ? 'ltr' : 'rtl'
    })
  }, lines)

const LINES = [ENGLISH, HEBREW, ARABIC]
const EACH_ITS_OWN = ['ltr', 'rtl', 'rtl']

test('each paragraph reads in its own direction: in a text, a conversation, a text with spans and what is written', async () => {
  const note = { title: 'Note', required: false, settings: plain }
  const talk = [{ role: 'user', content: TEXT }]
  const id = await givenRecords([{ fields: { plain: TEXT, talk, text: TEXT }, suggestions: { note: { value: TEXT } } }], {
    fields: [field('plain', plain), field('talk', { type: 'chat', use_markdown: false }), field('text', plain)],
    questions: { marks: marksQuestion(), note },
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
  for (const place of places) expect(await readings(page, `[data-shown="${place}"]`, LINES)).toEqual(EACH_ITS_OWN)
  // What is taken to the clipboard of it is the text.
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

test('each part of a Markdown text reads in its own direction, and code as code', async () => {
  const text = `# ${HEBREW}\n\n${ENGLISH}\n\n- ${ARABIC}\n- One.\n\n> ${HEBREW}\n\n| a |\n|---|\n| Cell. |\n\n${HEBREW} `.repeat(
    2,
  )
  const id = await givenRecords([{ fields: { text: `${text}\n\n\`\`\`\ncode();\n\`\`\`` } }], {
    fields: [field('text', { type: 'text', use_markdown: true })],
    questions: { note: { title: 'Note', required: true, settings: plain } },
  })
  const { page, done } = await open(id)
  await page.locator('main h3').first().waitFor()
  const lines = [HEBREW, ENGLISH, ARABIC, 'One.', 'Cell.', 'code();']
  expect(await readings(page, RECORD, lines)).toEqual(['rtl', 'ltr', 'rtl', 'ltr', 'ltr', 'ltr'])
  // The sign of a line lies beside it, inside of the record.
  const item = page.locator('main li', { hasText: 'One.' }).first()
  expect(
    await item.evaluate((one) => one.getBoundingClientRect().left - one.parentElement!.getBoundingClientRect().left),
  ).toBeGreaterThan(15)
  await done()
})

test.each([
  ['<p>{{record.fields.card.a}}</p><p>{{record.fields.card.b}}</p>', ['rtl', 'ltr']],
  ['<style>p { direction: ltr }</style><p>{{record.fields.card.a}}</p><p>{{record.fields.card.b}}</p>', ['ltr', 'ltr']],
])('what the template %j shows reads in its own direction unless the template says how', async (template, wanted) => {
  const id = await givenRecords([{ fields: { card: { a: HEBREW, b: ENGLISH } } }], {
    fields: [field('card', { type: 'custom', template, advanced_mode: false })],
    questions: { note: { title: 'Note', required: true, settings: plain } },
  })
  const { page, done } = await open(id)
  const frame = () => page.frames().find((one) => one.url().endsWith('/frame'))
  await expect.poll(() => frame()?.getByText(ENGLISH).count()).toBe(1)
  expect(await readings(frame()!, 'body', [HEBREW, ENGLISH])).toEqual(wanted)
  await done()
})
