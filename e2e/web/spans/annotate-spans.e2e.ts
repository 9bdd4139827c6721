import { describe, expect, test } from 'vitest'
import { ui } from '../../harness/ui-text.ts'
import { dragOver, marksQuestion, placeOf, spansShown } from '../ground/annotation.ts'
import { answering } from '../ground/answering.ts'
import { setUpTeam } from '../ground/team.ts'
import { keysAct } from '../support/keys-act.ts'

const { givenRecords, open, onlyAnswer } = answering(setUpTeam())

describe('spans', () => {
  const span = (allow_overlapping: boolean) => ({ marks: marksQuestion({ allow_overlapping }) })

  test('widen to words, but not with Shift; a new one takes the place of what it touches', async () => {
    const id = await givenRecords([{ fields: { text: 'unbelievable words stand here' } }], { questions: span(false) })
    const { page, done } = await open(id)
    await page.keyboard.press('1')
    await dragOver(page, 'believ', 'Shift')
    await expect.poll(() => spansShown(page)).toEqual(['Alpha: believ'])
    await page.keyboard.press('Escape')
    await dragOver(page, 'nbelievable wor')
    await expect.poll(() => spansShown(page)).toEqual(['Alpha: unbelievable words'])
    await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
    expect((await onlyAnswer(id))?.values).toEqual({ marks: [{ label: 'a', start: 0, end: 18 }] })
    await done()
  })

  test('take exactly what is selected once whole words are switched off, also after a reload', async () => {
    const id = await givenRecords([{ fields: { text: 'unbelievable 日本語のテキスト here' } }], { questions: span(false) })
    const { page, done } = await open(id)
    const whole = page.getByRole('switch', { name: ui('question-types/span:wholeWords') })
    // A script without blanks has words too.
    await page.keyboard.press('1')
    await dragOver(page, '日本')
    await expect.poll(() => spansShown(page)).toEqual(['Alpha: 日本語'])
    await whole.focus()
    await page.keyboard.press('Space')
    await expect.poll(() => whole.getAttribute('aria-checked')).toBe('false')
    // The keys of the question still act there.
    await page.keyboard.press('2')
    await dragOver(page, 'believ')
    await expect.poll(() => spansShown(page)).toEqual(['Beta: believ', 'Alpha: 日本語'])
    await page.reload()
    await keysAct(page)
    expect(await whole.getAttribute('aria-checked')).toBe('false')
    await page.keyboard.press('2')
    await dragOver(page, 'ere', 'Shift')
    await expect.poll(async () => (await spansShown(page)).at(-1)).toBe('Beta: here')
    await done()
  })

  test('are told beside the pointer before they are made, and once how to select by character', async () => {
    const id = await givenRecords([{ fields: { text: 'unbelievable words stand here' } }], { questions: span(false) })
    const { page, done } = await open(id)
    const beside = page.locator('[data-pointer-label]')
    const hint = page.getByRole('region', { name: ui('common:toast.region') }).getByText(ui('question-types/span:wholeWordsHint'))
    const hold = async (piece: string): Promise<void> => {
      const { x, y, width, height } = await placeOf(page, piece)
      await page.mouse.move(x + 2, y + height / 2)
      await page.mouse.down()
      await page.mouse.move(x + width - 2, y + height / 2, { steps: 3 })
      await page.waitForTimeout(600)
    }
    expect(await beside.count()).toBe(0)
    await page.keyboard.press('2')
    // It goes after a moment, in which a slow machine would not get to look at it.
    await beside.evaluate((label) => {
      new MutationObserver(() => {
        if (label.dataset['shown'] === '') label.dataset['wasShown'] = ''
      }).observe(label, { attributeFilter: ['data-shown'] })
    })
    await hold('words')
    await hint.waitFor()
    await expect.poll(() => beside.getAttribute('data-was-shown')).toBe('')
    expect(await beside.textContent()).toBe('Beta')
    await page.mouse.up()
    await expect.poll(() => spansShown(page)).toEqual(['Beta: words'])
    await page.mouse.move(5, 5)
    await expect.poll(() => beside.getAttribute('data-shown')).toBeNull()
    // It may have gone by itself.
    await page
      .getByRole('region', { name: ui('common:toast.region') })
      .getByRole('button', { name: ui('common:action.close') })
      .evaluateAll((buttons: readonly HTMLElement[]) => {
        for (const button of buttons) button.click()
      })
    await hint.waitFor({ state: 'detached' })
    await hold('stand')
    await page.mouse.up()
    await expect.poll(() => spansShown(page)).toEqual(['Beta: words', 'Beta: stand'])
    expect(await hint.count()).toBe(0)
    await done()
  })

  test('are drawn as they come near in a long text, each where it belongs', async () => {
    const line = 'Some words of a long text 👩‍👩‍👧 that goes on and on.\n'
    const text = line.repeat(8000)
    const step = [...line].length
    const value = Array.from({ length: 2000 }, (_, i) => ({
      label: i % 2 ? 'b' : 'a',
      start: i * 4 * step,
      end: i * 4 * step + 10,
    }))
    const id = await givenRecords([{ fields: { text }, suggestions: { marks: { value } } }], { questions: span(false) })
    const { page, done } = await open(id)
    const marked = page.locator('[data-span-text] [data-marked]')
    await marked.first().waitFor()
    expect(await marked.count()).toBeLessThan(1000)
    await page.locator('[data-span-text]').focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Shift+Tab')
    const last = page.locator('[data-span-text] [data-marked][data-current]')
    await last.waitFor()
    expect(await last.evaluate((element) => element.lastChild?.textContent)).toBe('Some words')
    await expect.poll(() => last.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThan(0)
    expect(Number(await last.getAttribute('data-at'))).toBe(1999 * 4 * line.length)
    await page.keyboard.press('Delete')
    await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
    expect((await onlyAnswer(id))?.values).toEqual({ marks: value.slice(0, -1) })
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
    await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
    expect((await onlyAnswer(id))?.values).toEqual({
      marks: [
        { label: 'a', start: 0, end: 7 },
        { label: 'a', start: 4, end: 13 },
        { label: 'b', start: 4, end: 13 },
      ],
    })
    await done()
  })

  test('are each had by the label below them, and removed there at once', async () => {
    const value = [
      { label: 'a', start: 0, end: 13 },
      { label: 'b', start: 4, end: 7 },
    ]
    const suggestions = { marks: { value } }
    const id = await givenRecords([{ fields: { text: 'one two three' }, suggestions }], { questions: span(true) })
    const { page, done } = await open(id)
    const chip = (label: string) => page.locator('[data-span-text] [data-chip]', { hasText: label })
    const cross = chip('Alpha').locator('[data-remove]')
    await chip('Alpha').waitFor()
    expect(await cross.isVisible()).toBe(false)
    // The label of the longer span means that span, though another one lies within it.
    await chip('Alpha').locator('bdi').click()
    await page.getByRole('dialog', { name: ui('question-types/span:labelFor', { text: 'one two three' }) }).waitFor()
    await page.keyboard.press('Escape')
    await chip('Alpha').hover()
    await cross.click()
    await expect.poll(() => spansShown(page)).toEqual(['Beta: two'])
    await page.keyboard.press('Control+z')
    await expect.poll(() => chip('Alpha').count()).toBe(1)
    await page.keyboard.press('Control+Shift+z')
    await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
    expect((await onlyAnswer(id))?.values).toEqual({ marks: [{ label: 'b', start: 4, end: 7 }] })
    await done()
  })

  test('get another label by its number, by name, and by pointer', async () => {
    const id = await givenRecords(
      [{ fields: { text: 'one two three' }, suggestions: { marks: { value: [{ label: 'a', start: 4, end: 7 }] } } }],
      { questions: span(false) },
    )
    const { page, done } = await open(id)
    await page.locator('[data-span-text]').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('2')
    await expect.poll(() => spansShown(page)).toEqual(['Beta: two'])
    // A letter opens the labels and looks for it at once.
    await page.keyboard.press('a')
    await page.getByRole('dialog').locator('input:focus').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => spansShown(page)).toEqual(['Alpha: two'])
    await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-span-text'))).toBe(true)
    await page.keyboard.press('F2')
    await page.getByRole('dialog').getByRole('option', { name: 'Beta' }).waitFor()
    await page.keyboard.press('Escape')
    const { x, y } = await placeOf(page, 'two')
    await page.mouse.click(x + 4, y + 6)
    await page.getByRole('dialog').getByRole('option', { name: 'Beta' }).click()
    await expect.poll(() => spansShown(page)).toEqual(['Beta: two'])
    await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
    expect((await onlyAnswer(id))?.values).toEqual({ marks: [{ label: 'b', start: 4, end: 7 }] })
    await done()
  })

  test('that overlap have a row each, and the label of the one in use is read in full', async () => {
    const value = [
      { label: 'a', start: 0, end: 13 },
      { label: 'b', start: 0, end: 7 },
      { label: 'a', start: 4, end: 5 },
      { label: 'b', start: 5, end: 6 },
    ]
    const id = await givenRecords([{ fields: { text: 'one two three' }, suggestions: { marks: { value } } }], {
      questions: span(true),
    })
    const { page, done } = await open(id)
    const chips = page.locator('[data-span-text] [data-chip]')
    await placeOf(page, 'one two')
    const boxes = () => chips.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
    const rows = [...new Set(await boxes())].sort((a, b) => a - b)
    expect(rows).toHaveLength(3)
    expect(rows[1]! - rows[0]!).toBe(rows[2]! - rows[1]!)
    const isCut = () =>
      chips.evaluateAll((all) =>
        all.map(
          (one) => one.scrollWidth > one.clientWidth || one.firstElementChild!.scrollWidth > one.firstElementChild!.clientWidth,
        ),
      )
    await expect.poll(async () => (await isCut())[2]).toBe(true)
    await page.locator('[data-span-text]').focus()
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('Tab')
    await expect.poll(() => chips.nth(2).getAttribute('data-current')).toBe('')
    await expect.poll(async () => (await isCut())[2]).toBe(false)
    await done()
  })

  test('leave the text as it is for the clipboard, by the button above it and by keys', async () => {
    const text = 'Ada Lovelace\r\nwrote'
    const value = [
      [0, 12],
      [0, 3],
      [0, 2],
      [1, 3],
      [4, 12],
    ].map(([start, end]) => ({ label: 'a', start, end }))
    const id = await givenRecords([{ fields: { text }, suggestions: { marks: { value } } }], { questions: span(true) })
    const { page, done } = await open(id, { permissions: ['clipboard-read', 'clipboard-write'] })
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await page.getByRole('button', { name: ui('features/annotate:record.copyField', { title: 'Text' }) }).click()
    await expect.poll(copied).toBe(text)
    await page.locator('[data-span-text]').focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Control+Shift+Home')
    await page.keyboard.press('Control+c')
    await expect.poll(copied).toBe(text.slice(0, -1))
    await done()
  })

  test('are exact in right-to-left text and in a list for readers', async () => {
    const id = await givenRecords([{ fields: { text: 'שלום עולם 42' } }], { questions: span(false) })
    const { page, done } = await open(id)
    expect(await page.locator('[data-span-text]').getAttribute('dir')).toBe('rtl')
    await page.keyboard.press('2')
    await dragOver(page, 'עולם')
    await page.getByRole('button', { name: ui('question-types/span:count', { count: 1 }) }).click()
    const line = page.getByRole('listbox', { name: ui('question-types/span:spans') }).getByRole('option')
    await expect.poll(() => line.innerText()).toMatch(/Beta\s+עולם/)
    await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
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
    const current = async () => (await page.locator('[data-marked][data-current]').allInnerTexts()).join()
    await page.keyboard.press('Tab')
    await expect.poll(current).toContain('one')
    await page.keyboard.press('Tab')
    await expect.poll(current).toContain('three')
    await page.keyboard.press('Delete')
    await expect.poll(() => spansShown(page)).toEqual(['Alpha: one'])
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-span-text'))).toBe(false)
    await done()
  })
})
