import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { dragOver, marksQuestion, placeOf, RECORD, spansShown } from '../ground/annotation.ts'
import { answering } from '../ground/answering.ts'
import { setUpTeam } from '../ground/team.ts'

const { givenRecords, open } = answering(setUpTeam())

const LONG = 'Organisation or institution of public law'
const questions = { marks: marksQuestion({ first: LONG }) }
const fields = [{ name: 'text', title: 'Text', required: true, settings: { type: 'text', use_markdown: false } }]

const wordsOf = (word: string, count: number) => Array.from({ length: count }, () => word).join(' ')
/** A span on every word of a text, in code points. */
const onEach = (text: string) => {
  let at = 0
  return text.split(' ').map((word) => {
    const start = at
    at += word.length + 1
    return { label: 'a', start, end: start + word.length }
  })
}

/** Labels that reach out of the text they belong to, by more than a hair. */
const outside = (page: Page): Promise<string[]> =>
  page.locator('[data-span-text] [data-chip]').evaluateAll((chips) =>
    chips.flatMap((chip) => {
      const text = chip.closest('[data-block]')!.getBoundingClientRect()
      const { left, right } = chip.getBoundingClientRect()
      return left < text.left - 1 || right > text.right + 1 ? [`${left} ${right} of ${text.left} ${text.right}`] : []
    }),
  )

describe('the label below a span', () => {
  test.each([
    ['at the right edge', 'ltr', 'word', DESKTOP],
    ['on a phone', 'ltr', 'word', PHONE],
    ['at the left edge of Hebrew', 'rtl', 'מילה', DESKTOP],
  ] as const)('stays within the text %s, also read in full, with what removes it', async (_, direction, word, size) => {
    const text = wordsOf(word, 60)
    const last = onEach(text)
    const suggestions = { marks: { value: last.filter((__, index) => index % 3 === 2) } }
    const id = await givenRecords([{ fields: { text }, suggestions }], { questions, fields })
    const { page, done } = await open(id, size)
    await page.evaluate(() => document.fonts.ready)
    const shown = page.locator('[data-span-text]')
    expect(await shown.getAttribute('dir')).toBe(direction)
    await expect.poll(() => page.locator('[data-span-text] [data-chip]').count()).toBe(20)
    await expect.poll(() => outside(page)).toEqual([])
    const widths = await page
      .locator('[data-span-text] [data-chip]')
      .evaluateAll((chips) => chips.map((chip) => chip.getBoundingClientRect().width))
    expect(Math.min(...widths)).toBeGreaterThan(20)
    if (size === PHONE) return done()
    // The one that begins nearest to the end of its line.
    const nearest = await page.locator('[data-span-text] [data-chip]').evaluateAll(
      (chips, isRtl) =>
        chips
          .map((chip, index) => {
            const start = Number.parseInt(chip.getAttribute('data-chip')!, 10)
            const { left, right } = document.querySelector(`[data-marked][data-at="${start}"]`)!.getClientRects()[0]!
            return { index, at: isRtl ? -right : left }
          })
          .toSorted((a, b) => b.at - a.at)[0]!.index,
      direction === 'rtl',
    )
    const chip = page.locator('[data-span-text] [data-chip]').nth(nearest)
    await chip.hover()
    await expect.poll(() => chip.innerText()).toContain(LONG)
    await expect.poll(() => outside(page)).toEqual([])
    await chip.locator('[data-remove]').click()
    await expect.poll(() => page.locator('[data-span-text] [data-chip]').count()).toBe(19)
    await done()
  })

  test('stays within a long text too, of which only what is on the screen is drawn', async () => {
    const line = wordsOf('word', 17)
    const text = Array.from({ length: 300 }, () => line).join('\n')
    // The last word of each line, which goes to its end.
    const value = Array.from({ length: 300 }, (_, i) => ({ label: 'a', start: i * 85 + 80, end: i * 85 + 84 }))
    const id = await givenRecords([{ fields: { text }, suggestions: { marks: { value } } }], { questions, fields })
    const { page, done } = await open(id)
    const chips = page.locator('[data-span-text] [data-chip]')
    await chips.first().waitFor()
    await page.locator(RECORD).hover()
    await page.mouse.wheel(0, 4000)
    await expect
      .poll(() => page.locator('[data-span-text]').evaluate((element) => element.getBoundingClientRect().top))
      .toBeLessThan(-3000)
    await expect
      .poll(() =>
        chips.evaluateAll((all) =>
          all.flatMap((chip) => {
            const { top, bottom, right } = chip.getBoundingClientRect()
            const isSeen = chip.checkVisibility({ contentVisibilityAuto: true }) && top > 100 && bottom < innerHeight
            return isSeen ? [right <= chip.closest('[data-block]')!.getBoundingClientRect().right + 1] : []
          }),
        ),
      )
      .toSatisfy((inside: boolean[]) => inside.length > 5 && inside.every(Boolean))
    await done()
  })

  test('turns with the width of the record', async () => {
    const text = wordsOf('word', 60)
    const id = await givenRecords(
      [{ fields: { text }, suggestions: { marks: { value: onEach(text).filter((_, i) => i % 3 === 2) } } }],
      {
        questions,
        fields,
      },
    )
    const { page, done } = await open(id, { viewport: { width: 1440, height: 900 } })
    await expect.poll(() => outside(page)).toEqual([])
    await page.setViewportSize({ width: 1000, height: 900 })
    await expect.poll(() => outside(page)).toEqual([])
    await done()
  })
})

