import { showcaseRecords } from '@postil/bench/seed/showcase.ts'
import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findViolations, PHONE } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { recordText } from '../fixtures/annotation.ts'
import { annotationTest } from '../fixtures/annotation-test.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { greyPng } from '../support/png.ts'

const { seedRecords, open } = annotationTest(setUpSharedTeam())

const fields = [
  { name: 'text', title: 'Text', required: true, settings: { type: 'text', use_markdown: false } },
  { name: 'scan', title: 'Scan', required: false, settings: { type: 'image' } },
]
const questions = {
  tone: {
    title: 'Tone',
    required: true,
    settings: { type: 'label_selection', options: ['Good', 'Bad'].map((text) => ({ value: text.toLowerCase(), text })) },
  },
}
const seed = (scan: string) =>
  seedRecords(
    ['one', 'two'].map((text) => ({ fields: { text, scan } })),
    { fields, questions },
  )

const box = (page: Page) => page.locator('[data-picture]')
/** The visible part of the image, in CSS pixels of the page. */
const seen = (page: Page) =>
  box(page).evaluate((element) => {
    const picture = element.querySelector('img')!.getBoundingClientRect()
    return {
      width: Math.round(picture.width),
      height: Math.round(picture.height),
      left: element.scrollLeft,
      top: element.scrollTop,
      room: element.clientWidth,
    }
  })
/** The whole image, once it fills the available space. */
const wholeOf = async (page: Page): ReturnType<typeof seen> => {
  await tool(page, ui('field-types/image:zoomIn')).waitFor()
  await expect.poll(async () => (({ width, room }) => width - room)(await seen(page))).toBe(0)
  return seen(page)
}
const widthIs = (page: Page, width: number) => expect.poll(async () => (await seen(page)).width).toBe(width)
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
const tool = (page: Page, name: string) => page.getByRole('toolbar').getByRole('button', { name })

describe('an image', () => {
  test('is shown in full, and can be zoomed with its tools and moved with the mouse', async () => {
    const { page, done } = await open(await seed(greyPng(2000, 1000)))
    const whole = await wholeOf(page)
    expect(whole.height).toBe(Math.round(whole.width / 2))
    for (let i = 0; i < 4; i += 1) await tool(page, ui('field-types/image:zoomIn')).click()
    await expect.poll(async () => (await seen(page)).width).toBeGreaterThan(whole.width * 2)
    const larger = await seen(page)
    // Zooming keeps the center of the image in the center of the box.
    expect(larger.left + larger.room / 2).toBeCloseTo(larger.width / 2, -1)
    const at = (await box(page).boundingBox())!
    await page.mouse.move(at.x + 300, at.y + 100)
    await page.mouse.down()
    await page.mouse.move(at.x + 250, at.y + 80, { steps: 3 })
    await page.mouse.up()
    await expect
      .poll(async () => (({ left, top }) => [left - larger.left, top - larger.top])(await seen(page)))
      .toEqual([50, larger.height > at.height + 20 ? 20 : 0])
    await page.mouse.dblclick(at.x + 100, at.y + 100)
    await widthIs(page, whole.width)
    await page.mouse.dblclick(at.x + 100, at.y + 100)
    await widthIs(page, 2000)
    await expect.poll(() => page.getByRole('status', { name: ui('field-types/image:scale') }).innerText()).toBe('100%')
    // A pinch on a touchpad arrives as a wheel event with Ctrl. The point under the cursor stays in place.
    const before = await seen(page)
    await page.mouse.move(at.x + 100, at.y + 60)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -100)
    await page.keyboard.up('Control')
    await widthIs(page, 2500)
    const pinchedScale = await seen(page)
    expect((pinchedScale.left + 100) / 2500).toBeCloseTo((before.left + 100) / 2000, 2)
    await done()
  })

  detail("is zoomed, rotated and moved by keys, which then don't change the record", async () => {
    const { page, done } = await open(await seed(greyPng(2000, 1000)))
    const whole = await wholeOf(page)
    const record = await recordText(page)
    await box(page).focus()
    await page.keyboard.press('+')
    await page.keyboard.press('+')
    await expect.poll(async () => (await seen(page)).width).toBeGreaterThan(whole.width * 1.4)
    const larger = await seen(page)
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => (await seen(page)).left).toBeGreaterThan(larger.left)
    expect(await recordText(page)).toContain(record.includes('one') ? 'one' : 'two')
    await page.keyboard.press('0')
    await page.keyboard.press('r')
    await expect.poll(async () => (({ width, height }) => height - width)(await seen(page))).toBeGreaterThan(0)
    await page.keyboard.press('Tab')
    await page.keyboard.press('End')
    await expect.poll(() => focused(page)).toBe(ui('field-types/image:turnRight'))
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => focused(page)).toBe(ui('field-types/image:turnLeft'))
    await page.keyboard.press('Enter')
    await expect.poll(() => seen(page)).toEqual(whole)
    // The whole image is visible, so the arrow keys move between records again.
    await box(page).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByText(record.includes('one') ? 'two' : 'one', { exact: true }).waitFor()
    await done()
  })

  detail('fits a phone, with no accessibility violations and with large targets', async () => {
    const { page, done } = await open(await seed(greyPng(2000, 1000)), PHONE)
    await tool(page, ui('field-types/image:zoomIn')).tap()
    await expect
      .poll(async () => (await tool(page, ui('field-types/image:zoomIn')).boundingBox())?.height)
      .toBeGreaterThanOrEqual(44)
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
      .toBe(0)
    expect(await findViolations(page)).toEqual([])
    await done()
  })

  detail('is not enlarged if it is small, and reports an invalid image', async () => {
    const small = await open(await seed(greyPng(40, 30)))
    await tool(small.page, ui('field-types/image:zoomIn')).waitFor()
    await expect.poll(() => seen(small.page)).toMatchObject({ width: 40, height: 30 })
    await small.done()
    const broken = await open(await seed('data:image/png;base64,AAAA'))
    await broken.page.getByText(ui('field-types/image:couldNotLoad')).waitFor()
    await broken.page.close()
  })
})

detail('the images of the showcase are rendered', async () => {
  const pictures = showcaseRecords.flatMap(({ fields }) => ('picture' in fields ? [String(fields.picture)] : []))
  expect(new Set(pictures).size).toBe(3)
  for (const picture of pictures) {
    const { page, done } = await open(await seed(picture))
    const width = () => box(page).evaluate((element) => element.querySelector('img')?.naturalWidth)
    await expect.poll(width).toBe(320)
    await done()
  }
})
