import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { violations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { answers, left, question, recordText, TEXT } from '../ground/annotation.ts'
import { answering } from '../ground/answering.ts'
import { setUpTeam } from '../ground/team.ts'
import { keysAct } from '../support/keys-act.ts'

const team = setUpTeam()
const { givenRecords, open, onlyAnswer } = answering(team)

const keyOf = (page: Page, deed: string) => page.locator(`[data-deed=${deed}] button`)
const change = async (page: Page, deed: string, key: string): Promise<void> => {
  await keyOf(page, deed).click()
  await page.keyboard.press(key)
}

describe('keys of the annotation screen', () => {
  test('are changed in the settings of the user, and act and are shown as they were changed', async () => {
    const id = await givenRecords([{ fields: { text: TEXT } }, { fields: { text: `${TEXT} Again.` } }])
    const { page, done } = await open(id)
    await page.keyboard.press('?')
    await page
      .getByRole('dialog')
      .getByRole('link', { name: ui('features/annotate:shortcuts.change') })
      .click()
    await page.waitForURL((url) => url.pathname === '/user-settings')
    await expect.poll(() => keyOf(page, 'submit').textContent()).toBe(ui('common:key.Enter'))

    await change(page, 'discard', 'F9')
    await expect.poll(() => keyOf(page, 'discard').textContent()).toBe('F9')
    // What another one has is swapped.
    await change(page, 'next', 'ArrowLeft')
    await expect.poll(() => keyOf(page, 'previous').textContent()).toBe('→')
    await expect.poll(() => keyOf(page, 'next').textContent()).toBe('←')

    await page.goBack()
    await left(page, 2)
    const discard = page.getByRole('button', { name: ui('features/annotate:action.discard') })
    await expect.poll(() => discard.getAttribute('aria-keyshortcuts')).toBe('F9')
    expect(await discard.textContent()).toContain('F9')
    await page.getByRole('button', { name: ui('features/annotate:pager.next', { key: '←' }) }).waitFor()
    await keysAct(page)
    const first = await recordText(page)
    await page.keyboard.press('Backspace')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => recordText(page)).not.toBe(first)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => recordText(page)).toBe(first)
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog')
    await sheet.getByText('F9', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await left(page, 2)
    await page.keyboard.press('F9')
    await left(page, 1)
    expect(await onlyAnswer(id)).toMatchObject({ status: 'discarded' })

    // They are kept, and the usual ones come back at a press, also in a tab that is open.
    const other = await page.context().newPage()
    await other.goto('/user-settings')
    await other.getByRole('button', { name: ui('features/profile:keys.usual') }).click()
    await expect
      .poll(() => page.getByRole('button', { name: ui('features/annotate:action.discard') }).getAttribute('aria-keyshortcuts'))
      .toBe('Backspace')
    await other.close()
    await done()
  })

  test('cannot be had from the questions or the browser; Escape and Tab leave them as they are', async () => {
    const id = await givenRecords([{ fields: { text: TEXT } }])
    const { page, done } = await open(id)
    await page.goto('/user-settings')
    const submit = keyOf(page, 'submit')
    await change(page, 'submit', 'a')
    const alert = page.locator('[data-deed=submit] [role=alert]')
    await expect.poll(() => alert.textContent()).toBe(ui('features/profile:keys.refused.question', { key: 'A' }))
    expect(await violations(page)).toEqual([])
    // It still waits for another one.
    await page.keyboard.press('Space')
    await expect
      .poll(() => alert.textContent())
      .toBe(ui('features/profile:keys.refused.question', { key: ui('common:key.Space') }))
    await page.keyboard.press('Control+c')
    await expect
      .poll(() => alert.textContent())
      .toBe(ui('features/profile:keys.refused.browser', { key: `${ui('common:key.Ctrl')} C` }))
    await page.keyboard.press('Escape')
    await expect.poll(() => submit.textContent()).toBe(ui('common:key.Enter'))
    await expect.poll(() => alert.count()).toBe(0)
    await submit.click()
    await expect.poll(() => submit.textContent()).toContain(ui('features/profile:keys.listening'))
    await page.keyboard.press('Tab')
    await expect.poll(() => submit.textContent()).toBe(ui('common:key.Enter'))
    await done()
  })

  test('are called as the keyboards of the language call them, in their list, in the settings and on the actions', async () => {
    const id = await givenRecords([{ fields: { text: TEXT } }])
    const { page, done } = await open(id, { language: 'de' })
    const named = (key: 'Ctrl' | 'Shift' | 'Enter' | 'Backspace' | 'Space' | 'Delete') => ui(`common:key.${key}`, {}, 'de')
    const draft = page.locator('form button[aria-keyshortcuts="Control+S"]')
    expect(await draft.textContent()).toContain(`${named('Ctrl')} S`)
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog').locator('kbd')
    await keys.first().waitFor()
    const listed = (await keys.allTextContents()).filter((name) => name.length > 2)
    const wanted = (['Enter', 'Delete', 'Space', 'Backspace', 'Ctrl', 'Shift'] as const).map(named)
    expect([...new Set(listed)].toSorted()).toEqual([...wanted, 'Esc', 'Tab'].toSorted())
    await page.goto('/user-settings')
    await expect.poll(() => keyOf(page, 'redo').textContent()).toBe(`${named('Ctrl')} ${named('Shift')} Z`)
    await done()
  })

  test('with a modifier act on a button of the form too: Ctrl+Z takes back what Clear has cleared', async () => {
    const id = await givenRecords([{ fields: { text: TEXT } }])
    const { page, done } = await open(id)
    await page.keyboard.press('1')
    const positive = question(page, 'tone').getByRole('radio', { name: 'Positive' })
    await expect.poll(() => positive.isChecked()).toBe(true)
    const clear = page.getByRole('button', { name: ui('features/annotate:action.clear'), exact: true })
    await clear.press('Enter')
    await expect.poll(() => positive.isChecked()).toBe(false)
    expect(await clear.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Control+z')
    await expect.poll(() => positive.isChecked()).toBe(true)
    await done()
  })

  test('without one act on the form from its beginning once the pointer has pressed Clear', async () => {
    const id = await givenRecords([{ fields: { text: TEXT } }])
    const { page, done } = await open(id)
    const option = (name: string) => question(page, 'tone').getByRole('radio', { name })
    await page.keyboard.press('1')
    await expect.poll(() => option('Positive').isChecked()).toBe(true)
    await page.getByRole('button', { name: ui('features/annotate:action.clear'), exact: true }).click()
    await expect.poll(() => option('Positive').isChecked()).toBe(false)
    await page.keyboard.press('1')
    await expect.poll(() => option('Positive').isChecked()).toBe(true)
    await done()
  })
})

test('with Ctrl act on a keyboard of other letters too: where Latin ones have S and Z, the Russian has others', async () => {
  const id = await givenRecords([{ fields: { text: TEXT } }])
  const { page, done } = await open(id)
  const session = await page.context().newCDPSession(page)
  const press = async (key: string, code: string): Promise<void> => {
    const event = { key, code, modifiers: 2 }
    await session.send('Input.dispatchKeyEvent', { ...event, type: 'rawKeyDown' })
    await session.send('Input.dispatchKeyEvent', { ...event, type: 'keyUp' })
  }
  await page.keyboard.press('1')
  const positive = question(page, 'tone').getByRole('radio', { name: 'Positive' })
  await expect.poll(() => positive.isChecked()).toBe(true)
  await press('я', 'KeyZ')
  await expect.poll(() => positive.isChecked()).toBe(false)
  await press('ы', 'KeyS')
  expect(await onlyAnswer(id)).toMatchObject({ status: 'draft' })
  await done()
})

const named = (...names: readonly string[]) => names.map((text) => ({ value: text.toLowerCase(), text }))

test('a label that was named by its first letters is picked by Enter, and the next Enter submits', async () => {
  const questions = {
    topic: {
      title: 'Topic',
      required: true,
      settings: { type: 'label_selection', options: named('Price', 'Delivery', 'Quality') },
    },
    tags: { title: 'Tags', required: false, settings: { type: 'multi_label_selection', options: named('Long', 'Short') } },
  }
  const record = (text: string) => ({ fields: { text }, suggestions: { topic: { value: 'price' } } })
  const id = await givenRecords([record('One.'), record('Two.')], { questions })
  const { page, done } = await open(id)
  const first = await recordText(page)
  const picked = (name: string) => question(page, 'topic').getByRole('radio', { name, checked: true }).waitFor()
  await picked('Price')
  await page.keyboard.type('de')
  await page.keyboard.press('Enter')
  await picked('Delivery')
  expect(await recordText(page)).toBe(first)
  // The focus is on the next question: a label that is on stays on.
  await page.keyboard.type('s')
  await page.keyboard.press('Enter')
  await page.keyboard.type('s')
  await page.keyboard.press('Enter')
  await question(page, 'tags').getByRole('option', { name: 'Short', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await left(page, 1)
  expect(await onlyAnswer(id)).toEqual({ status: 'submitted', values: { topic: 'delivery', tags: ['short'] } })

  // Not after another key, nor once the focus is elsewhere.
  await page.keyboard.type('q')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await left(page, 0)
  const topics = async () => [...(await answers(team.server, id)).values()].map(({ values }) => values['topic']).toSorted()
  await expect.poll(topics).toEqual(['delivery', 'price'])
  await done()
})