const SHORT = { marks: marksQuestion({ first: 'Person', allow_overlapping: true }) }

test.each([
  ['left to right', 'words of some'],
  ['right to left', 'أعلنت وزارة التعليم'],
] as const)('where a label and its score have no room, the score goes, %s', async (_, piece) => {
  const text = wordsOf(piece, 8)
  const value = onEach(text)
  const suggestions = { marks: { value, score: value.map(() => 0.5) } }
  const id = await givenRecords([{ fields: { text }, suggestions }], { questions: SHORT, fields })
  const { page, done } = await open(id)
  const chips = page.locator('[data-span-text] [data-chip]')
  const labels = () =>
    chips.evaluateAll((all) =>
      all.map((chip) => {
        const [label, mark] = [chip.querySelector('bdi')!, chip.querySelector('[aria-hidden]')!]
        const [around, score] = [chip.getBoundingClientRect(), mark.getBoundingClientRect()]
        const isShown = score.top < around.bottom && score.left >= around.left && score.right <= around.right
        return {
          isCut: label.scrollWidth > label.clientWidth,
          width: label.clientWidth,
          isShown,
          isGone: score.top >= around.bottom,
        }
      }),
    )
  await expect.poll(async () => (await labels()).length).toBe(value.length)
  await expect
    .poll(labels)
    .toSatisfy((all: Awaited<ReturnType<typeof labels>>) =>
      all.every(({ isCut, width, isShown, isGone }) => width > 15 && (isCut ? isGone : isShown || isGone)),
    )
  expect((await labels()).some(({ isGone }) => isGone)).toBe(true)
  // Read in full it has both.
  const short = (await labels()).findIndex(({ isGone }) => isGone)
  await chips.nth(short).hover({ position: { x: 4, y: 6 } })
  await expect.poll(async () => (await labels())[short]).toMatchObject({ isCut: false, isShown: true })
  await done()
})

test('the label below a line is had by pointer also where the next line has several rows of them', async () => {
  const line = 'one two three four\n'
  const text = line.repeat(6)
  const at = (number: number, start: number, end: number, label = 'a') => {
    const before = number * line.length
    return { label, start: before + start, end: before + end }
  }
  const value = [at(1, 0, 3), at(2, 0, 13), at(2, 4, 13), at(2, 8, 13), at(3, 0, 3)]
  const id = await givenRecords([{ fields: { text }, suggestions: { marks: { value } } }], { questions: SHORT, fields })
  const { page, done } = await open(id)
  const chips = page.locator('[data-span-text] [data-chip]')
  await expect.poll(() => chips.count()).toBe(value.length)
  const covered = () =>
    chips.evaluateAll((all) =>
      all.flatMap((chip) => {
        const { left, top, bottom } = chip.getBoundingClientRect()
        return [top + 1, bottom - 1].filter((y) => !chip.contains(document.elementFromPoint(left + 5, y)))
      }),
    )
  await expect.poll(covered).toEqual([])
  await done()
})

test('the label beside the pointer stays off those below the text, of what was just marked too, and away while a list is open', async () => {
  const id = await givenRecords([{ fields: { text: 'Ada Lovelace wrote to Charles Babbage.' } }], { questions: SHORT, fields })
  const { page, done } = await open(id)
  const beside = page.locator('[data-pointer-label]')
  const isShown = () => beside.evaluate((label) => label.checkVisibility() && label.dataset['shown'] === '')
  // It goes by itself after a while: here it stays.
  await page.evaluate(() => {
    const later = window.setTimeout
    Object.assign(window, { setTimeout: (act: () => void, wait: number) => later(act, wait === 3000 ? 1e9 : wait) })
  })
  await page.keyboard.press('1')
  const { x, y, width, height } = await placeOf(page, 'Lovelace')
  await page.mouse.move(x + 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width - 2, y + height / 2, { steps: 3 })
  await expect.poll(isShown).toBe(true)
  await page.mouse.up()
  const chip = page.locator('[data-span-text] [data-chip]')
  await chip.waitFor()
  await expect.poll(isShown).toBe(false)
  const box = (await chip.boundingBox())!
  await page.mouse.move(box.x - 2, box.y - 6)
  await page.mouse.move(box.x - 4, box.y - 6)
  await expect.poll(isShown).toBe(false)
  await page.mouse.move(x + width + 100, y + height / 2)
  await expect.poll(isShown).toBe(true)
  await chip.click()
  await page.getByRole('dialog', { name: uiPattern('question-types/span:labelFor') }).waitFor()
  await page.mouse.move(x + width + 120, y + height / 2)
  await page.mouse.move(x + width + 130, y + height / 2)
  await expect.poll(isShown).toBe(false)
  await done()
})

