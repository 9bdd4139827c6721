import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ui } from '../../harness/ui-text.ts'

export const cards = (page: Page) => page.locator('li[data-record]')
export const box = (page: Page, number: number) =>
  page.getByRole('checkbox', { name: `${ui('features/annotate:record.name')} ${number}`, exact: true })

/** So many records of the page are selected. */
export const selectedAre = (page: Page, count: number): Promise<void> =>
  expect.poll(() => page.locator('li[data-selected]').count()).toBe(count)

/** The focus is on the box of a record, so that keys act on the records. */
export const atBoxes = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-select-record'))).toBe(true)

/** The place and the size that the address says. */
export const addressIs = (page: Page, place: string): Promise<void> =>
  expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe(place)

/** The numbers that the records on the page were made with. */
const numbers = async (page: Page): Promise<readonly number[]> =>
  (await cards(page).allTextContents()).map((text) => Number(/of record (\d+)/.exec(text)?.[1]))
export const numbersAre = (page: Page, wanted: readonly number[]): Promise<void> =>
  expect.poll(() => numbers(page)).toEqual(wanted)
export const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
