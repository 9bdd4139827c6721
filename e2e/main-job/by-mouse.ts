import type { Locator, Page } from 'playwright-core'
import { ui, uiPattern } from '../harness/ui-text.ts'
import { actionButton } from '../web/fixtures/annotation.ts'
import type { Range, Screen } from './screen.ts'
import type { InputMethod } from './work.ts'

type Point = { readonly x: number; readonly y: number }

/**
 * Runs in the page. Returns two points: the middle of the left edge of a span's first character, and the middle of the right edge
 * of its last character.
 */
const edges = ([start, end]: readonly [number, number]): readonly [Point, Point] => {
  const pieces = [...document.querySelectorAll<HTMLElement>('[data-span-text] [data-at]')]
  const characterAt = (unit: number, length: number): DOMRect => {
    const piece = pieces.findLast((one) => Number(one.dataset['at']) <= unit)
    const range = document.createRange()
    const node = piece?.lastChild
    if (!node) throw new Error(`No text at ${unit}`)
    const offset = unit - Number(piece.dataset['at'])
    range.setStart(node, offset)
    range.setEnd(node, offset + length)
    return range.getClientRects()[0] ?? range.getBoundingClientRect()
  }
  const [first, last] = [characterAt(start, 1), characterAt(end - 1, 1)]
  return [
    { x: first.left + 1, y: first.top + first.height / 2 },
    { x: last.right - 1, y: last.top + last.height / 2 },
  ]
}

/** Whether a range starts or ends inside a word. */
const splitsWord = (words: readonly Range[], start: number, end: number): boolean =>
  words.some((word) => [start, end].some((at) => word.start < at && at < word.end))

const middle = async (locator: Locator): Promise<Point> => {
  const box = await locator.boundingBox()
  if (!box) throw new Error(`${locator} is not visible`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Signs in, opens a dataset and answers its records with the mouse. The keyboard only types text. */
export const byMouse = (page: Page, screen: Screen): InputMethod => {
  const { mouse } = page
  const question = (name: string): Locator => page.locator(`[data-question="${name}"]`)
  const option = (name: string, value: string): Locator =>
    question(name)
      .locator('[data-option]')
      .filter({ has: page.getByText(value, { exact: true }) })

  const drag = async (from: Point, to: Point, beforeDrop?: () => Promise<void>): Promise<void> => {
    await mouse.move(from.x, from.y)
    await mouse.down()
    await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2)
    await mouse.move(to.x, to.y)
    await beforeDrop?.()
    await mouse.up()
  }

  const pick = async (name: string, values: readonly string[]): Promise<void> => {
    for (const value of values) {
      const selectedRange = option(name, value)
      if ((await selectedRange.count()) === 0)
        await question(name)
          .getByRole('button', { name: uiPattern('question-types/shared:more') })
          .click()
      await selectedRange.click()
    }
  }

  const unitOf = (text: string, codePoint: number): number => [...text].slice(0, codePoint).join('').length

  /** Selects a span. The selection expands to whole words unless Shift is held when the selection ends. */
  const mark = async (text: string, start: number, end: number): Promise<void> => {
    const units = [unitOf(text, start), unitOf(text, end)] as const
    await page.evaluate(() => document.fonts.ready)
    const [from, to] = await page.evaluate(edges, units)
    const isCut = splitsWord(await screen.words(text), ...units)
    await drag(from, to, isCut ? () => page.keyboard.down('Shift') : undefined)
    if (isCut) await page.keyboard.up('Shift')
  }

  const rank = async (value: string, place: number): Promise<void> => {
    const card = question('candidates').locator(`[data-card="${value}"]`)
    const slot = question('candidates').locator(`[data-rank="${place}"]`)
    await drag(await middle(card), await middle(slot))
    await slot.locator(`[data-card="${value}"]`).waitFor()
  }

  return {
    signIn: async ({ username, password }) => {
      await page.getByLabel(ui('features/auth:username')).fill(username)
      await page.getByLabel(ui('features/auth:password')).fill(password)
      await page.getByRole('button', { name: ui('features/auth:signIn') }).click()
    },
    open: (dataset) => page.getByRole('link', { name: dataset, exact: true }).click(),
    search: async (text) => {
      await page.getByRole('textbox', { name: ui('features/annotate:toolbar.searchRecords') }).fill(text)
      await page.getByRole('button', { name: ui('features/annotate:toolbar.search'), exact: true }).click()
    },
    focusQuestions: async () => {
      await question('section').getByRole('heading').click()
    },
    clearSearch: () =>
      page
        .getByRole('main')
        .getByRole('button', { name: ui('features/annotate:toolbar.clearSearch') })
        .last()
        .click(),
    answer: async (record, answer, { mentions: labels, candidates }) => {
      await pick('section', [answer.section])
      await pick('tags', answer.tags)
      await question('usefulness')
        .getByRole('radio', { name: String(answer.usefulness), exact: true })
        .click()
      await question('summary').getByRole('textbox').click()
      await page.keyboard.type(answer.summary)
      for (const label of labels) {
        const spans = answer.mentions.filter((span) => span.label === label)
        if (spans.length > 0) await option('mentions', label).click()
        for (const { start, end } of spans) await mark(record.fields.description, start, end)
      }
      await question('candidates').scrollIntoViewIfNeeded()
      for (const value of candidates) {
        await rank(value, answer.candidates.find((one) => one.value === value)?.rank ?? 1)
      }
    },
    save: (status) =>
      actionButton(page, ({ submitted: 'submit', draft: 'draft', discarded: 'discard' } as const)[status]).click(),
    next: () => page.getByRole('button', { name: uiPattern('features/annotate:pager.next') }).click(),
  }
}
