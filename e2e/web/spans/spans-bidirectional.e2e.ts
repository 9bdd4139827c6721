import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { spanQuestion } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const { seedRecords, open } = annotationTest(setUpSharedTeam())

const questions = { marks: spanQuestion({ first: 'Person' }) }
const span = (text: string, piece: string) => {
  const start = [...text.slice(0, text.indexOf(piece))].length
  return { label: 'a', start, end: start + [...piece].length }
}

/** The left offset of each character of the text. */
const lefts = (page: Page): Promise<number[]> =>
  page.locator('[data-span-text]').evaluate((root) => {
    const range = document.createRange()
    return [...root.querySelectorAll('[data-at]')].flatMap(({ lastChild }) =>
      lastChild instanceof Text
        ? Array.from(lastChild.data, (_, at) => {
            range.setStart(lastChild, at)
            range.setEnd(lastChild, at + 1)
            return Math.round(range.getBoundingClientRect().left)
          })
        : [],
    )
  })

/**
 * Right-to-left texts in which no space separates a span from the text before it. Readers nevertheless see the span as a separate
 * unit.
 */
const TEXTS = [
  ['the last digits of a year, and part of a number', 'בשנת 1952 הטלפון היה 03-555-1234 בלבד', ['52', '555']],
  ['a number without its currency', 'המחיר הוא ₪25 בלבד', ['25']],
  ['an Arabic word without its attached prefix', 'ثم عاد بالمدينة الكبيرة', ['المدينة']],
] as const

/** Opens a record with suggested spans and returns what is rendered. */
const drawn = async (text: string, pieces: readonly string[]) => {
  const value = pieces.map((piece) => span(text, piece))
  const id = await seedRecords([{ fields: { text }, suggestions: { marks: { value } } }], { questions })
  const { page, done } = await open(id)
  await expect.poll(() => page.locator('[data-span-text] [data-chip]').count()).toBe(pieces.length)
  return { page, done }
}

test.each(TEXTS)('right-to-left text doesn’t move when a span starts in it: %s', async (_, text, pieces) => {
  const without = await drawn(text, [])
  const places = await lefts(without.page)
  expect(places.length).toBe(text.length)
  const { page, done } = await drawn(text, pieces)
  expect(await lefts(page)).toEqual(places)
  await without.done()
  await done()
})

test('the label of a span with several pieces on a line starts where the span starts', async () => {
  const { page, done } = await drawn('ואז גרנו הרבה שנים ב-Mit Abu al-Kum, ליד', ['-Kum, ליד'])
  // Narrows the text so that the leftmost piece touches the edge of the text. A label at this edge would have no space.
  await page.locator('[data-span-text]').evaluate((root) => {
    const lefts = [...root.querySelector('[data-marked]')!.getClientRects()].map(({ left }) => left)
    root.style.maxWidth = `${root.getBoundingClientRect().right - Math.min(...lefts) + 3}px`
  })
  const rights = () =>
    page.locator('[data-marked]').evaluate((marked) => {
      const boxes = [...marked.getClientRects()]
      const chip = document.querySelector('[data-chip]')!.getBoundingClientRect()
      return { pieces: boxes.length, off: Math.abs(chip.right - Math.max(...boxes.map(({ right }) => right))) }
    })
  await expect.poll(rights).toMatchObject({ pieces: 2, off: expect.toSatisfy((off: number) => off < 1) })
  await done()
})
