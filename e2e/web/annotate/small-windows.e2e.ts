import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, type PageOptions, PHONE } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { FORM, givenAnnotation, openAnnotation, RECORD } from '../ground/annotation.ts'
import { setUpTeam } from '../ground/team.ts'
import { boxAtRest } from '../support/at-rest.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()

let datasets = 0
const open = async (options: PageOptions) => {
  const id = await givenAnnotation(team.server, {
    name: `small ${++datasets}`,
    workspaceId: team.workspaceId,
    records: Array.from({ length: 12 }, (_, index) => ({ fields: { text: `Record ${index + 1} `.repeat(80) } })),
  })
  const opened = await openPage(team.browser, team.server.url, options)
  await haveSession(opened.page, team.server.url)
  await openAnnotation(opened.page, id)
  return opened
}

const boxOf = (page: Page, selector: string) => boxAtRest(page.locator(selector).first())

test.each([
  { name: 'a phone', size: PHONE.viewport },
  { name: 'a small phone', size: { width: 360, height: 640 } },
  { name: 'a tablet', size: { width: 768, height: 1024 } },
])('on $name the form is pulled up and let down again by its handle, also after a reload', async ({ size }) => {
  const { page, close } = await open({ ...PHONE, viewport: size })
  const up = page.getByRole('button', { name: ui('features/annotate:sheet.raise') })
  const down = page.getByRole('button', { name: ui('features/annotate:sheet.lower') })
  const low = await boxOf(page, FORM)
  await up.tap()
  await down.waitFor()
  await expect.poll(async () => (await boxOf(page, FORM)).height).toBeGreaterThan(low.height + 50)
  await page.reload()
  await down.waitFor()
  // What is seen of the record does not lie over the handle.
  const isOnTop = () =>
    down.evaluate((handle) => {
      const { left, top, width, height } = handle.getBoundingClientRect()
      return [0.15, 0.5, 0.85].every((share) =>
        handle.contains(document.elementFromPoint(left + width / 2, top + height * share)),
      )
    })
  await expect.poll(isOnTop).toBe(true)
  const [head, form] = [await boxOf(page, RECORD), await boxOf(page, FORM)]
  expect(head.y).toBeLessThan(form.y)
  await down.tap()
  await up.waitFor()
  await expect.poll(async () => (await boxOf(page, FORM)).height).toBe(low.height)
  await close()
})

test('in a window that is low the form lies beside the record, and both can be read', async () => {
  const { page, close } = await open({ viewport: { width: 720, height: 450 } })
  const beside = (record: string) =>
    expect
      .poll(async () => {
        const [text, form] = [await boxOf(page, record), await boxOf(page, FORM)]
        return { isBeside: form.x >= text.x + text.width - 1, isRead: text.height > 200, isAnswered: form.height > 300 }
      })
      .toEqual({ isBeside: true, isRead: true, isAnswered: true })
  await beside(RECORD)
  await page.getByRole('button', { name: ui('features/annotate:view.bulk') }).click()
  await page.getByText(ui('features/annotate:bulk.noneSelected')).first().waitFor()
  await beside(`[aria-label="${ui('features/annotate:bulk.records')}"]`)
  // Where it is high enough, it lies below.
  await page.setViewportSize({ width: 720, height: 900 })
  await page.getByRole('button', { name: ui('features/annotate:sheet.raise') }).waitFor()
  await close()
})

test('in a window that is low what Submit waits for is not told over the progress', async () => {
  const { page, close } = await open({ viewport: { width: 844, height: 390 } })
  await page.mouse.move(640, 150)
  await page.mouse.wheel(0, 9999)
  await page.getByRole('button', { name: ui('features/annotate:action.submit') }).hover()
  const told = page.getByText(ui('features/annotate:form.toSubmit'))
  await told.waitFor()
  const progress = await boxOf(page, `form section[aria-label="${ui('features/annotate:progress.name')}"]`)
  // Scrolled to its end, it is seen.
  expect(progress.y).toBeGreaterThan(48)
  expect(progress.y + progress.height).toBeLessThanOrEqual((await boxAtRest(told)).y)
  await close()
})

test('on a phone on its side the bars go up with the records, which then have the height of the page', async () => {
  const { page, close } = await open({ ...PHONE, viewport: { width: 844, height: 390 } })
  await page.getByRole('button', { name: ui('features/annotate:view.bulk') }).click()
  const cards = page.locator('li[data-record]')
  await expect.poll(() => cards.count()).toBe(10)
  // All that is above them is there at first, each in a line.
  const bars = await boxOf(page, '[data-record-list]')
  expect(bars.y).toBeLessThan(220)
  const [guidelines, next] = [ui('features/annotate:guidelines.title'), uiPattern('features/annotate:pager.nextPage')].map(
    (name) => page.getByRole('button', { name }).first(),
  )
  expect((await boxAtRest(guidelines!)).y).toBe((await boxAtRest(next!)).y)
  await cards.nth(5).scrollIntoViewIfNeeded()
  const seen = () =>
    page.locator('[data-record-list]').evaluate((list) => {
      const { top, bottom } = list.getBoundingClientRect()
      return Math.min(bottom, innerHeight) - Math.max(top, 48)
    })
  await expect.poll(seen).toBeGreaterThan(300)
  await page.getByRole('button', { name: uiPattern('features/annotate:pager.nextPage') }).click()
  await expect.poll(() => cards.count()).toBe(2)
  // Another page begins at its top.
  await expect.poll(async () => (await boxOf(page, '[data-record-list]')).y).toBe(bars.y)
  await close()
})

test.each([
  { name: 'a phone', size: PHONE.viewport, left: 420 },
  { name: 'a small phone', size: { width: 360, height: 640 }, left: 310 },
  { name: 'a phone that unfolds', size: { width: 700, height: 840 }, left: 455 },
])('above the keyboard of $name lie what is written and what sends it', async ({ size, left }) => {
  const { page, close } = await open({ ...PHONE, viewport: size })
  // The keyboard takes its height from the page, where the browser lets the page say so.
  expect(await page.locator('meta[name="viewport"]').getAttribute('content')).toContain('interactive-widget=resizes-content')
  const note = page.getByRole('textbox', { name: 'Note' })
  await note.tap()
  await page.keyboard.type('one')
  await page.setViewportSize({ width: size.width, height: left })
  const inSight = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect()
      return [top + 2, (top + bottom) / 2, bottom - 2].every((y) =>
        element.contains(document.elementFromPoint((left + right) / 2, y)),
      )
    })
  await expect.poll(() => inSight('textarea')).toBe(true)
  await expect.poll(() => inSight(`${FORM} button:has-text("${ui('features/annotate:action.submit')}")`)).toBe(true)
  // What it is about has what room there is.
  if (size.height > 700) expect((await boxOf(page, RECORD)).height).toBeGreaterThan(90)
  await page.keyboard.type(' two')
  expect(await note.inputValue()).toBe('one two')
  await page.setViewportSize(size)
  await page.keyboard.type(' three')
  expect(await note.inputValue()).toBe('one two three')
  await close()
})
