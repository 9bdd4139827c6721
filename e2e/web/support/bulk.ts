import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ui } from '../../harness/ui-text.ts'

export const cards = (page: Page) => page.locator('li[data-record]')
export const box = (page: Page, number: number) =>
  page.getByRole('checkbox', { name: `${ui('features/annotate:record.name')} ${number}`, exact: true })

export const expectSelected = (page: Page, count: number): Promise<void> =>
  expect.poll(() => page.locator('li[data-selected]').count()).toBe(count)

export const focusCheckbox = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-select-record'))).toBe(true)

/** Waits until the address contains this position and page size. */
export const expectAddress = (page: Page, place: string): Promise<void> =>
  expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe(place)

/** The numbers in the texts of the page's records. */
const numbers = async (page: Page): Promise<readonly number[]> =>
  (await cards(page).allTextContents()).map((text) => Number(/of record (\d+)/.exec(text)?.[1]))
export const expectNumbers = (page: Page, expected: readonly number[]): Promise<void> =>
  expect.poll(() => numbers(page)).toEqual(expected)
export const numberRange = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
