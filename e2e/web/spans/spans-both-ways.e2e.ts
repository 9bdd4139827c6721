import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { marksQuestion } from '../ground/annotation.ts'
import { answering } from '../ground/answering.ts'
import { setUpTeam } from '../ground/team.ts'

const { givenRecords, open } = answering(setUpTeam())

const questions = { marks: marksQuestion({ first: 'Person' }) }
const span = (text: string, piece: string) => {
  const start = [...text.slice(0, text.indexOf(piece))].length
  return { label: 'a', start, end: start + [...piece].length }
}

/** How far each character of the text lies from the left. */
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

/** What a reader of that script takes for a part of a text by itself. */
const TEXTS = [
  ['the end of a year, and a part of a number', 'בשנת 1952 הטלפון היה 03-555-1234 בלבד', ['52', '555']],
  ['a number without its currency', 'המחיר הוא ₪25 בלבד', ['25']],
  ['an Arabic word without what is written together with it', 'ثم عاد بالمدينة الكبيرة', ['المدينة']],
] as const

/** What is drawn of a text with these spans, which a model suggests. */
const drawn = async (text: string, pieces: readonly string[]) => {
  const value = pieces.map((piece) => span(text, piece))
  const id = await givenRecords([{ fields: { text }, suggestions: { marks: { value } } }], { questions })
  const { page, done } = await open(id)
  await page.evaluate(() => document.fonts.ready)
  await expect.poll(() => page.locator('[data-span-text] [data-chip]').count()).toBe(pieces.length)
  return { page, done }
}

test.each(TEXTS)('a text that runs from right to left stays as it is where a span begins in it: %s', async (_, text, pieces) => {
  const without = await drawn(text, [])
  const places = await lefts(without.page)
  expect(places.length).toBe(text.length)
  const { page, done } = await drawn(text, pieces)
  expect(await lefts(page)).toEqual(places)
  await without.done()
  await done()
})

test('the label of a span that lies in several pieces on its line begins where that begins', async () => {
  const { page, done } = await drawn('ואז גרנו הרבה שנים ב-Mit Abu al-Kum, ליד', ['-Kum, ליד'])
  // The piece at the left lies at the edge of the text, where a label that began there would have no room.
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
