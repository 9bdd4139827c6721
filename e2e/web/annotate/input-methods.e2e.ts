import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ui } from '../../harness/ui-text.ts'
import { dragOverText, QUESTIONS, question, shownSpans, spanQuestion } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const { seedRecords, open } = annotationTest(setUpSharedTeam())

const LABELS = ['日本', '日付', '日曜']
const questions = {
  marks: {
    ...spanQuestion(),
    settings: { ...spanQuestion().settings, options: LABELS.map((text) => ({ value: text, text })) },
  },
  topics: QUESTIONS.topics,
  note: QUESTIONS.note,
}

/** Simulates an input method as on a Mac: it handles keys itself, but the page still receives the events. */
const inputMethod = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  return {
    compose: (text: string) =>
      session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length }),
    take: (text: string) => session.send('Input.insertText', { text }),
    /** Presses a key that the input method handles. */
    press: (key: string) => session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, windowsVirtualKeyCode: 229 }),
  }
}

const seed = async () => {
  const id = await seedRecords([{ fields: { text: '東京は Tokyo です' } }], { questions })
  const { page, done } = await open(id)
  return { page, done, ...(await inputMethod(page)) }
}

test('keys used by an input method select no span label', async () => {
  const { page, done, compose, take, press } = await seed()
  await dragOverText(page, 'Tokyo')
  const list = page.getByRole('dialog', { name: ui('question-types/span:labelFor', { text: 'Tokyo' }) })
  const box = list.locator('input')
  await list.locator('input:focus').waitFor()
  await compose('にち')
  for (const key of ['ArrowDown', '2', 'Enter']) await press(key)
  expect(await box.inputValue()).toBe('にち')
  expect(await shownSpans(page)).toEqual([])
  await take('日付')
  await press('Enter')
  expect(await box.inputValue()).toBe('日付')
  await page.keyboard.press('Enter')
  await list.waitFor({ state: 'detached' })
  await expect.poll(() => shownSpans(page)).toEqual(['日付: Tokyo'])
  await done()
})

test('the key that ends a composition selects no label search result, even if the event arrives late', async () => {
  const { page, done, compose, take, press } = await seed()
  const box = question(page, 'topics').getByLabel(ui('question-types/shared:searchLabels'))
  await box.focus()
  await compose('とぴ')
  await press('Enter')
  await take('Topic 2')
  await press('Enter')
  expect(await question(page, 'topics').locator('[aria-selected="true"]').count()).toBe(0)
  expect(await box.inputValue()).toBe('Topic 2')
  await page.keyboard.press('Enter')
  await expect.poll(() => question(page, 'topics').locator('[aria-selected="true"]').count()).toBe(1)
  await done()
})

test('Escape cancels the composition but keeps the search and the position in a text', async () => {
  const { page, done, compose, press } = await seed()
  const search = page.getByRole('textbox', { name: ui('features/annotate:toolbar.searchRecords') })
  await search.fill('東京')
  await search.press('Enter')
  await page.waitForURL(/%E6%9D%B1/i)
  const found = page.url()
  await compose('と')
  await press('Escape')
  await compose('')
  expect(await search.inputValue()).toBe('東京')
  expect(page.url()).toBe(found)
  const note = question(page, 'note').getByRole('textbox')
  await note.fill('東')
  await compose('きょ')
  await press('Escape')
  expect(await note.evaluate((field) => field === document.activeElement)).toBe(true)
  await done()
})

test('search text follows the direction of its own script', async () => {
  const { page, done } = await seed()
  const runs = (input: ReturnType<typeof page.locator>) => input.evaluate((field) => getComputedStyle(field).direction)
  await dragOverText(page, 'Tokyo')
  const inList = page.getByRole('dialog', { name: ui('question-types/span:labelFor', { text: 'Tokyo' }) }).locator('input')
  await inList.fill('שם?')
  expect(await runs(inList)).toBe('rtl')
  await page.keyboard.press('Escape')
  const ofLabels = question(page, 'topics').getByLabel(ui('question-types/shared:searchLabels'))
  const ofRecords = page.getByRole('textbox', { name: ui('features/annotate:toolbar.searchRecords') })
  for (const input of [ofLabels, ofRecords]) {
    for (const [text, direction] of [['من؟', 'rtl'] as const, ['who?', 'ltr'] as const]) {
      await input.fill(text)
      expect(await runs(input)).toBe(direction)
    }
  }
  await done()
})
