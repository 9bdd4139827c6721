import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { emptyPlace, OWNER, startServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { answers, left, openAnnotation } from '../ground/annotation.ts'
import { givenDataset, givenWorkspace } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { onDisk } from '../support/device.ts'
import { haveSession } from '../support/sign-in.ts'
import { withoutTimers } from '../support/timers.ts'

const team = setUpTeam()
const SERVER = '**/api/v1/**'

test('a page that was loaded while the server was away comes by itself when it is back, and what was answered is sent', async () => {
  const id = await givenDataset(team.server, { name: 'away', workspaceId: team.workspaceId, records: 3 })
  const { page, context, close } = await openPage(team.browser, team.server.url)
  await haveSession(page, team.server.url)
  await openAnnotation(page, id)
  await context.route(SERVER, (route) => route.abort())
  await page.keyboard.press('1')
  await page.keyboard.press(ui('features/guides:keys.key.enter'))
  await left(page, '2 left')
  await page
    .locator('header')
    .getByText(ui('common:unsent.state', { count: 1 }))
    .waitFor()
  await onDisk(page, 1)
  await page.reload()
  await page.getByRole('heading', { name: ui('common:error.outOfReach') }).waitFor()
  await page.getByText(ui('common:unsent.state', { count: 1 })).waitFor()
  // For longer than until the first question whether it is there.
  await page.waitForRequest('**/api/v1/version')
  await page.getByRole('heading', { name: ui('common:error.outOfReach') }).waitFor()
  expect((await answers(team.server, id)).size).toBe(0)
  await context.unroute(SERVER)
  await left(page, '2 left')
  await expect.poll(async () => (await answers(team.server, id)).size).toBe(1)
  await close()
})

test('who comes back to the window while the server is away goes on answering', async () => {
  const id = await givenDataset(team.server, { name: 'away from the window', workspaceId: team.workspaceId, records: 3 })
  const { page, context, close } = await openPage(team.browser, team.server.url)
  await haveSession(page, team.server.url)
  await page.clock.install()
  await openAnnotation(page, id)
  let asked = 0
  await context.route(SERVER, (route) => {
    if (route.request().url().endsWith('/questions')) asked += 1
    return route.abort()
  })
  // Long enough for what the screen is made of to be asked for again.
  await page.clock.fastForward(180_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  for (const times of [1, 2, 3]) {
    await expect.poll(() => asked).toBe(times)
    await page.clock.fastForward(8000)
  }
  await page.keyboard.press('1')
  await page.keyboard.press(ui('features/guides:keys.key.enter'))
  await left(page, '2 left')
  await context.unroute(SERVER)
  await close()
})

test('who waits for a server that says nothing is told so at sign-in, of a whole page and of a list, and goes on once it answers', async () => {
  const id = await givenDataset(team.server, { name: 'silent', workspaceId: team.workspaceId, records: 3 })
  const { page, context, close } = await openPage(team.browser, team.server.url)
  await page.clock.install()
  await page.goto('/sign-in')
  await page.getByLabel(ui('features/administration:users.username')).fill(OWNER.username)
  await page.getByLabel(ui('features/administration:users.password')).fill(OWNER.password)
  /** Has the server take requests and say nothing from when `asks` asks until that is told. */
  const silence = async (asks: () => Promise<unknown>, told: Locator): Promise<void> => {
    const asked = page.waitForRequest(SERVER)
    await context.route(SERVER, () => undefined)
    await asks()
    await asked
    const passes = async () => {
      // NOTE: a slow machine asks for what comes next later, and then that is what is waited for
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
  const isMissing = page.getByRole('heading', { name: 'The records could not be loaded' })
  await silence(() => page.getByRole('menuitemradio', { name: ui('features/annotate:title.discarded') }).click(), isMissing)
  await answer()
  await page.getByRole('heading', { name: 'You have no discarded records' }).waitFor()
  await close()
})

test('a page whose texts do not arrive says so in a sentence, and is there when they come', async () => {
  const { page, context, close } = await openPage(team.browser, team.server.url, { locale: 'de-DE' })
  await context.route(/\/assets\/common[^/]*\.js$/, (route) => route.abort())
  await page.goto('/sign-in')
  await page.getByRole('heading', { name: 'Diese Seite kann gerade nicht geladen werden' }).waitFor()
  await context.unroute(/\/assets\/common[^/]*\.js$/)
  await page.getByRole('button', { name: 'Anmelden' }).waitFor()
  await close()
})

test('who comes back to such a page is not left waiting', async () => {
  const { page, context, close } = await openPage(team.browser, team.server.url)
  await haveSession(page, team.server.url)
  // The page asks by itself, too, first after three seconds: here it never does.
  await withoutTimers(page, 3000)
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

describe('a server that ends under an open page', () => {
  /** A page at the first of so many records, whose server can be ended and be started anew at the same address. */
  const openThere = async (records: number) => {
    const place = await emptyPlace()
    let server = await startServer({ place })
    const { url } = server
    const workspaceId = await givenWorkspace(server, 'away')
    const id = await givenDataset(server, { name: 'ends', workspaceId, records })
    const opened = await openPage(team.browser, url)
    await haveSession(opened.page, url)
    return {
      ...opened,
      id,
      end: () => server.stop(),
      begin: async () => {
        server = await startServer({ place, env: { POSTIL_PORT: new URL(url).port } })
      },
      answers: () => answers(server, id),
      close: async () => {
        await opened.close()
        await server.stop()
        await place.drop()
      },
    }
  }

  test('leaves the page as it is where a part of it was not there yet, and the part comes with the server', async () => {
    const { page, id, end, begin, close } = await openThere(3)
    // Panels are fetched ahead after two seconds: here they never are.
    await withoutTimers(page, 2000, 2000)
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

  test('is asked for more records once it is back', async () => {
    const { page, id, end, begin, answers: given, close } = await openThere(10)
    await openAnnotation(page, id)
    await left(page, '10 left')
    await end()
    // Six are handed out at a time.
    for (const count of [9, 8, 7, 6, 5, 4]) {
      await page.keyboard.press('1')
      await page.keyboard.press(ui('features/guides:keys.key.enter'))
      await left(page, ui('features/annotate:pager.pending', { formatted: count }))
    }
    await page.getByRole('heading', { name: 'The records could not be loaded' }).waitFor()
    await begin()
    await page.locator('[data-question]').first().waitFor()
    await expect.poll(async () => (await given()).size).toBe(6)
    await close()
  })
})
