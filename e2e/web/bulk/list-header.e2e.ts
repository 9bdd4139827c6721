import { variants } from '@postil/testkit/run-size.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DESKTOP, findViolations, PHONE } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { expectLeft } from '../fixtures/annotation.ts'
import { chips, openFiltering, PENDING } from '../support/filtering.ts'

let filtering: Awaited<ReturnType<typeof openFiltering>>
beforeAll(async () => {
  filtering = await openFiltering()
})
afterAll(async () => {
  await filtering?.close()
})

const sort = 'sort=metadata.length.desc'
const suggested = 'suggestion=tone.value.angry~tone.agent.tiny-model'
const five = `metadata=source.web~length.ge10~ratio.ge0&${suggested}`

/** The top right corner of the pager's Next button, and the top edge of the record, in whole pixels. */
const places = (page: Page) =>
  page.evaluate(() => {
    const next = [...document.querySelectorAll('main [aria-keyshortcuts="ArrowRight"]')].at(-1)?.getBoundingClientRect()
    const record = document.querySelector('section[data-status]')?.getBoundingClientRect()
    const rounded = (at = Number.NaN) => Math.round(at)
    return { pager: [rounded(next?.right), rounded(next?.top)], record: rounded(record?.top) }
  })

describe.each(variants(1, ['de', 'es', 'en'] as const))('on a desktop, in %s', (language) => {
  test('keeps pager and record in place, whatever the search', async () => {
    const { page, done } = await filtering.open('', { language })
    const pending = await places(page)
    expect(pending.pager[0]).toBeGreaterThan(DESKTOP.viewport.width * 0.58)
    const at = async (query: string) => {
      await page.goto(`${new URL(page.url()).pathname}?${query}`)
      await page.locator('section[data-status] h2').first().waitFor()
      return { query, ...(await places(page)) }
    }
    for (const query of [sort, 'metadata=source.web', 'search=parcel', five, `search=parcel&${five}&${sort}`]) {
      expect(await at(query)).toEqual({ query, ...pending })
    }
    const answered = `status=submitted&search=parcel&metadata=source.web&${sort}`
    expect(await at(answered)).toEqual({ query: answered, ...pending })
    await done()
  })

  test('shows the keys next to the actions', async () => {
    const { page, done } = await filtering.open('', { language })
    const caps = page.locator('main button[aria-keyshortcuts]:not(:has(svg)) > [aria-hidden]')
    await expect.poll(() => caps.count()).toBe(3)
    const hidden = () =>
      caps.evaluateAll((keys) =>
        keys.flatMap((key) => {
          const button = key.closest('button')
          const [inner, outer] = [key.getBoundingClientRect(), button?.getBoundingClientRect()]
          return outer && inner.bottom <= outer.bottom && inner.right <= outer.right ? [] : [button?.textContent]
        }),
      )
    await expect.poll(hidden).toEqual([])
    await done()
  })
})

describe('active filters', () => {
  /**
   * Waits until the titles of the properties are loaded. Until then, filters show the names of the properties, which are
   * narrower.
   */
  const titled = (page: Page) => chips(page).getByText('Share of numbers').waitFor({ state: 'attached' })
  /** Filters that are fully visible. */
  const seen = (page: Page) =>
    chips(page).evaluateAll((items) =>
      items.flatMap((item) => {
        const [inner, outer] = [item.getBoundingClientRect(), item.parentElement?.getBoundingClientRect()]
        const isIn = outer && inner.bottom <= outer.bottom + 1 && inner.right <= Math.min(outer.right, innerWidth)
        return isIn ? [(item as HTMLElement).innerText] : []
      }),
    )

  test.each([
    { name: 'a desktop', options: {} },
    { name: 'a phone', options: PHONE },
  ])('take one line on $name, with the remaining ones counted and shown on request', async ({ options }) => {
    const { page, done } = await filtering.open(`?${five}`, options)
    await expectLeft(page, 1)
    await titled(page)
    const all = await chips(page).allInnerTexts()
    expect(all).toHaveLength(5)
    const more = page.getByRole('button', { name: uiPattern('features/annotate:filters.moreActive', { formatted: /\d/ }) })
    await more.waitFor()
    await expect.poll(async () => (await more.innerText()) === `+${5 - (await seen(page)).length}`).toBe(true)
    const before = await seen(page)
    expect(before.length).toBeGreaterThan(0)
    expect(before).toEqual(all.slice(0, before.length))
    // Axe runs only on the open list. In the closed list, it reports that the record covers the clipped filters. That is not a
    // problem, because the list opens as soon as one of these filters has the focus.
    await more.click()
    const fewer = page.getByRole('button', { name: ui('features/annotate:filters.oneLine') })
    expect(await fewer.getAttribute('aria-expanded')).toBe('true')
    await expect.poll(async () => (await seen(page)).length).toBeGreaterThan(before.length)
    await chips(page)
      .last()
      .evaluate((chip) => chip.scrollIntoView({ block: 'nearest' }))
    await expect.poll(() => seen(page)).toContain(all.at(-1))
    expect(await findViolations(page)).toEqual([])
    await fewer.click()
    await expect.poll(() => seen(page)).toEqual(before)
    await done()
  })

  test('scroll into view on keyboard focus', async () => {
    const { page, done } = await filtering.open(`?${five}`)
    await expectLeft(page, 1)
    await titled(page)
    await page.getByRole('button', { name: uiPattern('features/annotate:filters.moreActive', { formatted: /\d/ }) }).waitFor()
    const all = await chips(page).allInnerTexts()
    await page.getByRole('button', { name: ui('features/annotate:filters.reset') }).focus()
    for (let step = 0; step < all.length; step += 1) await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('li')?.innerText)).toBe(all.at(-1))
    await expect.poll(() => seen(page)).toEqual(all)
    await done()
  })
})

describe('the search field on a phone', () => {
  test('is fully visible with its focus ring', async () => {
    const { page, done } = await filtering.open('', PHONE)
    await expectLeft(page, PENDING)
    await page.getByRole('button', { name: ui('features/annotate:toolbar.search'), exact: true }).tap()
    const input = page.getByRole('textbox', { name: ui('features/annotate:toolbar.searchRecords') })
    await expect.poll(() => input.evaluate((element) => element === document.activeElement)).toBe(true)
    const ends = (selector: string) =>
      page.locator(selector).evaluate((box) => {
        const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(box)
        const ring = outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset)
        const { left: from, right: to } = box.getBoundingClientRect()
        return from - ring >= 0 && to + ring <= innerWidth - 4
      })
    await expect.poll(() => ends('search form')).toBe(true)
    await input.fill('parcel')
    await page.keyboard.press('Enter')
    await expect.poll(() => ends('search select')).toBe(true)
    await done()
  })
})
