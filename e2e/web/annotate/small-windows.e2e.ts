import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, type PageOptions, PHONE } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { FORM, openAnnotation, RECORD, seedAnnotationDataset } from '../fixtures/annotation.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'
import { stableBox } from '../support/stable-box.ts'

const team = setUpSharedTeam()

let datasets = 0
const open = async (options: PageOptions) => {
  const id = await seedAnnotationDataset(team.server, {
    name: `small ${++datasets}`,
    workspaceId: team.workspaceId,
    records: Array.from({ length: 12 }, (_, index) => ({ fields: { text: `Record ${index + 1} `.repeat(80) } })),
  })
  const opened = await openPage(team.browser, team.server.url, options)
  await createSession(opened.page, team.server.url)
  await openAnnotation(opened.page, id)
  return opened
}

const boxOf = (page: Page, selector: string) => stableBox(page.locator(selector).first())

test.each([
  { name: 'a phone', size: PHONE.viewport },
  { name: 'a small phone', size: { width: 360, height: 640 } },
  { name: 'a tablet', size: { width: 768, height: 1024 } },
])('on $name the form is raised and lowered by its handle, even after a reload', async ({ size }) => {
  const { page, close } = await open({ ...PHONE, viewport: size })
  const up = page.getByRole('button', { name: ui('features/annotate:sheet.raise') })
  const down = page.getByRole('button', { name: ui('features/annotate:sheet.lower') })
  const low = await boxOf(page, FORM)
  await up.tap()
  await down.waitFor()
  await expect.poll(async () => (await boxOf(page, FORM)).height).toBeGreaterThan(low.height + 50)
  await page.reload()
  await down.waitFor()
  // The visible part of the record must not cover the handle.
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

test('below the record, a short form leaves the space to it, and a long one takes half of the window', async () => {
  const { page, close } = await open({ viewport: { width: 820, height: 1180 } })
  const form = await boxOf(page, FORM)
  expect(form.height).toBeGreaterThan(1180 * 0.4)
  expect(form.height).toBeLessThan(1180 * 0.54)
  const options = ['Yes', 'No'].map((text) => ({ value: text, text }))
  const id = await seedAnnotationDataset(team.server, {
    name: `small ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: { label: { title: 'Label', required: true, settings: { type: 'label_selection', options } } },
    records: [{ fields: { text: 'Record' } }],
  })
  await openAnnotation(page, id)
  const submit = await stableBox(page.getByRole('button', { name: ui('features/annotate:action.submit') }))
  const progress = await boxOf(page, `${FORM} section[aria-label="${ui('features/annotate:progress.name')}"]`)
  // The form ends directly below its content.
  expect(submit.y - progress.y - progress.height).toBeLessThan(60)
  const record = await boxOf(page, RECORD)
  expect(record.height).toBeGreaterThan(1180 / 2)
  await close()
})

test('in a low window the form is next to the record, and both are readable', async () => {
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
  // In a tall window, the form is below the record.
  await page.setViewportSize({ width: 720, height: 900 })
  await page.getByRole('button', { name: ui('features/annotate:sheet.raise') }).waitFor()
  await close()
})

test('in a low window the note on missing answers does not cover the progress', async () => {
  const { page, close } = await open({ viewport: { width: 844, height: 390 } })
  await page.mouse.move(640, 150)
  await page.mouse.wheel(0, 9999)
  await page.getByRole('button', { name: ui('features/annotate:action.submit') }).hover()
  const missingNote = page.getByText(uiPattern('features/annotate:form.toSubmit'))
  await missingNote.waitFor()
  const progress = await boxOf(page, `form section[aria-label="${ui('features/annotate:progress.name')}"]`)
  // When the page is fully scrolled, the progress is visible.
  expect(progress.y).toBeGreaterThan(48)
  expect(progress.y + progress.height).toBeLessThanOrEqual((await stableBox(missingNote)).y)
  await close()
})

test('on a phone in landscape the bars scroll away with the records, which then use the full page height', async () => {
  const { page, close } = await open({ ...PHONE, viewport: { width: 844, height: 390 } })
  await page.getByRole('button', { name: ui('features/annotate:view.bulk') }).click()
  const cards = page.locator('li[data-record]')
  await expect.poll(() => cards.count()).toBe(10)
  const bars = await boxOf(page, '[data-record-list]')
  expect(bars.y).toBeLessThan(220)
  const [guidelines, next] = [ui('features/annotate:guidelines.title'), uiPattern('features/annotate:pager.nextPage')].map(
    (name) => page.getByRole('button', { name }).first(),
  )
  expect((await stableBox(guidelines!)).y).toBe((await stableBox(next!)).y)
  await cards.nth(5).scrollIntoViewIfNeeded()
  const seen = () =>
    page.locator('[data-record-list]').evaluate((list) => {
      const { top, bottom } = list.getBoundingClientRect()
      return Math.min(bottom, innerHeight) - Math.max(top, 48)
    })
  await expect.poll(seen).toBeGreaterThan(300)
  await page.getByRole('button', { name: uiPattern('features/annotate:pager.nextPage') }).click()
  await expect.poll(() => cards.count()).toBe(2)
  // The next page starts at its top.
  await expect.poll(async () => (await boxOf(page, '[data-record-list]')).y).toBe(bars.y)
  await close()
})

test.each([
  { name: 'a phone', size: PHONE.viewport, left: 420 },
  { name: 'a small phone', size: { width: 360, height: 640 }, left: 310 },
  { name: 'a foldable phone', size: { width: 700, height: 840 }, left: 455 },
])('above the on-screen keyboard of $name the input and the submit button stay visible', async ({ size, left }) => {
  const { page, close } = await open({ ...PHONE, viewport: size })
  // The on-screen keyboard reduces the height of the page in browsers that support this setting.
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
  // The record gets the remaining space.
  if (size.height > 700) expect((await boxOf(page, RECORD)).height).toBeGreaterThan(90)
  await page.keyboard.type(' two')
  expect(await note.inputValue()).toBe('one two')
  await page.setViewportSize(size)
  await page.keyboard.type(' three')
  expect(await note.inputValue()).toBe('one two three')
  await close()
})
