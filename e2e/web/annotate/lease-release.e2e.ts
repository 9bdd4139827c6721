import type { Page, Response } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { expectLeft, openAnnotation, recordText } from '../fixtures/annotation.ts'
import { callAsOwner, PASSWORD, seedDataset, seedUser } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { holdRequest } from '../support/hold-request.ts'
import { createSession } from '../support/sign-in.ts'

/* A record is reserved while an annotator looks at it, but not if the annotator skips past it. It is never reserved for owners
   who only look. */

const team = setUpSharedTeam()
beforeAll(async () => {
  for (const name of ['ann', 'ben']) await seedUser(team.server, name, 'annotator', [team.workspaceId])
})

const open = async (name: string, as: 'ann' | 'owner' = 'ann') => {
  const id = await seedDataset(team.server, { name, workspaceId: team.workspaceId, records: 12 })
  const { page, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url, ...(as === 'ann' ? ([as, PASSWORD] as const) : []))
  await page.goto('/')
  const link = page.getByRole('link', { name, exact: true })
  await link.waitFor()
  await page.waitForLoadState('networkidle')
  return { id, page, link, close }
}
const goHome = async (page: Page): Promise<void> => {
  await page
    .getByRole('link', { name: ui('common:nav.home') })
    .first()
    .click()
  await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
}
const isQueueRequest = (url: string): boolean => url.endsWith('/queue')

const recordsLeftFor = async (id: string, wanted: number): Promise<void> => {
  const { page, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url, 'ben', PASSWORD)
  await openAnnotation(page, id)
  await expectLeft(page, wanted)
  await close()
}

test('pointing at a dataset leases no records', async () => {
  const { id, page, link, close } = await open('pointed at')
  const setup = page.waitForResponse((response) => response.url().endsWith(`${id}/annotation`))
  await link.hover()
  await setup
  await recordsLeftFor(id, 12)
  await close()
})

test('records that arrive after leaving the list are released', async () => {
  const { id, page, link, close } = await open('left early')
  const { sent, go } = await holdRequest(page, 'POST', isQueueRequest)
  await link.click()
  await sent
  await page.waitForURL('**/annotation-mode')
  await goHome(page)
  const back = page.waitForResponse((response) => response.url().includes('/queue/leases') && response.ok())
  go()
  expect((await back).request().method()).toBe('DELETE')
  await recordsLeftFor(id, 12)
  await close()
})

test('returning while records are being released leases them again', async () => {
  const { id, page, link, close } = await open('back again')
  await link.click()
  await expectLeft(page, 12)
  const { sent, go } = await holdRequest(page, 'DELETE', (url) => url.includes('/queue/leases'))
  await goHome(page)
  await sent
  await link.click()
  await page.waitForURL('**/annotation-mode')
  const back = page.waitForResponse((response) => response.request().method() === 'DELETE')
  go()
  await back
  await page.locator('[data-question]').first().waitFor()
  await expectLeft(page, 12)
  await recordsLeftFor(id, 6)
  await close()
})

/** Returns the number of records that nobody has leased. The owner's request has the purpose `view`, so it leases no record. */
const unreserved = async (id: string): Promise<number> =>
  (await callAsOwner<{ left: number }>(team.server, 'POST', `/me/datasets/${id}/queue`, { limit: 1, purpose: 'view' })).left
const isLeaseRequest = (response: Response): boolean =>
  response.request().method() === 'PUT' && response.url().endsWith('/queue/leases')

test('closing the page releases the records that nobody has edited, and keeps the edited one', async () => {
  const { id, page, link, close } = await open('closed')
  await link.click()
  await expectLeft(page, 12)
  await expect.poll(() => unreserved(id)).toBe(6)
  await page.locator('[data-question]:focus').waitFor()
  const leased = page.waitForResponse(isLeaseRequest)
  await page.keyboard.press('1')
  await leased
  await page.goto('about:blank')
  await expect.poll(() => unreserved(id)).toBe(11)
  await close()
})

test('closing or leaving a tab keeps the records that another tab of the same user shows', async () => {
  const { id, page, link, close } = await open('two tabs')
  const released: string[] = []
  page.on('request', (request) => void (request.method() === 'DELETE' && released.push(request.url())))
  const other = await page.context().newPage()
  await openAnnotation(other, id)
  await expectLeft(other, 12)
  await link.click()
  await expectLeft(page, 12)
  await goHome(page)
  await link.click()
  await expectLeft(page, 12)
  expect(released).toEqual([])
  const renewed = other.waitForResponse(isLeaseRequest)
  await page.goto('about:blank')
  const { items } = await (await renewed).json()
  expect(items).toEqual(Array(6).fill({ record_id: expect.any(String), lease: { until: expect.any(String) } }))
  expect(await unreserved(id)).toBe(6)
  await other.goto('about:blank')
  await expect.poll(() => unreserved(id)).toBe(12)
  await close()
})

test('a reload keeps the records of the page', async () => {
  const { id, page, link, close } = await open('reloaded')
  await link.click()
  await expectLeft(page, 12)
  const shown = await recordText(page)
  await page.reload()
  await expectLeft(page, 12)
  await expect.poll(() => recordText(page)).toBe(shown)
  expect(await unreserved(id)).toBe(6)
  // A reload releases the records only after a delay. They become free only if the reloaded page hasn't renewed its leases by
  // then.
  const { sent, go } = await holdRequest(page, 'POST', isQueueRequest)
  const reloading = page.reload()
  await sent
  expect(await unreserved(id)).toBe(6)
  await expect.poll(() => unreserved(id)).toBe(12)
  go()
  await reloading
  await close()
})

test('an owner who only looks holds no record, and holds the first edited one', async () => {
  const { id, page, link, close } = await open('looked at', 'owner')
  await link.click()
  await expectLeft(page, 12)
  await page.locator('[data-question]:focus').waitFor()
  const leased = page.waitForResponse(isLeaseRequest)
  await page.keyboard.press('1')
  expect(await (await leased).json()).toMatchObject({ items: [{ lease: { until: expect.any(String) } }] })
  await recordsLeftFor(id, 11)
  await close()
})
