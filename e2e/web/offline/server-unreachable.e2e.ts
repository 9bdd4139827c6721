import { detail } from '@postil/testkit/detail.ts'
import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { emptyPlace, OWNER, startServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { expectLeft, openAnnotation, storedAnswers } from '../fixtures/annotation.ts'
import { seedDataset, seedWorkspace } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { expectStoredAnswers } from '../support/device.ts'
import { createSession } from '../support/sign-in.ts'
import { disableTimers } from '../support/timers.ts'

const team = setUpTeam()
const SERVER = '**/api/v1/**'

test('a page loaded while the server was unreachable recovers when it returns, and stored answers are sent', async () => {
  const id = await seedDataset(team.server, { name: 'away', workspaceId: team.workspaceId, records: 3 })
  const { page, context, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
  await openAnnotation(page, id)
  await context.route(SERVER, (route) => route.abort())
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expectLeft(page, 2)
  await page
    .locator('header')
    .getByText(ui('common:unsent.state', { count: 1 }))
    .waitFor()
  await expectStoredAnswers(page, 1)
  await page.reload()
  await page.getByRole('heading', { name: ui('common:error.outOfReach') }).waitFor()
  await page.getByText(ui('common:unsent.state', { count: 1 })).waitFor()
  // Waits for the first check of whether the server is reachable.
  await page.waitForRequest('**/api/v1/version')
  await page.getByRole('heading', { name: ui('common:error.outOfReach') }).waitFor()
  expect((await storedAnswers(team.server, id)).size).toBe(0)
  await context.unroute(SERVER)
  await expectLeft(page, 2)
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(1)
  await close()
})

detail('returning to the window while the server is unreachable doesn’t interrupt annotation', async () => {
  const id = await seedDataset(team.server, { name: 'away from the window', workspaceId: team.workspaceId, records: 3 })
  const { page, context, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
  await page.clock.install()
  await openAnnotation(page, id)
  let asked = 0
  await context.route(SERVER, (route) => {
    if (route.request().url().endsWith('/questions')) asked += 1
    return route.abort()
  })
  // Advances the clock far enough that the page requests the data of the screen again.
  await page.clock.fastForward(180_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  for (const times of [1, 2, 3]) {
    await expect.poll(() => asked).toBe(times)
    await page.clock.fastForward(8000)
  }
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expectLeft(page, 2)
  await context.unroute(SERVER)
  await close()
})

detail(
  'an unresponsive server is reported at sign-in, for a whole page and for a list, and loading continues once it responds',
  async () => {
    const id = await seedDataset(team.server, { name: 'silent', workspaceId: team.workspaceId, records: 3 })
    const { page, context, close } = await openPage(team.browser, team.server.url)
    await page.clock.install()
    await page.goto('/sign-in')
    await page.getByLabel(ui('features/auth:username')).fill(OWNER.username)
    await page.getByLabel(ui('features/auth:password')).fill(OWNER.password)
    /**
     * Makes the server accept requests without responding, and calls `requests`. Waits until the page reports that the server
     * doesn't respond.
     */
    const silence = async (requests: () => Promise<unknown>, told: Locator): Promise<void> => {
      const asked = page.waitForRequest(SERVER)
      await context.route(SERVER, () => undefined)
      await requests()
      await asked
      const passes = async () => {
        // On a slow machine, the next request starts later, so advance the clock repeatedly.
        await page.clock.fastForward(30_000)
        return (await told.isVisible()) ? 'told' : page.locator('body').innerText()
      }
      await expect.poll(passes).toBe('told')
    }
    const answer = async (): Promise<void> => {
      await context.unroute(SERVER)
      await page.clock.fastForward(15_000)
    }
    const enter = page.getByRole('button', { name: ui('features/auth:signIn') })
    await silence(() => enter.click(), page.getByText(ui('common:validations.http.unreachable.message')))
    await answer()
    await enter.click()
    await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
    const isAway = page.getByRole('heading', { name: ui('common:error.outOfReach') })
    await silence(() => page.reload({ waitUntil: 'commit' }), isAway)
    await answer()
    await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
    await openAnnotation(page, id)
    await page.getByRole('button', { name: ui('features/annotate:toolbar.status') }).click()
    const isMissing = page.getByRole('heading', { name: ui('features/annotate:end.failed') })
    await silence(() => page.getByRole('menuitemradio', { name: ui('common:status.discarded') }).click(), isMissing)
    await answer()
    await page.getByRole('heading', { name: ui('features/annotate:end.none.discarded') }).waitFor()
    await close()
  },
)

detail('a page whose translations fail to load shows an error message, and loads when they arrive', async () => {
  const { page, context, close } = await openPage(team.browser, team.server.url, { locale: 'de-DE' })
  await context.route(/\/assets\/common[^/]*\.js$/, (route) => route.abort())
  await page.goto('/sign-in')
  await page.getByRole('heading', { name: ui('common:error.outOfReach', {}, 'de') }).waitFor()
  await context.unroute(/\/assets\/common[^/]*\.js$/)
  await page.getByRole('button', { name: ui('features/auth:signIn', {}, 'de') }).waitFor()
  await close()
})

detail('returning to a page that failed to load retries at once', async () => {
  const { page, context, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
  // Prevents the page from checking automatically whether the server is back. The first check would come after three seconds.
  await disableTimers(page, 3000)
  await context.route(SERVER, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
  await page.goto('/')
  await page.getByRole('heading', { name: /^502 / }).waitFor()
  await context.unroute(SERVER)
  await page.waitForTimeout(3500)
  expect(await page.getByRole('heading', { name: /^502 / }).count()).toBe(1)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
  await close()
})

describe('a server that stops under an open page', () => {
  /** Starts a server with a dataset and opens a signed-in page. The server can be stopped and restarted at the same address. */
  const openOwnServerPage = async (records: number) => {
    const place = await emptyPlace()
    let server = await startServer({ place })
    const { url } = server
    const workspaceId = await seedWorkspace(server, 'away')
    const id = await seedDataset(server, { name: 'ends', workspaceId, records })
    const opened = await openPage(team.browser, url)
    await createSession(opened.page, url)
    return {
      ...opened,
      id,
      end: () => server.stop(),
      begin: async () => {
        server = await startServer({ place, env: { POSTIL_PORT: new URL(url).port } })
      },
      answers: () => storedAnswers(server, id),
      close: async () => {
        await opened.close()
        await server.stop()
        await place.drop()
      },
    }
  }

  detail('leaves the page intact if a part isn’t loaded yet, and the part loads when the server returns', async () => {
    const { page, id, end, begin, close } = await openOwnServerPage(3)
    // Prevents the prefetch of panels, which would start after two seconds.
    await disableTimers(page, 2000, 2000)
    await openAnnotation(page, id)
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    await end()
    await page.getByRole('button', { name: ui('features/annotate:filters.title') }).click()
    await page.getByText(ui('common:validations.http.unreachable.message')).first().waitFor()
    await begin()
    await page
      .getByRole('dialog', { name: ui('features/annotate:filters.title') })
      .getByRole('heading', { name: ui('features/annotate:filters.group.suggestion') })
      .waitFor()
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
    await close()
  })

  detail('is asked for more records once it returns', async () => {
    const { page, id, end, begin, answers: given, close } = await openOwnServerPage(10)
    await openAnnotation(page, id)
    await expectLeft(page, 10)
    await end()
    // The server assigns six records at a time.
    for (const count of [9, 8, 7, 6, 5, 4]) {
      await page.keyboard.press('1')
      await page.keyboard.press('Enter')
      await expectLeft(page, count)
    }
    await page.getByRole('heading', { name: ui('features/annotate:end.failed') }).waitFor()
    await begin()
    await page.locator('[data-question]').first().waitFor()
    await expect.poll(async () => (await given()).size).toBe(6)
    await close()
  })
})
