import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, type PageOptions, PHONE } from '../harness/browser.ts'
import { givenAnnotation, openAnnotation } from './support/annotation.ts'
import { haveSession } from './support/sign-in.ts'
import { setUpTeam } from './support/team.ts'

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

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox()
  if (box === null) throw new Error(`${selector} is not there`)
  return box
}

test.each([
  { name: 'a phone', size: PHONE.viewport },
  { name: 'a small phone', size: { width: 360, height: 640 } },
  { name: 'a tablet', size: { width: 768, height: 1024 } },
])('on $name the form is pulled up and let down again by its handle, also after a reload', async ({ size }) => {
  const { page, close } = await open({ ...PHONE, viewport: size })
  const up = page.getByRole('button', { name: 'Show more of the questions' })
  const down = page.getByRole('button', { name: 'Show more of the record' })
  const low = await boxOf(page, 'form[aria-label="Questions"]')
  await up.tap()
  await down.waitFor()
  await expect.poll(async () => (await boxOf(page, 'form[aria-label="Questions"]')).height).toBeGreaterThan(low.height + 50)
  await page.reload()
  await down.waitFor()
  // What is seen of the record does not lie over the handle.
  const isOnTop = await down.evaluate((handle) => {
    const { left, top, width, height } = handle.getBoundingClientRect()
    return [0.15, 0.5, 0.85].every((share) => handle.contains(document.elementFromPoint(left + width / 2, top + height * share)))
  })
  expect(isOnTop).toBe(true)
  const [head, form] = [await boxOf(page, 'section[aria-label="Record"]'), await boxOf(page, 'form[aria-label="Questions"]')]
  expect(head.y).toBeLessThan(form.y)
  await down.tap()
  await up.waitFor()
  await expect.poll(async () => (await boxOf(page, 'form[aria-label="Questions"]')).height).toBe(low.height)
  await close()
})

test('in a window that is low the form lies beside the record, and both can be read', async () => {
  const { page, close } = await open({ viewport: { width: 720, height: 450 } })
  const beside = async (record: string) => {
    const [text, form] = [await boxOf(page, record), await boxOf(page, 'form[aria-label="Questions"]')]
    expect(form.x).toBeGreaterThanOrEqual(text.x + text.width - 1)
    expect(text.height).toBeGreaterThan(200)
    expect(form.height).toBeGreaterThan(300)
  }
  await beside('section[aria-label="Record"]')
  await page.getByRole('button', { name: 'Several records at once' }).click()
  await page.getByText('No record selected').first().waitFor()
  await beside('[aria-label="Records"]')
  // Where it is high enough, it lies below.
  await page.setViewportSize({ width: 720, height: 900 })
  await page.getByRole('button', { name: 'Show more of the questions' }).waitFor()
  await close()
})
