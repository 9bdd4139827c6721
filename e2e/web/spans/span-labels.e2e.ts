import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { DESKTOP, PHONE } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { dragOverText, RECORD, shownSpans, spanQuestion, textBox } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const { seedRecords, open } = annotationTest(setUpSharedTeam())

const LONG = 'Organisation or institution of public law'
const questions = { marks: spanQuestion({ first: LONG }) }
const fields = [{ name: 'text', title: 'Text', required: true, settings: { type: 'text', use_markdown: false } }]

const createText = (word: string, count: number) => Array.from({ length: count }, () => word).join(' ')
/** Returns a span for every word of a text. Offsets count code points. */
const onEach = (text: string) => {
  let at = 0
  return text.split(' ').map((word) => {
    const start = at
    at += word.length + 1
    return { label: 'a', start, end: start + word.length }
  })
}

/** Labels that extend beyond their text by more than one pixel. */
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
  ] as const)('stays within the text %s, even expanded with its remove button', async (_, direction, word, size) => {
    const text = createText(word, 60)
    const last = onEach(text)
    const suggestions = { marks: { value: last.filter((__, index) => index % 3 === 2) } }
    const id = await seedRecords([{ fields: { text }, suggestions }], { questions, fields })
    const { page, done } = await open(id, size)
    const shown = page.locator('[data-span-text]')
    expect(await shown.getAttribute('dir')).toBe(direction)
    await expect.poll(() => page.locator('[data-span-text] [data-chip]').count()).toBe(20)
    await expect.poll(() => outside(page)).toEqual([])
    const widths = await page
      .locator('[data-span-text] [data-chip]')
      .evaluateAll((chips) => chips.map((chip) => chip.getBoundingClientRect().width))
    expect(Math.min(...widths)).toBeGreaterThan(20)
    if (size === PHONE) return done()
    // The span that starts nearest to the end of its line.
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

  test('also stays within a long text that renders only what is visible', async () => {
    const line = createText('word', 17)
    const text = Array.from({ length: 300 }, () => line).join('\n')
    // The last word of each line. Each of these spans ends where its line ends.
    const value = Array.from({ length: 300 }, (_, i) => ({ label: 'a', start: i * 85 + 80, end: i * 85 + 84 }))
    const id = await seedRecords([{ fields: { text }, suggestions: { marks: { value } } }], { questions, fields })
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

  test('reflows with the width of the record', async () => {
    const text = createText('word', 60)
    const id = await seedRecords(
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

const SHORT = { marks: spanQuestion({ first: 'Person', allow_overlapping: true }) }

test.each([
  ['left to right', 'words of some'],
  ['right to left', 'أعلنت وزارة التعليم'],
] as const)("omits the score if label and score don't fit, %s", async (_, piece) => {
  const text = createText(piece, 8)
  const value = onEach(text)
  const suggestions = { marks: { value, score: value.map(() => 0.5) } }
  const id = await seedRecords([{ fields: { text }, suggestions }], { questions: SHORT, fields })
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
  // Hovering over a label expands it. The label then shows its full name and its score.
  const short = (await labels()).findIndex(({ isGone }) => isGone)
  await chips.nth(short).hover({ position: { x: 4, y: 6 } })
  await expect.poll(async () => (await labels())[short]).toMatchObject({ isCut: false, isShown: true })
  await done()
})

test('a label below a line is clickable even if the next line has several rows of labels', async () => {
  const line = 'one two three four\n'
  const text = line.repeat(6)
  const at = (number: number, start: number, end: number, label = 'a') => {
    const before = number * line.length
    return { label, start: before + start, end: before + end }
  }
  const value = [at(1, 0, 3), at(2, 0, 13), at(2, 4, 13), at(2, 8, 13), at(3, 0, 3)]
  const id = await seedRecords([{ fields: { text }, suggestions: { marks: { value } } }], { questions: SHORT, fields })
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

test('the label at the pointer avoids labels below the text, including new ones, and hides while a list is open', async () => {
  const id = await seedRecords([{ fields: { text: 'Ada Lovelace wrote to Charles Babbage.' } }], { questions: SHORT, fields })
  const { page, done } = await open(id)
  const beside = page.locator('[data-pointer-label]')
  const isShown = () => beside.evaluate((label) => label.checkVisibility() && label.dataset['shown'] === '')
  // The label normally disappears after a while. Here it stays visible.
  await page.evaluate(() => {
    const later = window.setTimeout
    Object.assign(window, { setTimeout: (act: () => void, wait: number) => later(act, wait === 3000 ? 1e9 : wait) })
  })
  await page.keyboard.press('1')
  const { x, y, width, height } = await textBox(page, 'Lovelace')
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

test('a selection made while the label list is open opens its own list immediately', async () => {
  const id = await seedRecords([{ fields: { text: 'Ada Lovelace wrote to Charles Babbage in London.' } }], { questions, fields })
  const { page, done } = await open(id)
  const list = (text: string) => page.getByRole('dialog', { name: ui('question-types/span:labelFor', { text }) })
  await dragOverText(page, 'Lovelace')
  await list('Lovelace').waitFor()
  await dragOverText(page, 'Babbage')
  await list('Babbage').waitFor()
  await dragOverText(page, 'London')
  await list('London').waitFor()
  expect(await list('Babbage').count()).toBe(0)
  await list('London').locator('input:focus').waitFor()
  await page.keyboard.type('beta')
  await page.keyboard.press('Enter')
  await list('London').waitFor({ state: 'detached' })
  await expect.poll(() => page.locator('[data-span-text] [data-chip] bdi').allInnerTexts()).toEqual(['Beta'])
  await dragOverText(page, 'Charles')
  await list('Charles').waitFor()
  const { x, y, height } = await textBox(page, 'wrote')
  await page.mouse.click(x + 3, y + height / 2)
  await list('Charles').waitFor({ state: 'detached' })
  await done()
})

test('a form label applies to the text selected by mouse before, whose list is still open', async () => {
  const id = await seedRecords([{ fields: { text: 'Ada Lovelace wrote to Charles Babbage in London.' } }], { questions, fields })
  const { page, done } = await open(id)
  const list = page.getByRole('dialog', { name: ui('question-types/span:labelFor', { text: 'Babbage' }) })
  await dragOverText(page, 'Babbage')
  await list.locator('input:focus').waitFor()
  const label = page.locator('[data-question="marks"]').getByText('Beta', { exact: true }).first()
  await label.click()
  await expect.poll(() => shownSpans(page)).toEqual(['Beta: Babbage'])
  await list.waitFor({ state: 'detached' })
  // The label stays active, so no list opens for the next selection. Another click deactivates the label.
  await dragOverText(page, 'London')
  await expect.poll(() => shownSpans(page)).toEqual(['Beta: Babbage', 'Beta: London'])
  await label.click()
  await dragOverText(page, 'Charles')
  await page.getByRole('dialog', { name: ui('question-types/span:labelFor', { text: 'Charles' }) }).waitFor()
  await done()
})

test('a form label applies to the whole words around a touch selection', async () => {
  const id = await seedRecords([{ fields: { text: 'unbelievable words stand here' } }], {
    questions: { marks: spanQuestion() },
  })
  const { page, done } = await open(id, PHONE)
  const { x, y, width, height } = await textBox(page, 'believ')
  await page.touchscreen.tap(x + width / 2, y + height / 2)
  // Sets the selection as touch handles would. A headless browser has no touch handles.
  await page.evaluate(() => {
    const at = document.querySelector('[data-span-text] [data-at]')?.lastChild
    if (at) document.getSelection()?.setBaseAndExtent(at, 2, at, 16)
  })
  await page.getByPlaceholder(ui('question-types/span:findLabel')).waitFor()
  await page.locator('[data-question="marks"]').getByText('Beta', { exact: true }).first().tap()
  await expect.poll(() => shownSpans(page)).toEqual(['Beta: unbelievable words'])
  await done()
})

test('a digit picks the label with that number in the list unless a label name starts with it, and an unknown name is reported', async () => {
  const settings = { ...spanQuestion().settings, options: ['Alpha', 'Beta', '3rd party'].map((text) => ({ value: text, text })) }
  const more = { questions: { marks: { ...spanQuestion(), settings } }, fields }
  const id = await seedRecords([{ fields: { text: 'Ada Lovelace wrote to Charles Babbage.' } }], more)
  const { page, done } = await open(id)
  const list = page.getByRole('dialog', { name: uiPattern('question-types/span:labelFor') })
  for (const [word, ...keys] of [['Lovelace', '2'] as const, ['Babbage', '3', 'Enter'] as const]) {
    await dragOverText(page, word)
    await list.locator('input:focus').waitFor()
    for (const key of keys) await page.keyboard.press(key)
    await list.waitFor({ state: 'detached' })
  }
  await expect.poll(() => shownSpans(page)).toEqual(['Beta: Lovelace', '3rd party: Babbage'])
  await dragOverText(page, 'Charles')
  await list.locator('input:focus').waitFor()
  await page.keyboard.type('9')
  await list.getByText(ui('question-types/shared:noLabelFound', { query: '9' })).waitFor()
  await done()
})
