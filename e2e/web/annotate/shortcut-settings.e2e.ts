import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findViolations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { expectLeft, question, recordText, storedAnswers, TEXT } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { waitForKeyFocus } from '../support/wait-for-key-focus.ts'

const team = setUpSharedTeam()
const { seedRecords, open, onlyStoredAnswer } = annotationTest(team)

const keyOf = (page: Page, action: string) => page.locator(`[data-action=${action}] button`)
const change = async (page: Page, action: string, key: string): Promise<void> => {
  await keyOf(page, action).click()
  await page.keyboard.press(key)
}

describe('shortcuts on the annotation screen', () => {
  test('can be changed in the user settings, then work and are shown as changed', async () => {
    const id = await seedRecords([{ fields: { text: TEXT } }, { fields: { text: `${TEXT} Again.` } }])
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
    // If another action already has the key, the two actions swap their keys.
    await change(page, 'next', 'ArrowLeft')
    await expect.poll(() => keyOf(page, 'previous').textContent()).toBe('→')
    await expect.poll(() => keyOf(page, 'next').textContent()).toBe('←')

    await page.goBack()
    await expectLeft(page, 2)
    const discard = page.getByRole('button', { name: ui('features/annotate:action.discard') })
    await expect.poll(() => discard.getAttribute('aria-keyshortcuts')).toBe('F9')
    expect(await discard.textContent()).toContain('F9')
    await page.getByRole('button', { name: ui('features/annotate:pager.next', { key: '←' }) }).waitFor()
    await waitForKeyFocus(page)
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
    await expectLeft(page, 2)
    await page.keyboard.press('F9')
    await expectLeft(page, 1)
    expect(await onlyStoredAnswer(id)).toMatchObject({ status: 'discarded' })

    const other = await page.context().newPage()
    await other.goto('/user-settings')
    await other.getByRole('button', { name: ui('features/profile:keys.usual') }).click()
    await expect
      .poll(() => page.getByRole('button', { name: ui('features/annotate:action.discard') }).getAttribute('aria-keyshortcuts'))
      .toBe('Backspace')
    await other.close()
    await done()
  })

  test('can’t use a key of the questions or the browser, and Escape and Tab cancel the change', async () => {
    const id = await seedRecords([{ fields: { text: TEXT } }])
    const { page, done } = await open(id)
    await page.goto('/user-settings')
    const submit = keyOf(page, 'submit')
    await change(page, 'submit', 'a')
    const alert = page.locator('[data-action=submit] [role=alert]')
    await expect.poll(() => alert.textContent()).toBe(ui('features/profile:keys.rejected.question', { key: 'A' }))
    expect(await findViolations(page)).toEqual([])
    // The field still waits for another key.
    await page.keyboard.press('Space')
    await expect
      .poll(() => alert.textContent())
      .toBe(ui('features/profile:keys.rejected.question', { key: ui('common:key.Space') }))
    await page.keyboard.press('Control+c')
    await expect
      .poll(() => alert.textContent())
      .toBe(ui('features/profile:keys.rejected.browser', { key: `${ui('common:key.Ctrl')} C` }))
    await page.keyboard.press('Escape')
    await expect.poll(() => submit.textContent()).toBe(ui('common:key.Enter'))
    await expect.poll(() => alert.count()).toBe(0)
    await submit.click()
    await expect.poll(() => submit.textContent()).toContain(ui('features/profile:keys.listening'))
    await page.keyboard.press('Tab')
    await expect.poll(() => submit.textContent()).toBe(ui('common:key.Enter'))
    await done()
  })

  test('use the key names of the language’s keyboards in the list, in the settings and on the actions', async () => {
    const id = await seedRecords([{ fields: { text: TEXT } }])
    const { page, done } = await open(id, { language: 'de' })
    const actionNames = (key: 'Ctrl' | 'Shift' | 'Enter' | 'Backspace' | 'Space' | 'Delete') => ui(`common:key.${key}`, {}, 'de')
    const draft = page.locator('form button[aria-keyshortcuts="Control+S"]')
    expect(await draft.textContent()).toContain(`${actionNames('Ctrl')} S`)
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog').locator('kbd')
    await keys.first().waitFor()
    const listed = (await keys.allTextContents()).filter((name) => name.length > 2)
    const wanted = (['Enter', 'Delete', 'Space', 'Backspace', 'Ctrl', 'Shift'] as const).map(actionNames)
    expect([...new Set(listed)].toSorted()).toEqual([...wanted, 'Esc', 'Tab'].toSorted())
    await page.goto('/user-settings')
    await expect.poll(() => keyOf(page, 'redo').textContent()).toBe(`${actionNames('Ctrl')} ${actionNames('Shift')} Z`)
    await done()
  })

  test('with a modifier work on a form button too: Ctrl+Z undoes Clear', async () => {
    const id = await seedRecords([{ fields: { text: TEXT } }])
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

  test('without a modifier apply to the form from its start after Clear is clicked', async () => {
    const id = await seedRecords([{ fields: { text: TEXT } }])
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

test('with Ctrl work on other layouts too: a Russian keyboard has other letters for S and Z', async () => {
  const id = await seedRecords([{ fields: { text: TEXT } }])
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
  expect(await onlyStoredAnswer(id)).toMatchObject({ status: 'draft' })
  await done()
})

const optionsOf = (...names: readonly string[]) => names.map((text) => ({ value: text.toLowerCase(), text }))

test('Enter selects a label found by its first letters, and the next Enter submits', async () => {
  const questions = {
    topic: {
      title: 'Topic',
      required: true,
      settings: { type: 'label_selection', options: optionsOf('Price', 'Delivery', 'Quality') },
    },
    tags: { title: 'Tags', required: false, settings: { type: 'multi_label_selection', options: optionsOf('Long', 'Short') } },
  }
  const record = (text: string) => ({ fields: { text }, suggestions: { topic: { value: 'price' } } })
  const id = await seedRecords([record('One.'), record('Two.')], { questions })
  const { page, done } = await open(id)
  const first = await recordText(page)
  const picked = (name: string) => question(page, 'topic').getByRole('radio', { name, checked: true }).waitFor()
  await picked('Price')
  await page.keyboard.type('de')
  await page.keyboard.press('Enter')
  await picked('Delivery')
  expect(await recordText(page)).toBe(first)
  // The focus is now on the next question. Choosing the same label twice doesn't remove it.
  await page.keyboard.type('s')
  await page.keyboard.press('Enter')
  await page.keyboard.type('s')
  await page.keyboard.press('Enter')
  await question(page, 'tags').getByRole('option', { name: 'Short', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await expectLeft(page, 1)
  expect(await onlyStoredAnswer(id)).toEqual({ status: 'submitted', values: { topic: 'delivery', tags: ['short'] } })

  // Enter doesn't confirm after another key has been pressed, or after the focus has moved.
  await page.keyboard.type('q')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await expectLeft(page, 0)
  const topics = async () => [...(await storedAnswers(team.server, id)).values()].map(({ values }) => values['topic']).toSorted()
  await expect.poll(topics).toEqual(['delivery', 'price'])
  await done()
})