test('a selection made while the list of labels is open has its list at once', async () => {
  const id = await givenRecords([{ fields: { text: 'Ada Lovelace wrote to Charles Babbage in London.' } }], { questions, fields })
  const { page, done } = await open(id)
  const list = (text: string) => page.getByRole('dialog', { name: ui('question-types/span:labelFor', { text }) })
  await dragOver(page, 'Lovelace')
  await list('Lovelace').waitFor()
  await dragOver(page, 'Babbage')
  await list('Babbage').waitFor()
  await dragOver(page, 'London')
  await list('London').waitFor()
  expect(await list('Babbage').count()).toBe(0)
  await list('London').locator('input:focus').waitFor()
  await page.keyboard.type('beta')
  await page.keyboard.press('Enter')
  await list('London').waitFor({ state: 'detached' })
  await expect.poll(() => page.locator('[data-span-text] [data-chip] bdi').allInnerTexts()).toEqual(['Beta'])
  // The same words once more: a press elsewhere closes the list, and no other opens.
  await dragOver(page, 'Charles')
  await list('Charles').waitFor()
  const { x, y, height } = await placeOf(page, 'wrote')
  await page.mouse.click(x + 3, y + height / 2)
  await list('Charles').waitFor({ state: 'detached' })
  await done()
})

test('a label of the form takes what was selected by mouse before, whose list is still open', async () => {
  const id = await givenRecords([{ fields: { text: 'Ada Lovelace wrote to Charles Babbage in London.' } }], { questions, fields })
  const { page, done } = await open(id)
  const list = page.getByRole('dialog', { name: ui('question-types/span:labelFor', { text: 'Babbage' }) })
  await dragOver(page, 'Babbage')
  await list.locator('input:focus').waitFor()
  const label = page.locator('[data-question="marks"]').getByText('Beta', { exact: true }).first()
  await label.click()
  await expect.poll(() => spansShown(page)).toEqual(['Beta: Babbage'])
  await list.waitFor({ state: 'detached' })
  // It waits for the next selection, which it takes without a list, and is put down by another press.
  await dragOver(page, 'London')
  await expect.poll(() => spansShown(page)).toEqual(['Beta: Babbage', 'Beta: London'])
  await label.click()
  await dragOver(page, 'Charles')
  await page.getByRole('dialog', { name: ui('question-types/span:labelFor', { text: 'Charles' }) }).waitFor()
  await done()
})

test('a label of the form takes the words that a finger has selected a part of', async () => {
  const id = await givenRecords([{ fields: { text: 'unbelievable words stand here' } }], {
    questions: { marks: marksQuestion() },
  })
  const { page, done } = await open(id, PHONE)
  const { x, y, width, height } = await placeOf(page, 'believ')
  await page.touchscreen.tap(x + width / 2, y + height / 2)
  // As the handles of a selection do, of which a browser without a window has none.
  await page.evaluate(() => {
    const at = document.querySelector('[data-span-text] [data-at]')?.lastChild
    if (at) document.getSelection()?.setBaseAndExtent(at, 2, at, 16)
  })
  await page.getByPlaceholder(ui('question-types/span:findLabel')).waitFor()
  await page.locator('[data-question="marks"]').getByText('Beta', { exact: true }).first().tap()
  await expect.poll(() => spansShown(page)).toEqual(['Beta: unbelievable words'])
  await done()
})

test('a digit picks the label with that number in the list, unless a name begins with it; a name that none has is told', async () => {
  const settings = { ...marksQuestion().settings, options: ['Alpha', 'Beta', '3rd party'].map((text) => ({ value: text, text })) }
  const more = { questions: { marks: { ...marksQuestion(), settings } }, fields }
  const id = await givenRecords([{ fields: { text: 'Ada Lovelace wrote to Charles Babbage.' } }], more)
  const { page, done } = await open(id)
  const list = page.getByRole('dialog', { name: uiPattern('question-types/span:labelFor') })
  for (const [word, ...keys] of [['Lovelace', '2'] as const, ['Babbage', '3', 'Enter'] as const]) {
    await dragOver(page, word)
    await list.locator('input:focus').waitFor()
    for (const key of keys) await page.keyboard.press(key)
    await list.waitFor({ state: 'detached' })
  }
  await expect.poll(() => spansShown(page)).toEqual(['Beta: Lovelace', '3rd party: Babbage'])
  await dragOver(page, 'Charles')
  await list.locator('input:focus').waitFor()
  await page.keyboard.type('9')
  await list.getByText(ui('question-types/shared:noLabelFound', { query: '9' })).waitFor()
  await done()
})
