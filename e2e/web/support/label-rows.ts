import type { Locator, Page } from 'playwright-core'
import { ui } from '../../harness/ui-text.ts'

const rowsIn = (scope: Page | Locator): Locator =>
  scope.getByRole('list', { name: ui('question-types/shared/options:options.title') }).getByRole('textbox')

export const labelsOf = (scope: Page | Locator): Promise<string[]> =>
  rowsIn(scope).evaluateAll((inputs) => inputs.map((input) => (input instanceof HTMLInputElement ? input.value : '')))

/**
 * Replaces the labels in an editor that has one row for each label. Acts as a person would: types over the labels, adds rows with
 * the button, and removes rows with Backspace.
 */
export const setLabels = async (scope: Page | Locator, labels: readonly string[]): Promise<void> => {
  const rows = rowsIn(scope)
  while ((await rows.count()) > labels.length) {
    const before = await rows.count()
    await rows.last().fill('')
    await rows.last().press('Backspace')
    await rows.nth(before - 1).waitFor({ state: 'detached' })
  }
  for (const [i, label] of labels.entries()) {
    if (i >= (await rows.count())) {
      await scope.getByRole('button', { name: ui('question-types/shared/options:options.add') }).click()
      await rows.nth(i).waitFor()
    }
    await rows.nth(i).fill(label)
  }
}

/** Pastes text into an input. */
export const paste = (input: Locator, text: string): Promise<void> =>
  input.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', pasted)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
