import { describe, expect, test } from 'vitest'
import { ui } from '../../harness/ui-text.ts'
import { RECORD } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const { seedRecords, open, onlyStoredAnswer } = annotationTest(setUpSharedTeam())

const options = ['Good', 'Bad'].map((one) => ({ value: one.toLowerCase(), text: one }))
const questions = { tone: { title: 'Tone', required: true, settings: { type: 'label_selection', options } } }
const field = (name: string, type: 'text' | 'chat') => ({
  name,
  title: name,
  required: true,
  settings: { type, use_markdown: true },
})
const seed = (text: string) => seedRecords([{ fields: { text } }], { fields: [field('text', 'text')], questions })

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const names = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight']
const table = (rows: number) =>
  [names, names.map(() => '---'), ...Array.from({ length: rows }, (_, at) => names.map((name) => `${name}${at}`))]
    .map(row)
    .join('\n')

describe('large Markdown content', () => {
  test('renders a large table in parts as they come near the viewport, each with the header', async () => {
    const { page, done } = await open(await seed(`Before it.\n\n${table(5000)}\n\nAfter it.`))
    const rows = page.locator('main tbody tr')
    await rows.first().waitFor()
    expect(await rows.count()).toBeLessThan(2500)
    const toEnd = () => page.getByText('After it.').scrollIntoViewIfNeeded()
    await expect.poll(() => toEnd().then(() => rows.last().innerText())).toContain('Eight4999')
    expect(await page.locator('main table').last().locator('th').allInnerTexts()).toEqual(names)
    expect(await rows.count()).toBeLessThan(5000)
    await done()
  })

  test('highlights code unless highlighting takes too long, and never blocks the page', async () => {
    // The C# highlighter would need minutes for this text.
    const endless = `${'A<B> '.repeat(180)}\n`.repeat(20)
    const id = await seed(`\`\`\`csharp\n${endless}\`\`\`\n\n\`\`\`python\nreturn 1\n\`\`\``)
    const { page, done } = await open(id)
    await page.locator('main pre').first().waitFor()
    await page.locator('main pre .hljs-keyword', { hasText: 'return' }).waitFor()
    expect(await page.locator('main pre').first().locator('span').count()).toBe(0)
    expect(await page.locator('main pre').first().textContent()).toBe(endless)
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    expect(await onlyStoredAnswer(id)).toEqual({ status: 'submitted', values: { tone: 'good' } })
    await done()
  })
})

test('a conversation of long messages renders the first ones, and the others as they come near the viewport', async () => {
  const talk = Array.from({ length: 30 }, (_, at) => ({
    role: at % 2 ? 'assistant' : 'user',
    content: `Turn ${at}.\n\n${table(100)}`,
  }))
  const id = await seedRecords([{ fields: { talk } }], { fields: [field('talk', 'chat')], questions })
  const { page, done } = await open(id)
  const tables = page.locator('main ol table')
  await tables.first().waitFor()
  expect(await tables.count()).toBeLessThan(10)
  const last = page.locator('main ol > li').last()
  await expect.poll(() => last.scrollIntoViewIfNeeded().then(() => last.locator('tr').count())).toBe(101)
  await done()
})

test('a plain text without line breaks is split at spaces into parts without losing any text', async () => {
  const text = 'Words of one long line. '.repeat(10_000)
  const plain = { name: 'text', title: 'text', required: true, settings: { type: 'text', use_markdown: false } }
  const { page, done } = await open(await seedRecords([{ fields: { text } }], { fields: [plain], questions }))
  const parts = page.locator(`${RECORD} [dir] > div`)
  await expect
    .poll(async () => (await parts.allTextContents()).map((part) => part.length < 21_000 && part.at(-1)))
    .toEqual(Array(12).fill(' '))
  expect((await parts.allTextContents()).join('')).toBe(text)
  await done()
})

test('a text without blanks is pasted, sent and shown exactly', async () => {
  const text = 'x'.repeat(300_000)
  const note = { title: 'Note', required: true, settings: { type: 'text', use_markdown: false } }
  const id = await seedRecords([{ fields: { text } }], { fields: [field('text', 'text')], questions: { note } })
  const { page, done } = await open(id)
  await page.getByRole('textbox', { name: 'Note' }).fill(text)
  await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
  expect(await onlyStoredAnswer(id)).toEqual({ status: 'submitted', values: { note: text } })
  await done()
})
