import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openPage, PHONE, THEMES, violations, wearTheme } from '../../harness/browser.ts'
import { OWNER } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { answers, left, openAnnotation, recordText } from '../ground/annotation.ts'
import { givenFilterable } from '../ground/filterable.ts'
import { givenDataset } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { loadedAgainAlready } from '../support/loaded-again.ts'
import { haveSession, signIn } from '../support/sign-in.ts'

const team = setUpTeam()
let datasets = 0
const given = (records = 3) =>
  givenDataset(team.server, { name: `trouble ${++datasets}`, workspaceId: team.workspaceId, records })

const open = async (path: string, options: Parameters<typeof openPage>[2] = {}) => {
  const opened = await openPage(team.browser, team.server.url, options)
  await haveSession(opened.page, team.server.url)
  await opened.page.goto(path)
  await opened.page.locator('#main').waitFor()
  return opened
}
const failure = { status: 500, json: { detail: 'broken' } } as const
const notifications = (page: Page) => page.getByRole('region', { name: ui('common:toast.region') }).getByRole('listitem')
const toMySettings = async (page: Page): Promise<void> => {
  // By keys: a notice that comes meanwhile moves the page, and with it what a pointer has pressed but not let go of.
  await page.getByRole('button', { name: 'settings and sign-out' }).press(ui('features/guides:keys.key.enter'))
  await page.getByRole('menuitem', { name: ui('common:user.settings') }).press(ui('features/guides:keys.key.enter'))
}
/** Answering goes on as ever. */
const answersInSilence = async (page: Page, id: string): Promise<void> => {
  await page.keyboard.press('1')
  await page.keyboard.press(ui('features/guides:keys.key.enter'))
  await expect.poll(async () => (await answers(team.server, id)).size).toBe(1)
  expect(await notifications(page).count()).toBe(0)
}
/** The page that was not loaded does not find out by itself that the server is there. */
const onlyByPress = (context: BrowserContext) => context.route('**/api/v1/version', (route) => route.abort())
/** Answers the record that is shown, whose only question a digit submits; so many are left then, and another is shown. */
const answerOne = async (page: Page, count: number): Promise<void> => {
  const before = await recordText(page)
  await page.keyboard.press('1')
  await left(page, ui('features/annotate:pager.pending', { formatted: count }))
  await expect.poll(() => recordText(page)).not.toBe(before)
}
const OUT_OF_REACH = ui('common:error.outOfReach')

