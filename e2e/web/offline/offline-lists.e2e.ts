import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, findViolations, openPage, PHONE } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import {
  expectLeft,
  LABEL_AND_NOTE,
  openAnnotation,
  placeText,
  progressText,
  rangeText,
  recordText,
  seedAnnotationDataset,
  storedRecords,
} from '../fixtures/annotation.ts'
import { startReleaseProxy } from '../fixtures/releases.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { expectStoredAnswers } from '../support/device.ts'
import { saveForOffline } from '../support/offline.ts'
import { createSession } from '../support/sign-in.ts'
import { waitForKeyFocus } from '../support/wait-for-key-focus.ts'

const team = setUpTeam()
const NOT_ON_DEVICE = ui('common:validations.businessLogic.not_on_device.message')

let datasets = 0
const seed = (records: number) =>
  seedAnnotationDataset(team.server, {
    name: `lists ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    records: Array.from({ length: records }, (_, i) => ({ fields: { text: `Record ${i + 1}` } })),
  })

const openOffline = async (records: number, savedCount: 10 | 25) => {
  const id = await seed(records)
  const opened = await openPage(team.browser, team.server.url, { serviceWorkers: 'allow' })
  await createSession(opened.page, team.server.url)
  await openAnnotation(opened.page, id)
  await saveForOffline(opened.page, savedCount)
  await opened.context.setOffline(true)
  return { id, ...opened }
}

const answer = async (page: Page, times: number, leaves: (done: number) => number): Promise<void> => {
  for (let done = 1; done <= times; done += 1) {
    // The count changes before the next record is shown. A key that is pressed between the two would be lost.
    await waitForKeyFocus(page)
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await expectLeft(page, leaves(done))
  }
}
const choose = async (page: Page, status: 'submitted' | 'discarded'): Promise<void> => {
  await page.getByRole('button', { name: ui('features/annotate:toolbar.status') }).click()
  await page.getByRole('menuitemradio', { name: ui(`common:status.${status}`) }).click()
}

/**
 * Starts counting requests for records, and returns a function that returns the count. The count may include retries, because the
 * page repeats a request after some seconds if the server is slow.
 */
const requestsOf = (page: Page): (() => number) => {
  let asks = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/(queue|records\/search)$/.test(new URL(request.url()).pathname)) asks += 1
  })
  return () => asks
}

test('saved records are shown immediately', async () => {
  const { id, page, complaints, close } = await openOffline(12, 10)
  const asks = requestsOf(page)
  await page.reload()
  await page.locator('[data-question]').first().waitFor()
  // The page requests the records once before its scripts are loaded and once after, and it requests the record that it last
  // showed.
  expect(asks()).toBeLessThan(4)
  await page.goto('/')
  const before = asks()
  await page
    .getByRole('link', { name: `lists ${datasets}` })
    .first()
    .click()
  await page.waitForURL((url) => url.pathname.includes(id))
  await page.locator('[data-question]').first().waitFor()
  expect(asks() - before).toBeLessThan(3)
  expect(complaints()).toEqual([])
  await close()
})

test('saved lists are marked, and unsaved ones are reported immediately', async () => {
  const other = await seed(3)
  const { id, page, context, complaints, close } = await openOffline(26, 10)
  const marked = (count: number) =>
    page
      .getByRole('button', {
        name: `${ui('features/annotate:take.title')}: ${ui('features/annotate:take.mark', { formatted: count })}`,
        exact: true,
      })
      .waitFor()
  await marked(10)
  expect(await findViolations(page)).toEqual([])
  // On a phone, the mark is in the menu.
  await page.setViewportSize(PHONE.viewport)
  await page.getByRole('button', { name: ui('features/annotate:more') }).click()
  await page
    .getByRole('menuitem', { name: ui('features/annotate:take.title') })
    .getByText(ui('features/annotate:take.mark', { formatted: 10 }))
    .waitFor()
  await page.keyboard.press('Escape')
  await page.goto('/')
  const row = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) })
  for (const { viewport } of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport)
    await row(`lists ${datasets}`)
      .getByText(ui('features/home:onDevice', { count: 10, number: 10 }))
      .waitFor()
    expect(
      await row(`lists ${datasets - 1}`)
        .getByText(uiPattern('features/home:onDevice'))
        .count(),
    ).toBe(0)
    expect(await findViolations(page)).toEqual([])
  }
  // For a dataset without saved records, the request fails immediately instead of waiting until the network is back.
  let asks = 0
  page.on('request', (request) => {
    asks += new URL(request.url()).pathname === `/api/v1/datasets/${other}` ? 1 : 0
  })
  await row(`lists ${datasets - 1}`)
    .getByRole('link')
    .click()
  await page.getByRole('heading', { name: ui('common:error.outOfReach') }).waitFor()
  // The page requests the records once when it opens, and once when it is rendered.
  expect(asks).toBeLessThan(3)
  await context.setOffline(false)
  await page.locator('[data-question]').first().waitFor()
  // Once the server has stored an answer, the answer's record is removed from the device and the mark is updated.
  await page.goto(`/dataset/${id}/annotation-mode`)
  await expectLeft(page, 26)
  await marked(10)
  await answer(page, 1, () => 25)
  await marked(9)
  // The page that failed to load logs the error to the console.
  expect(complaints().filter((complaint) => !/ApiError: HTTP 0/.test(complaint))).toEqual([])
  await close()
})

test('an offline list shows what the device knows, and says if it knows nothing', async () => {
  const { id, page, context, complaints, close } = await openOffline(12, 10)
  await page.reload()
  await expectLeft(page, 10)
  await answer(page, 2, (done) => 10 - done)
  await waitForKeyFocus(page)
  await page.keyboard.press('2')
  await page.keyboard.press('Control+s')
  await expectStoredAnswers(page, 3)
  await choose(page, 'submitted')
  await expectLeft(page, placeText(1, 2))
  await page.getByText(ui('features/annotate:save.kept')).waitFor()
  // An answer on the device can be corrected offline.
  await page.locator('#main').focus()
  await page.keyboard.press('2')
  await page.keyboard.press('Enter')
  await page.goto(`/dataset/${id}/annotation-mode?status=draft`)
  await expectLeft(page, placeText(1, 1))
  const counts = async () => (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')
  await expect.poll(counts).toContain(progressText(9, 1, 0, 2))
  const asks = requestsOf(page)
  await choose(page, 'discarded')
  await page.getByText(NOT_ON_DEVICE).waitFor()
  expect(asks()).toBe(1)
  await page.getByRole('button', { name: ui('features/annotate:end.toPending') }).click()
  await expectLeft(page, 7)
  await page.goto(`/dataset/${id}/annotation-mode?search=Record~all`)
  await page.getByText(NOT_ON_DEVICE).waitFor()
  await page.goto(`/dataset/${id}/annotation-mode?page=1~10`)
  await expectLeft(page, rangeText(1, 7, 7))
  expect(complaints()).toEqual([])
  await context.setOffline(false)
  const answers = async () => (await storedRecords(team.server, id)).flatMap(({ responses }) => responses)
  await expect
    .poll(async () => (await answers()).map(({ status }) => status).toSorted(), { timeout: 40_000 })
    .toEqual(['draft', 'submitted', 'submitted'])
  await close()
})

test('a list of many pages is also available to its end', async () => {
  const { id, page, close } = await openOffline(26, 25)
  await page.reload()
  await expectLeft(page, 25)
  await answer(page, 13, (done) => 25 - done)
  await expectStoredAnswers(page, 13)
  await page.goto(`/dataset/${id}/annotation-mode?status=submitted`)
  const seen = new Set<string>()
  for (let place = 1; place <= 13; place += 1) {
    await expectLeft(page, new RegExp(`^${placeText(place, 13)}$`))
    seen.add(await recordText(page))
    const next = page.getByRole('button', { name: uiPattern('features/annotate:pager.next') })
    if (place < 13) await next.click()
    else await expect.poll(() => next.getAttribute('aria-disabled')).toBe('true')
  }
  expect(seen.size).toBe(13)
  await close()
})

test('the newest release opens offline, even while pages of the previous one are open', async () => {
  const id = await seed(12)
  const server = await startReleaseProxy(team.server.url)
  const { page, context, complaints, close } = await openPage(team.browser, server.url, { serviceWorkers: 'allow' })
  await createSession(page, server.url)
  await openAnnotation(page, id)
  await page.evaluate(() => navigator.serviceWorker.ready)
  const releaseOf = (of: Page) => of.evaluate(() => document.documentElement.dataset['release'])
  const shells = (of: Page) => of.evaluate(async () => (await caches.keys()).length)
  await page.reload()
  await expectLeft(page, 12)
  const other = await context.newPage()
  await other.goto('/')
  await other.getByRole('heading', { name: ui('features/home:title') }).waitFor()
  server.release()
  // Open pages keep working.
  await other.getByRole('link', { name: ui('features/guides:keys.title') }).click()
  await other.getByRole('heading', { name: ui('common:nav.guides'), level: 1 }).waitFor()
  await answer(page, 1, () => 11)
  expect([await releaseOf(page), await releaseOf(other)]).toEqual(['1', '1'])
  await expect
    .poll(async () => (await storedRecords(team.server, id)).filter(({ responses }) => responses.length > 0).length)
    .toBe(1)
  await expectStoredAnswers(page, 0)
  await page.reload()
  await expectLeft(page, 11)
  expect(await releaseOf(page)).toBe('2')
  await saveForOffline(page, 10)
  expect(await shells(page)).toBe(2)
  await context.setOffline(true)
  await page.reload()
  await expectLeft(page, 10)
  expect(await releaseOf(page)).toBe('2')
  await context.setOffline(false)
  // The previous release is removed when its last page is closed.
  await Promise.all([page.close(), other.close()])
  // Until the browser notices that the last page is closed, new pages still use the previous release.
  const shellsOfNext = async () => {
    const next = await context.newPage()
    await next.goto('/guides')
    const count = await shells(next)
    await next.close()
    return count
  }
  await expect.poll(shellsOfNext).toBe(1)
  expect(complaints()).toEqual([])
  await close()
  server.close()
})
