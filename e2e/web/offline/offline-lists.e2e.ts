import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, openPage, PHONE, violations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { givenAnnotation, LABEL_AND_NOTE, left, openAnnotation, stored } from '../ground/annotation.ts'
import { startReleases } from '../ground/releases.ts'
import { setUpTeam } from '../ground/team.ts'
import { onDisk } from '../support/device.ts'
import { keysAct } from '../support/keys-act.ts'
import { haveSession } from '../support/sign-in.ts'
import { takeAlong } from '../support/taking-along.ts'

const team = setUpTeam()

let datasets = 0
const given = (records: number) =>
  givenAnnotation(team.server, {
    name: `lists ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    records: Array.from({ length: records }, (_, i) => ({ fields: { text: `Record ${i + 1}` } })),
  })

const openOffline = async (records: number, taken: 10 | 25) => {
  const id = await given(records)
  const opened = await openPage(team.browser, team.server.url, { serviceWorkers: 'allow' })
  await haveSession(opened.page, team.server.url)
  await openAnnotation(opened.page, id)
  await takeAlong(opened.page, taken)
  await opened.context.setOffline(true)
  return { id, ...opened }
}

const answer = async (page: Page, times: number, leaves: (done: number) => string): Promise<void> => {
  for (let done = 1; done <= times; done += 1) {
    // What is left is counted before the next record is there.
    await keysAct(page)
    await page.keyboard.press('1')
    await page.keyboard.press(ui('features/guides:keys.key.enter'))
    await left(page, leaves(done))
  }
}
const choose = async (page: Page, status: string): Promise<void> => {
  await page.getByRole('button', { name: /^Status/ }).click()
  await page.getByRole('menuitemradio', { name: status }).click()
}

/** How often records are asked for from now on: whoever waits for a server that is slow asks again, after seconds. */
const asksOf = (page: Page): (() => number) => {
  let asks = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/(queue|records\/search)$/.test(new URL(request.url()).pathname)) asks += 1
  })
  return () => asks
}

test('what was taken along is there at once', async () => {
  const { id, page, complaints, close } = await openOffline(12, 10)
  const asks = asksOf(page)
  await page.reload()
  await page.locator('[data-question]').first().waitFor()
  // The page asks before its scripts are there, and then once more.
  expect(asks()).toBeLessThan(3)
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

test('what is on the device is marked, and what is not is told at once', async () => {
  const other = await given(3)
  const { id, page, context, complaints, close } = await openOffline(26, 10)
  const marked = (count: number) =>
    page.getByRole('button', { name: `Take records with you: ${count} on this device`, exact: true }).waitFor()
  await marked(10)
  expect(await violations(page)).toEqual([])
  // Where it is in a menu, the menu says it.
  await page.setViewportSize(PHONE.viewport)
  await page.getByRole('button', { name: ui('features/annotate:more') }).click()
  await page
    .getByRole('menuitem', { name: /^Take records with you/ })
    .getByText(ui('features/annotate:take.mark', { formatted: '10' }))
    .waitFor()
  await page.keyboard.press('Escape')
  await page.goto('/')
  const row = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) })
  for (const { viewport } of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport)
    await row(`lists ${datasets}`)
      .getByText(ui('features/home:onDevice', { number: '10' }))
      .waitFor()
    expect(
      await row(`lists ${datasets - 1}`)
        .getByText('on this device')
        .count(),
    ).toBe(0)
    expect(await violations(page)).toEqual([])
  }
  // What nothing was taken of is asked for once: nobody waits for a network that is not there.
  let asks = 0
  page.on('request', (request) => {
    asks += new URL(request.url()).pathname === `/api/v1/datasets/${other}` ? 1 : 0
  })
  await row(`lists ${datasets - 1}`)
    .getByRole('link')
    .click()
  await page.getByRole('heading', { name: ui('common:error.outOfReach') }).waitFor()
  // As the page opens, and as it is drawn.
  expect(asks).toBeLessThan(3)
  await context.setOffline(false)
  await page.locator('[data-question]').first().waitFor()
  // An answer that the server has leaves the device, and the mark with it.
  await page.goto(`/dataset/${id}/annotation-mode`)
  await left(page, '26 left')
  await marked(10)
  await answer(page, 1, () => '25 left')
  await marked(9)
  // The page that cannot be loaded says why to whoever looks for it.
  expect(complaints().filter((complaint) => !/ApiError: HTTP 0/.test(complaint))).toEqual([])
  await close()
})

test('without a network a list has what is known of it here, and says so where nothing is', async () => {
  const { id, page, context, complaints, close } = await openOffline(12, 10)
  await page.reload()
  await left(page, '10 left')
  await answer(page, 2, (done) => ui('features/annotate:pager.pending', { formatted: 10 - done }))
  await keysAct(page)
  await page.keyboard.press('2')
  await page.keyboard.press('Control+s')
  await onDisk(page, 3)
  await choose(page, ui('features/annotate:title.submitted'))
  await left(page, '1 of 2')
  await page.getByText(ui('features/annotate:save.kept')).waitFor()
  // What is known here is corrected here.
  await page.locator('#main').focus()
  await page.keyboard.press('2')
  await page.keyboard.press(ui('features/guides:keys.key.enter'))
  // So is a list that is opened by its address.
  await page.goto(`/dataset/${id}/annotation-mode?status=draft`)
  await left(page, '1 of 1')
  const counts = async () => (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')
  await expect.poll(counts).toContain('Pending 9 Draft 1 Discarded 0 Submitted 2')
  const asks = asksOf(page)
  await choose(page, ui('features/annotate:title.discarded'))
  await page.getByText(/these records are not on this device\./).waitFor()
  expect(asks()).toBe(1)
  await page.getByRole('button', { name: ui('features/annotate:end.toPending') }).click()
  await left(page, '7 left')
  await page.goto(`/dataset/${id}/annotation-mode?search=Record~all`)
  await page.getByText(/these records are not on this device\./).waitFor()
  await page.goto(`/dataset/${id}/annotation-mode?page=1~10`)
  await left(page, '1–7 of 7')
  expect(complaints()).toEqual([])
  await context.setOffline(false)
  const answers = async () => (await stored(team.server, id)).flatMap(({ responses }) => responses)
  await expect
    .poll(async () => (await answers()).map(({ status }) => status).toSorted(), { timeout: 40_000 })
    .toEqual(['draft', 'submitted', 'submitted'])
  await close()
})

test('also one of many pages is there to its end', async () => {
  const { id, page, close } = await openOffline(26, 25)
  await page.reload()
  await left(page, '25 left')
  await answer(page, 13, (done) => ui('features/annotate:pager.pending', { formatted: 25 - done }))
  await onDisk(page, 13)
  await page.goto(`/dataset/${id}/annotation-mode?status=submitted`)
  const seen = new Set<string>()
  for (let place = 1; place <= 13; place += 1) {
    await left(page, new RegExp(`^${place} of 13$`))
    seen.add(await page.locator('section[aria-label="Record"]').innerText())
    const next = page.getByRole('button', { name: /^Next record/ })
    if (place < 13) await next.click()
    else await expect.poll(() => next.getAttribute('aria-disabled')).toBe('true')
  }
  expect(seen.size).toBe(13)
  await close()
})

test('a newer release is what opens without a network, also while pages of the one before are open', async () => {
  const id = await given(12)
  const server = await startReleases(team.server.url)
  const { page, context, complaints, close } = await openPage(team.browser, server.url, { serviceWorkers: 'allow' })
  await haveSession(page, server.url)
  await openAnnotation(page, id)
  await page.evaluate(() => navigator.serviceWorker.ready)
  const releaseOf = (of: Page) => of.evaluate(() => document.documentElement.dataset['release'])
  const shells = (of: Page) => of.evaluate(async () => (await caches.keys()).length)
  await page.reload()
  await left(page, '12 left')
  const other = await context.newPage()
  await other.goto('/')
  await other.getByRole('heading', { name: ui('features/home:title') }).waitFor()
  server.release()
  // The open pages go on as they are.
  await other
    .getByRole('link', { name: ui('common:nav.guides') })
    .first()
    .click()
  await other.getByRole('heading', { name: ui('common:nav.guides'), level: 1 }).waitFor()
  await answer(page, 1, () => '11 left')
  expect([await releaseOf(page), await releaseOf(other)]).toEqual(['1', '1'])
  await expect.poll(async () => (await stored(team.server, id)).filter(({ responses }) => responses.length > 0).length).toBe(1)
  await onDisk(page, 0)
  await page.reload()
  await left(page, '11 left')
  expect(await releaseOf(page)).toBe('2')
  await takeAlong(page, 10)
  expect(await shells(page)).toBe(2)
  await context.setOffline(true)
  await page.reload()
  await left(page, '10 left')
  expect(await releaseOf(page)).toBe('2')
  await context.setOffline(false)
  // The one before goes with its last page.
  await Promise.all([page.close(), other.close()])
  // A page that opens before the browser has taken notice is one of them once more.
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