describe('a page that does not arrive', () => {
  test.each([
    ['at a desk', {}],
    ['on a phone', PHONE],
  ] as const)('for want of its code says so in a sentence, and is there when the network is back, %s', async (_, settings) => {
    const { page, context, complaints, close } = await open('/', settings)
    await page.getByRole('button', { name: 'settings and sign-out' }).waitFor()
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    await context.setOffline(true)
    await toMySettings(page)
    await page.getByRole('heading', { name: OUT_OF_REACH, exact: true }).waitFor()
    await expect.poll(() => page.title()).toBe(`${OUT_OF_REACH} · Postil`)
    await page.getByText("The server can't be reached. Check the connection").waitFor()
    for (const theme of THEMES) {
      await wearTheme(page, theme)
      expect(await violations(page, theme === 'light' ? 'all' : 'colours')).toEqual([])
    }
    await page.getByRole('button', { name: ui('common:error.tryAgain') }).click()
    await page.getByRole('heading', { name: OUT_OF_REACH, exact: true }).waitFor()
    await context.setOffline(false)
    await page.getByRole('heading', { name: ui('common:user.settings') }).waitFor()
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
    expect(complaints().filter((complaint) => !/fetch|ERR_|import|ApiError: HTTP 0/i.test(complaint))).toEqual([])
    await close()
  })

  test('is there too when the network is back before it works', async () => {
    const { page, context, close } = await open('/')
    await page.getByRole('button', { name: 'settings and sign-out' }).waitFor()
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    await context.setOffline(true)
    await toMySettings(page)
    await page.getByRole('heading', { name: OUT_OF_REACH, exact: true }).waitFor()
    let refused = 0
    await context.route(/\/assets\/ProfilePage-[^/]*\.js$/, (route) => {
      refused += 1
      return refused > 2 ? route.fallback() : route.abort()
    })
    await context.setOffline(false)
    await page.getByRole('heading', { name: ui('common:user.settings') }).waitFor()
    expect(refused).toBeGreaterThan(2)
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
    await close()
  })

  test('from a server that has stopped answering says so too, and is there when it goes on', async () => {
    const { page, close } = await open('/')
    await page.getByRole('button', { name: 'settings and sign-out' }).waitFor()
    process.kill(team.server.pid, 'SIGSTOP')
    try {
      await toMySettings(page)
      await page.getByRole('heading', { name: OUT_OF_REACH, exact: true }).waitFor()
    } finally {
      process.kill(team.server.pid, 'SIGCONT')
    }
    await page.getByRole('heading', { name: ui('common:user.settings') }).waitFor()
    await close()
  })

  test('for want of its texts does the same', async () => {
    const { page, context, close } = await open('/')
    const texts = /\/assets\/messages[^/]*\.js$/
    await page.getByRole('button', { name: 'settings and sign-out' }).waitFor()
    await loadedAgainAlready(page)
    await onlyByPress(context)
    await context.route(texts, (route) => route.abort())
    await toMySettings(page)
    await page.getByRole('heading', { name: OUT_OF_REACH, exact: true }).waitFor()
    await context.unroute(texts)
    await page.getByRole('button', { name: ui('common:error.tryAgain') }).click()
    await page.getByRole('heading', { name: ui('common:user.settings') }).waitFor()
    await close()
  })

  test('for want of its data is asked for again in place', async () => {
    const id = await given()
    const { page, context, close } = await open('/')
    const dataset = `**/api/v1/datasets/${id}`
    await onlyByPress(context)
    await context.route(dataset, (route) => route.abort())
    await page.goto(`/dataset/${id}/settings`)
    await page.getByRole('heading', { name: OUT_OF_REACH, exact: true }).waitFor()
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    await context.unroute(dataset)
    await page.getByRole('button', { name: ui('common:error.tryAgain') }).click()
    await page.getByRole('heading', { name: ui('features/annotate:settings') }).waitFor()
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
    await close()
  })

  test('as its file is gone after a release has the page loaded again, once', async () => {
    const { page, context, close } = await open('/')
    await page.getByRole('button', { name: 'settings and sign-out' }).waitFor()
    let loads = 0
    page.on('load', () => {
      loads += 1
    })
    await context.route(/\/assets\/ProfilePage-[^/]*\.js$/, (route) => route.fulfill({ status: 404, body: '' }))
    await toMySettings(page)
    await page.getByRole('heading', { name: OUT_OF_REACH, exact: true }).waitFor()
    await expect.poll(() => loads).toBe(1)
    await page.waitForLoadState('networkidle')
    expect(loads).toBe(1)
    await close()
  })
})

test('a 401 on the search of records signs out, and the address is there again after it', async () => {
  const id = await given()
  const { page, context, close } = await open(`/dataset/${id}/annotation-mode`)
  await page.locator('[data-question]').first().waitFor()
  await context.route('**/records/search*', (route) => route.fulfill({ status: 401, json: { detail: 'x' } }), { times: 1 })
  await page.getByRole('button', { name: 'Status Pending' }).click()
  await page.getByRole('menuitemradio', { name: ui('features/annotate:action.draft') }).click()
  await page.waitForURL('**/sign-in')
  await expect.poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('postil') ?? '{}').signedIn)).toBe(false)
  await signIn(page)
  await page.waitForURL((url) => url.pathname === `/dataset/${id}/annotation-mode` && url.searchParams.get('status') === 'draft')
  await close()
})

