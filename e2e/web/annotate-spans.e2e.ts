import { describe, expect, test } from 'vitest'
import { dragOver, placeOf, spansShown } from './support/annotation.ts'
import { answering } from './support/answering.ts'
import { setUpTeam } from './support/team.ts'

const { givenRecords, open, onlyAnswer } = answering(setUpTeam())

describe('spans', () => {
  const span = (allow_overlapping: boolean) => ({
    marks: {
      title: 'Marks',
      required: true,
      settings: {
        type: 'span',
        field: 'text',
        options: [
          { value: 'a', text: 'Alpha' },
          { value: 'b', text: 'Beta' },
        ],
        allow_overlapping,
      },
    },
  })

  test('widen to words, but not with Shift; a new one takes the place of what it touches', async () => {
    const id = await givenRecords([{ fields: { text: 'unbelievable words stand here' } }], { questions: span(false) })
    const { page, done } = await open(id)
    await page.keyboard.press('1')
    await dragOver(page, 'believ', 'Shift')
    expect(await spansShown(page)).toEqual(['Alpha: believ'])
    await page.keyboard.press('Escape')
    await dragOver(page, 'nbelievable wor')
    expect(await spansShown(page)).toEqual(['Alpha: unbelievable words'])
    await page.getByRole('button', { name: 'Submit' }).click()
    expect((await onlyAnswer(id))?.values).toEqual({ marks: [{ label: 'a', start: 0, end: 18 }] })
    await done()
  })

  test('may overlap where that is allowed, with several labels on the same text', async () => {
    const id = await givenRecords([{ fields: { text: 'one two three' } }], { questions: span(true) })
    const { page, done } = await open(id)
    await page.keyboard.press('1')
    await dragOver(page, 'one two')
    await page.keyboard.press('2')
    await dragOver(page, 'two three')
    const { x, y } = await placeOf(page, 'three')
    await page.mouse.click(x + 4, y + 6)
    await page.getByRole('dialog').getByRole('option', { name: 'Alpha' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Submit' }).click()
    expect((await onlyAnswer(id))?.values).toEqual({
      marks: [
        { label: 'a', start: 0, end: 7 },
        { label: 'a', start: 4, end: 13 },
        { label: 'b', start: 4, end: 13 },
      ],
    })
    await done()
  })

  test('are exact in right-to-left text and in a list for readers', async () => {
    const id = await givenRecords([{ fields: { text: 'שלום עולם 42' } }], { questions: span(false) })
    const { page, done } = await open(id)
    expect(await page.locator('[data-span-text]').getAttribute('dir')).toBe('rtl')
    await page.keyboard.press('2')
    await dragOver(page, 'עולם')
    await page.getByRole('button', { name: '1 span' }).click()
    const line = page.getByRole('listbox', { name: 'Spans' }).getByRole('option')
    await expect.poll(() => line.innerText()).toMatch(/Beta\s+עולם/)
    await page.getByRole('button', { name: 'Submit' }).click()
    expect((await onlyAnswer(id))?.values).toEqual({ marks: [{ label: 'b', start: 5, end: 9 }] })
    await done()
  })

  test('Tab goes through them and then out of the text', async () => {
    const id = await givenRecords(
      [
        {
          fields: { text: 'one two three' },
          suggestions: {
            marks: {
              value: [
                { label: 'a', start: 0, end: 3 },
                { label: 'b', start: 8, end: 13 },
              ],
            },
          },
        },
      ],
      { questions: span(false) },
    )
    const { page, done } = await open(id)
    await page.locator('[data-span-text]').focus()
    const current = () => page.locator('[data-marked][data-current]').allInnerTexts()
    await page.keyboard.press('Tab')
    expect((await current()).join()).toContain('one')
    await page.keyboard.press('Tab')
    expect((await current()).join()).toContain('three')
    await page.keyboard.press('Delete')
    expect(await spansShown(page)).toEqual(['Alpha: one'])
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-span-text'))).toBe(false)
    await done()
  })
})
