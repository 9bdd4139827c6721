import { detail } from '@postil/testkit/detail.ts'
import { describe, expect, test } from 'vitest'
import { ui } from '../../harness/ui-text.ts'
import { dragOverText, shownSpans, spanQuestion, textBox } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { waitForKeyFocus } from '../support/wait-for-key-focus.ts'

const { seedRecords, open, onlyStoredAnswer } = annotationTest(setUpSharedTeam())

describe('spans', () => {
  const span = (allow_overlapping: boolean) => ({ marks: spanQuestion({ allow_overlapping }) })

  test('widen to whole words unless Shift is held, and a new one replaces those it touches', async () => {
    const id = await seedRecords([{ fields: { text: 'unbelievable words stand here' } }], { questions: span(false) })
    const { page, done } = await open(id)
    await page.keyboard.press('1')
    await dragOverText(page, 'believ', 'Shift')
    await expect.poll(() => shownSpans(page)).toEqual(['Alpha: believ'])
    await page.keyboard.press('Escape')
    await dragOverText(page, 'nbelievable wor')
    await expect.poll(() => shownSpans(page)).toEqual(['Alpha: unbelievable words'])
    await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
    expect((await onlyStoredAnswer(id))?.values).toEqual({ marks: [{ label: 'a', start: 0, end: 18 }] })
    await done()
  })

  detail('cover exactly the selection when whole words are off, even after a reload', async () => {
    const id = await seedRecords([{ fields: { text: 'unbelievable 日本語のテキスト here' } }], { questions: span(false) })
    const { page, done } = await open(id)
    const whole = page.getByRole('switch', { name: ui('question-types/span:wholeWords') })
    // Writing systems without spaces have words too.
    await page.keyboard.press('1')
    await dragOverText(page, '日本')
    await expect.poll(() => shownSpans(page)).toEqual(['Alpha: 日本語'])
    await whole.focus()
    await page.keyboard.press('Space')
    await expect.poll(() => whole.getAttribute('aria-checked')).toBe('false')
    // The question's keys also work while the switch has the focus.
    await page.keyboard.press('2')
    await dragOverText(page, 'believ')
    await expect.poll(() => shownSpans(page)).toEqual(['Beta: believ', 'Alpha: 日本語'])
    await page.reload()
    await waitForKeyFocus(page)
    expect(await whole.getAttribute('aria-checked')).toBe('false')
    await page.keyboard.press('2')
    await dragOverText(page, 'ere', 'Shift')
    await expect.poll(async () => (await shownSpans(page)).at(-1)).toBe('Beta: here')
    await done()
  })

  detail('are announced at the pointer before they are created, with a one-time hint on selecting by character', async () => {
    const id = await seedRecords([{ fields: { text: 'unbelievable words stand here' } }], { questions: span(false) })
    const { page, done } = await open(id)
    const beside = page.locator('[data-pointer-label]')
    const hint = page.getByRole('region', { name: ui('common:toast.region') }).getByText(ui('question-types/span:wholeWordsHint'))
    const hold = async (piece: string): Promise<void> => {
      const { x, y, width, height } = await textBox(page, piece)
      await page.mouse.move(x + 2, y + height / 2)
      await page.mouse.down()
      await page.mouse.move(x + width - 2, y + height / 2, { steps: 3 })
      await page.waitForTimeout(600)
    }
    expect(await beside.count()).toBe(0)
    await page.keyboard.press('2')
    // The label disappears after a moment, too fast for a slow machine to check. An observer records that it was shown.
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
    await expect.poll(() => shownSpans(page)).toEqual(['Beta: words'])
    await page.mouse.move(5, 5)
    await expect.poll(() => beside.getAttribute('data-shown')).toBeNull()
    // The notice may have disappeared already.
    await page
      .getByRole('region', { name: ui('common:toast.region') })
      .getByRole('button', { name: ui('common:action.close') })
      .evaluateAll((buttons: readonly HTMLElement[]) => {
        for (const button of buttons) button.click()
      })
    await hint.waitFor({ state: 'detached' })
    await hold('stand')
    await page.mouse.up()
    await expect.poll(() => shownSpans(page)).toEqual(['Beta: words', 'Beta: stand'])
    expect(await hint.count()).toBe(0)
    await done()
  })

  detail('are rendered as they scroll near in a long text, each at its place', async () => {
    const line = 'Some words of a long text 👩‍👩‍👧 that goes on and on.\n'
    const text = line.repeat(8000)
    const step = [...line].length
    const value = Array.from({ length: 2000 }, (_, i) => ({
      label: i % 2 ? 'b' : 'a',
      start: i * 4 * step,
      end: i * 4 * step + 10,
    }))
    const id = await seedRecords([{ fields: { text }, suggestions: { marks: { value } } }], { questions: span(false) })
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
    expect((await onlyStoredAnswer(id))?.values).toEqual({ marks: value.slice(0, -1) })
    await done()
  })

  test('can overlap if allowed, with several labels on the same text', async () => {
    const id = await seedRecords([{ fields: { text: 'one two three' } }], { questions: span(true) })
    const { page, done } = await open(id)
    await page.keyboard.press('1')
    await dragOverText(page, 'one two')
    await page.keyboard.press('2')
    await dragOverText(page, 'two three')
    const { x, y } = await textBox(page, 'three')
    await page.mouse.click(x + 4, y + 6)
    await page.getByRole('dialog').getByRole('option', { name: 'Alpha' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
    expect((await onlyStoredAnswer(id))?.values).toEqual({
      marks: [
        { label: 'a', start: 0, end: 7 },
        { label: 'a', start: 4, end: 13 },
        { label: 'b', start: 4, end: 13 },
      ],
    })
    await done()
  })

  detail('are each selected by the label below them, and removed there immediately', async () => {
    const value = [
      { label: 'a', start: 0, end: 13 },
      { label: 'b', start: 4, end: 7 },
    ]
    const suggestions = { marks: { value } }
    const id = await seedRecords([{ fields: { text: 'one two three' }, suggestions }], { questions: span(true) })
    const { page, done } = await open(id)
    const chip = (label: string) => page.locator('[data-span-text] [data-chip]', { hasText: label })
    const cross = chip('Alpha').locator('[data-remove]')
    await chip('Alpha').waitFor()
    expect(await cross.isVisible()).toBe(false)
    // The label of the longer span refers to that span, even though another span is inside it.
    await chip('Alpha').locator('bdi').click()
    await page.getByRole('dialog', { name: ui('question-types/span:labelFor', { text: 'one two three' }) }).waitFor()
    await page.keyboard.press('Escape')
    await chip('Alpha').hover()
    await cross.click()
    await expect.poll(() => shownSpans(page)).toEqual(['Beta: two'])
    await page.keyboard.press('Control+z')
    await expect.poll(() => chip('Alpha').count()).toBe(1)
    await page.keyboard.press('Control+Shift+z')
    await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
    expect((await onlyStoredAnswer(id))?.values).toEqual({ marks: [{ label: 'b', start: 4, end: 7 }] })
    await done()
  })

  detail('are relabeled by number, by name and by pointer', async () => {
    const id = await seedRecords(
      [{ fields: { text: 'one two three' }, suggestions: { marks: { value: [{ label: 'a', start: 4, end: 7 }] } } }],
      { questions: span(false) },
    )
    const { page, done } = await open(id)
    await page.locator('[data-span-text]').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('2')
    await expect.poll(() => shownSpans(page)).toEqual(['Beta: two'])
    await page.keyboard.press('a')
    await page.getByRole('dialog').locator('input:focus').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => shownSpans(page)).toEqual(['Alpha: two'])
    await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-span-text'))).toBe(true)
    await page.keyboard.press('F2')
    await page.getByRole('dialog').getByRole('option', { name: 'Beta' }).waitFor()
    await page.keyboard.press('Escape')
    const { x, y } = await textBox(page, 'two')
    await page.mouse.click(x + 4, y + 6)
    await page.getByRole('dialog').getByRole('option', { name: 'Beta' }).click()
    await expect.poll(() => shownSpans(page)).toEqual(['Beta: two'])
    await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
    expect((await onlyStoredAnswer(id))?.values).toEqual({ marks: [{ label: 'b', start: 4, end: 7 }] })
    await done()
  })

  detail('that overlap have separate rows, and the active label is readable in full', async () => {
    const value = [
      { label: 'a', start: 0, end: 13 },
      { label: 'b', start: 0, end: 7 },
      { label: 'a', start: 4, end: 5 },
      { label: 'b', start: 5, end: 6 },
    ]
    const id = await seedRecords([{ fields: { text: 'one two three' }, suggestions: { marks: { value } } }], {
      questions: span(true),
    })
    const { page, done } = await open(id)
    const chips = page.locator('[data-span-text] [data-chip]')
    await textBox(page, 'one two')
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

  detail("don't change the text copied with the button or by keys", async () => {
    const text = 'Ada Lovelace\r\nwrote'
    const value = [
      [0, 12],
      [0, 3],
      [0, 2],
      [1, 3],
      [4, 12],
    ].map(([start, end]) => ({ label: 'a', start, end }))
    const id = await seedRecords([{ fields: { text }, suggestions: { marks: { value } } }], { questions: span(true) })
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

  detail('are exact in right-to-left text and in a list for screen readers', async () => {
    const id = await seedRecords([{ fields: { text: 'שלום עולם 42' } }], { questions: span(false) })
    const { page, done } = await open(id)
    expect(await page.locator('[data-span-text]').getAttribute('dir')).toBe('rtl')
    await page.keyboard.press('2')
    await dragOverText(page, 'עולם')
    await page.getByRole('button', { name: ui('question-types/span:count', { count: 1 }) }).click()
    const line = page.getByRole('listbox', { name: ui('question-types/span:spans') }).getByRole('option')
    await expect.poll(() => line.innerText()).toMatch(/Beta\s+עולם/)
    await page.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
    expect((await onlyStoredAnswer(id))?.values).toEqual({ marks: [{ label: 'b', start: 5, end: 9 }] })
    await done()
  })

  detail('are visited by Tab, which then leaves the text', async () => {
    const id = await seedRecords(
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
    await expect.poll(() => shownSpans(page)).toEqual(['Alpha: one'])
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-span-text'))).toBe(false)
    await done()
  })
})