describe('nothing is said of', () => {
  test('providers that can not be asked for: the form is there', async () => {
    const opened = await openPage(team.browser, team.server.url)
    await opened.page.route('**/api/v1/oauth2/providers', (route) => route.fulfill(failure))
    const asked = opened.page.waitForResponse('**/api/v1/oauth2/providers')
    await opened.page.goto('/sign-in')
    await asked
    await signIn(opened.page)
    await opened.page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
    expect(await notifications(opened.page).count()).toBe(0)
    expect(opened.complaints()).toEqual([])
    await opened.close()
  })

  test('records that do not come ahead: those that are there can be answered, and the rest comes when it is wanted', async () => {
    const id = await given(12)
    const { page, context, close } = await open('/')
    await openAnnotation(page, id)
    await left(page, '12 left')
    let refused = 0
    await context.route('**/queue', (route) => {
      refused += 1
      return route.fulfill(failure)
    })
    for (const count of [11, 10, 9, 8]) await answerOne(page, count)
    await expect.poll(() => refused).toBeGreaterThan(0)
    expect(await page.locator('[data-question]').count()).toBe(1)
    expect(await notifications(page).count()).toBe(0)
    expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0)
    await context.unroute('**/queue')
    for (const count of [7, 6, 5, 4]) await answerOne(page, count)
    await expect.poll(async () => (await answers(team.server, id)).size).toBe(8)
    await close()
  })

  test('counts that are not there: dashes stand for them', async () => {
    const id = await given()
    const { page, context, close } = await open('/')
    await context.route(/\/(annotation|metrics|progress)$/, (route) => route.fulfill(failure))
    await openAnnotation(page, id)
    const progress = page.getByRole('region', { name: ui('features/annotate:progress.name') })
    await expect.poll(() => progress.locator('dd').allInnerTexts()).toEqual(['–', '–', '–', '–'])
    await expect.poll(() => progress.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('–')
    await answersInSilence(page, id)
    await close()
  })

  test('how metadata is spread, where an address filters by it', async () => {
    const id = await givenFilterable(team.server, { name: `trouble ${++datasets}`, workspaceId: team.workspaceId })
    const { page, context, close } = await open('/')
    await context.route(/\/metadata-properties\/[^/]+\/(metrics|histogram)/, (route) => route.fulfill(failure))
    await page.goto(`/dataset/${id}/annotation-mode?metadata=length.ge205~source.web`)
    await left(page, '1 left')
    await expect.poll(() => recordText(page)).toContain('Review 20')
    expect(await notifications(page).count()).toBe(0)
    expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0)
    await close()
  })

  test('the workspace of a dataset, its colours and its environment', async () => {
    const id = await given()
    const { page, context, close } = await open('/')
    await context.route(/\/(annotation|workspaces\/[^/]+|label-colours|settings|info)$/, (route) =>
      route.request().isNavigationRequest() ? route.continue() : route.fulfill(failure),
    )
    await openAnnotation(page, id)
    await answersInSilence(page, id)
    await close()
  })
})

test('"copied" is said for a second', async () => {
  const { page, context, close } = await open('/user-settings')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('button', { name: /^Copy/ }).first().click()
  const copied = page.locator('main').getByText(ui('common:action.copied'), { exact: true })
  await copied.waitFor()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(OWNER.apiKey)
  await page.clock.runFor(990)
  expect(await copied.count()).toBe(1)
  await page.clock.runFor(20)
  await expect.poll(() => copied.count()).toBe(0)
  await close()
})

test('links fetch ahead what they lead to while the connection allows it, as it is at that moment', async () => {
  const ids = await Promise.all([given(), given(), given()])
  const { page, context, close } = await open('/guides')
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', {
      get: () => ({ saveData: 'saving' in window, effectiveType: 'slow' in window ? '2g' : '4g' }),
    }),
  )
  const asked = new Set<string>()
  page.on('request', (request) => asked.add(new URL(request.url()).pathname))
  await page.goto('/')
  // What moves under the pointer would be entered by it.
  await page.locator(`main a[href*="${ids[0]}"]`).first().waitFor()
  await page.waitForLoadState('networkidle')
  const hover = async (id: string | undefined): Promise<void> => {
    await page.mouse.move(0, 0)
    await page.locator(`main a[href*="${id}"]`).first().hover()
  }
  const isAskedFor = (id: string | undefined): boolean => asked.has(`/api/v1/me/datasets/${id}/annotation`)
  // A notice that comes or goes moves the page away under the pointer.
  const isFetched = async (id: string | undefined): Promise<boolean> => {
    await hover(id)
    await page.waitForTimeout(400)
    return isAskedFor(id)
  }
  await expect.poll(() => isFetched(ids[0])).toBe(true)
  for (const state of ['saving', 'slow'] as const) {
    await page.evaluate((name) => Object.assign(window, { [name]: true }), state)
    await hover(ids[1])
    await page.waitForTimeout(400)
    await page.evaluate((name) => Reflect.deleteProperty(window, name), state)
  }
  await context.setOffline(true)
  await hover(ids[1])
  await page.waitForTimeout(400)
  expect(isAskedFor(ids[1])).toBe(false)
  await context.setOffline(false)
  await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(true)
  await expect.poll(() => isFetched(ids[2])).toBe(true)
  await close()
})
