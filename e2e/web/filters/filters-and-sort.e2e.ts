import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations, PHONE } from '../../harness/browser.ts'
import { type TextValues, type UiKey, ui, uiPattern } from '../../harness/ui-text.ts'
import { expectLeft } from '../fixtures/annotation.ts'
import {
  expectShown,
  metadata,
  openFiltering,
  openPanel,
  PENDING,
  panel,
  SUBMITTED,
  suggestion,
  terms,
} from '../support/filtering.ts'
import { roundedBox } from '../support/stable-box.ts'

let filtering: Awaited<ReturnType<typeof openFiltering>>
const open = (...wanted: Parameters<typeof filtering.open>) => filtering.open(...wanted)
const found = (...wanted: Parameters<typeof filtering.found>) => filtering.found(...wanted)

beforeAll(async () => {
  filtering = await openFiltering()
})
afterAll(async () => {
  await filtering?.close()
})

describe('by keyboard alone', () => {
  test('a filter is found, set and removed, and none of its keys answers the record', async () => {
    const { page, done } = await open()
    await expectLeft(page, PENDING)
    const first = await page.getByText(/^Review \d+$/).innerText()
    await page.getByRole('button', { name: ui('features/annotate:filters.title') }).focus()
    await page.keyboard.press('Enter')
    const search = panel(page, ui('features/annotate:filters.title')).getByRole('textbox', {
      name: ui('features/annotate:filters.search'),
    })
    await search.waitFor()
    await expect
      .poll(() => panel(page, ui('features/annotate:filters.title')).evaluate((opened) => opened === document.activeElement))
      .toBe(true)
    await page.keyboard.press('Tab')
    await expect.poll(() => search.evaluate((box) => box === document.activeElement)).toBe(true)
    await page.keyboard.type('sourcex')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Source')
    await panel(page, ui('features/annotate:filters.title')).getByRole('checkbox').first().waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `${ui('features/annotate:filters.title')} 1` }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    const wanted = await found('pending', [terms(metadata('source'), 'book', 'v1.0_rc~2')])
    await expectLeft(page, wanted.length)
    // No answer was saved and the page was not left, so the focus stays in place.
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('label')?.textContent)).toBe('v1.0_rc~26')
    await page.keyboard.press('Escape')
    await expect.poll(() => panel(page, ui('features/annotate:filters.title')).count()).toBe(0)
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe(`${ui('features/annotate:filters.title')}1`)
    expect(await found('discarded', [])).toEqual([])
    expect(await found('submitted', [])).toHaveLength(SUBMITTED)
    await expectShown(page, wanted)
    await page.getByRole('button', { name: uiPattern('features/annotate:filters.remove', { filter: /Source.*/ }) }).focus()
    await page.keyboard.press('Enter')
    await expectLeft(page, PENDING)
    await expect.poll(() => page.getByText(/^Review \d+$/).innerText()).toBe(first)
    await done()
  })
})

describe('sorting', () => {
  test('is ascending at first, can be reversed, takes a second key and is kept', async () => {
    const { page, done } = await open()
    const sort = await openPanel(page, ui('features/annotate:sort.title'))
    const quality = `Quality, ${ui('features/annotate:sort.group.suggestionValue')}`
    await sort
      .getByRole('region', { name: ui('features/annotate:sort.group.suggestionValue') })
      .getByRole('button', { name: 'Quality' })
      .click()
    const value = (order: string) => ({ scope: suggestion('quality', 'value'), order })
    const begins = async (...keys: readonly object[]) => {
      const [first] = await found('pending', [], keys as Parameters<typeof found>[2])
      await expect.poll(() => page.getByText(/^Review \d+$/).innerText()).toBe(first)
    }
    await expect.poll(() => new URL(page.url()).search).toContain('sort=suggestion.quality.value.asc')
    await page.getByRole('button', { name: `${ui('features/annotate:sort.title')} 1` }).waitFor()
    await begins(value('asc'))
    await sort.getByRole('button', { name: ui('features/annotate:sort.isAscending', { title: quality }) }).click()
    await begins(value('desc'))
    await sort.getByRole('button', { name: ui('features/annotate:sort.add') }).click()
    await sort
      .getByRole('region', { name: ui('features/annotate:sort.group.metadata') })
      .getByRole('button', { name: 'Length' })
      .click()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    const wanted = await found('pending', [], [value('desc'), { scope: metadata('length'), order: 'asc' }])
    await page.getByRole('button', { name: `${ui('features/annotate:sort.title')} 2` }).waitFor()
    await expect.poll(() => page.getByText(/^Review \d+$/).innerText()).toBe(wanted[0])
    await page.reload()
    await expectShown(page, wanted)
    await openPanel(page, ui('features/annotate:sort.title'))
    await sort.getByRole('button', { name: ui('features/annotate:sort.remove', { title: quality }) }).click()
    await page.keyboard.press('Escape')
    await begins({ scope: metadata('length'), order: 'asc' })
    await page.getByRole('button', { name: ui('features/annotate:filters.reset') }).click()
    await page.getByRole('button', { name: ui('features/annotate:sort.title'), exact: true }).waitFor()
    await done()
  })
})

test('on a phone everything fits, is large enough for touch and works in German', async () => {
  const { page, done } = await open('', { ...PHONE, language: 'de' })
  const german = (key: UiKey, values: TextValues = {}): string => ui(key, values, 'de')
  const [filter, sort] = [german('features/annotate:filters.title'), german('features/annotate:sort.title')]
  await page.getByRole('button', { name: german('features/annotate:toolbar.tools') }).tap()
  await page.getByRole('button', { name: filter, exact: true }).tap()
  const filters = page.getByRole('dialog', { name: filter })
  await filters.getByText('v1.0_rc~2').tap()
  await page
    .getByRole('list', { name: german('features/annotate:filters.active') })
    .getByText('v1.0_rc~2')
    .waitFor()
  expect(await findViolations(page)).toEqual([])
  const small = await filters
    .locator('button, label:not(.visually-hidden), div:has(> input)')
    .evaluateAll((all) =>
      all
        .map((one) => ({ text: one.textContent, height: Math.round(one.getBoundingClientRect().height) }))
        .filter(({ height }) => height < 44),
    )
  expect(small).toEqual([])
  const isInSight = async () => {
    const box = await roundedBox(filters)
    return box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844
  }
  await expect.poll(isInSight).toBe(true)
  await filters.press('Escape')
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.getByRole('button', { name: german('features/annotate:filters.remove', { filter: 'Source: v1.0_rc~2' }) }).tap()
  await expectLeft(page, german('features/annotate:pager.pending', { count: PENDING }))
  await page.getByRole('button', { name: sort }).tap()
  await page
    .getByRole('dialog', { name: sort })
    .getByRole('button', { name: german('features/annotate:info.insertedAt') })
    .tap()
  await page.getByRole('dialog', { name: sort }).press('Escape')
  const reset = page.getByRole('button', { name: german('features/annotate:filters.reset') })
  const rightOf = async () => {
    const box = await roundedBox(reset)
    return box.x + box.width
  }
  await expect.poll(rightOf).toBeLessThanOrEqual(390)
  await reset.tap()
  await expect.poll(() => new URL(page.url()).searchParams.has('sort')).toBe(false)
  await done()
})
