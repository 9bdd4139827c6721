import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { DESKTOP, findViolations, PHONE } from '../../harness/browser.ts'
import { RECORD } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const { seedRecords, open } = annotationTest(setUpSharedTeam())

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const table = (columns: number) =>
  [
    row(Array.from({ length: columns }, (_, index) => `Measurement${index + 1}`)),
    row(Array.from({ length: columns }, () => '---')),
    row(Array.from({ length: columns }, (_, index) => `1,20${index}/0,00/0`)),
  ].join('\n')

const fields = [
  { name: 'text', title: 'Text', required: true, settings: { type: 'text', use_markdown: true } },
  { name: 'talk', title: 'Talk', required: false, settings: { type: 'chat', use_markdown: true } },
]
const questions = {
  tone: {
    title: 'Tone',
    required: true,
    settings: { type: 'label_selection', options: ['Good', 'Bad'].map((one) => ({ value: one.toLowerCase(), text: one })) },
  },
}
const seed = (columns: number) => {
  const content = `Before.\n\n${table(columns)}\n\nAfter.`
  const talk = ['user', 'assistant'].map((role) => ({ role, content }))
  return seedRecords([{ fields: { text: content, talk } }], { fields, questions })
}

/** Cells with more than one line. */
const broken = (page: Page): Promise<string[]> =>
  page.locator('main :is(th, td)').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const range = document.createRange()
      range.selectNodeContents(cell)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      return lines.size > 1 ? [cell.textContent] : []
    }),
  )

/** Whether each table is within the record, scrolls independently, and can be scrolled with the keyboard. */
const scrollers = (page: Page) =>
  page.locator('main table').evaluateAll(
    (tables, selector) =>
      tables.map((one) => {
        const around = one.parentElement!
        const record = document.querySelector(selector)!.getBoundingClientRect()
        const { left, right } = around.getBoundingClientRect()
        return {
          isInside: left >= record.left && right <= record.right,
          scrolls: around.scrollWidth > around.clientWidth,
          isStop: around.tabIndex === 0,
        }
      }),
    RECORD,
  )
const scrolling = { isInside: true, scrolls: true, isStop: true }

describe('tables in markdown', () => {
  test.each([
    ['a desk', 22, DESKTOP],
    ['a phone', 5, PHONE],
  ] as const)('keep words whole on %s, and scroll on their own if they are wider than the record', async (_, columns, size) => {
    const { page, done } = await open(await seed(columns), size)
    await expect.poll(() => page.locator('main table').count()).toBe(3)
    await expect.poll(() => broken(page)).toEqual([])
    await expect.poll(() => scrollers(page)).toEqual([scrolling, scrolling, scrolling])
    const record = page.locator(RECORD)
    await expect.poll(() => record.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await page.locator('main table').first().locator('xpath=..').focus()
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowRight')
    await expect
      .poll(() =>
        page
          .locator('main table')
          .first()
          .evaluate((one) => one.parentElement!.scrollLeft),
      )
      .toBeGreaterThan(0)
    await done()
  })

  test('align columns as the dashes say, and only task lists have checkboxes', async () => {
    const text = '| a | b | c | d |\n|--:|:-:|:--|---|\n| 1 | 2 | 3 | 4 |\n\n- [ ] open\n- [x] done\n- plain'
    const { page, done } = await open(await seedRecords([{ fields: { text } }], { fields, questions }))
    const styles = (selector: string, name: 'textAlign' | 'listStyleType') =>
      page
        .locator(selector)
        .evaluateAll((all, one) => all.map((element) => getComputedStyle(element)[one].replace('-webkit-', '')), name)
    const aligned = ['right', 'center', 'left', 'start']
    await expect.poll(() => styles('main :is(th, td)', 'textAlign')).toEqual([...aligned, ...aligned])
    expect(await styles('main section li', 'listStyleType')).toEqual(['none', 'none', 'disc'])
    expect(await page.locator('main section li').allInnerTexts()).toEqual(['☐ open', '☑ done', 'plain'])
    await done()
  })

  test('that fit are skipped by the Tab key', async () => {
    const { page, done } = await open(await seed(2))
    await expect.poll(() => page.locator('main table').count()).toBe(3)
    await page.evaluate(() => document.fonts.ready.then(() => new Promise(requestAnimationFrame)))
    await expect.poll(async () => (await scrollers(page)).map(({ isStop }) => isStop)).toEqual([false, false, false])
    await done()
  })
})

test('a superscript in a formula is next to the top of its letter, not above it, with any fonts', async () => {
  const { page, done } = await open(await seedRecords([{ fields: { text: 'Some $b^2$ and $d_1^2$.' } }], { fields, questions }))
  const overlaps = () =>
    page.locator('main :is(msup, msubsup)').evaluateAll((all) =>
      all.map(({ firstElementChild: base, lastElementChild: superscript }) => {
        const [letter, small] = [base!.getBoundingClientRect(), superscript!.getBoundingClientRect()]
        return small.bottom - letter.top > letter.height / 10 && small.top < letter.top
      }),
    )
  await expect.poll(overlaps).toEqual([true, true])
  await done()
})
