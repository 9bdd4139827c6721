import { variants } from '@postil/testkit/run-size.ts'
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { applyTheme, findViolations, openPage, PHONE, THEMES } from '../../harness/browser.ts'
import { OWNER } from '../../harness/server.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { expectLeft, openAnnotation, recordText, storedAnswers } from '../fixtures/annotation.ts'
import { seedFilterable } from '../fixtures/filterable.ts'
import { seedDataset } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { preventReload } from '../support/prevent-reload.ts'
import { createSession, signIn } from '../support/sign-in.ts'

const team = setUpTeam()
let datasets = 0
const seed = (records = 3) =>
  seedDataset(team.server, { name: `network errors ${++datasets}`, workspaceId: team.workspaceId, records })

const open = async (path: string, options: Parameters<typeof openPage>[2] = {}) => {
  // Opens a new page, because files that an earlier page has cached would load without the network.
  const opened = await openPage(team.browser, team.server.url, { isNew: true, ...options })
  await createSession(opened.page, team.server.url)
  await opened.page.goto(path)
  await opened.page.locator('#main').waitFor()
  return opened
}
const failure = { status: 500, json: { detail: 'broken' } } as const
const notifications = (page: Page) => page.getByRole('region', { name: ui('common:toast.region') }).getByRole('listitem')
const openUserSettings = async (page: Page): Promise<void> => {
  // Uses the keyboard, because a notice can move the page between pressing and releasing the mouse button.
  await page.getByRole('button', { name: uiPattern('common:user.menu') }).press('Enter')
  await page.getByRole('menuitem', { name: ui('common:user.settings') }).press('Enter')
}
const answersWithoutNotice = async (page: Page, id: string): Promise<void> => {
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(1)
  expect(await notifications(page).count()).toBe(0)
}
/** A page that failed to load sends requests to find out whether the server is back. Blocks these requests. */
const blockReachabilityChecks = (context: BrowserContext) => context.route('**/api/v1/version', (route) => route.abort())
const answerOne = async (page: Page, count: number): Promise<void> => {
  const before = await recordText(page)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expectLeft(page, count)
  await expect.poll(() => recordText(page)).not.toBe(before)
}
const UNREACHABLE = ui('common:error.outOfReach')

describe('a page that fails to load', () => {
  test.each(
    variants(1, [
      ['on a desktop', {}],
      ['on a phone', PHONE],
    ] as const),
  )('because of its code shows an error message, and loads when the network returns, %s', async (_, settings) => {
    const { page, context, complaints, close } = await open('/', settings)
    await page.getByRole('button', { name: uiPattern('common:user.menu') }).waitFor()
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    await context.setOffline(true)
    await openUserSettings(page)
    await page.getByRole('heading', { name: UNREACHABLE, exact: true }).waitFor()
    await expect.poll(() => page.title()).toBe(`${UNREACHABLE} · Postil`)
    await page.getByText(ui('common:error.outOfReachHint')).waitFor()
    for (const theme of THEMES) {
      await applyTheme(page, theme)
      expect(await findViolations(page, theme === 'light' ? 'all' : 'colours')).toEqual([])
    }
    await page.getByRole('button', { name: ui('common:error.tryAgain') }).click()
    await page.getByRole('heading', { name: UNREACHABLE, exact: true }).waitFor()
    await context.setOffline(false)
    await page.getByRole('heading', { name: ui('common:user.settings') }).waitFor()
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
    expect(complaints().filter((complaint) => !/fetch|ERR_|import|ApiError: HTTP 0/i.test(complaint))).toEqual([])
    await close()
  })

  test('also loads when the network is detected before it is usable', async () => {
    const { page, context, close } = await open('/')
    await page.getByRole('button', { name: uiPattern('common:user.menu') }).waitFor()
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    await context.setOffline(true)
    await openUserSettings(page)
    await page.getByRole('heading', { name: UNREACHABLE, exact: true }).waitFor()
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

  test('from a server that stopped responding shows an error message too, and loads when the server responds again', async () => {
    const { page, close } = await open('/')
    await page.getByRole('button', { name: uiPattern('common:user.menu') }).waitFor()
    process.kill(team.server.pid, 'SIGSTOP')
    try {
      await openUserSettings(page)
      await page.getByRole('heading', { name: UNREACHABLE, exact: true }).waitFor()
    } finally {
      process.kill(team.server.pid, 'SIGCONT')
    }
    await page.getByRole('heading', { name: ui('common:user.settings') }).waitFor()
    await close()
  })

  test('because of its translations recovers in the same way', async () => {
    const { page, context, close } = await open('/')
    const texts = /\/assets\/messages[^/]*\.js$/
    await page.getByRole('button', { name: uiPattern('common:user.menu') }).waitFor()
    await preventReload(page)
    await blockReachabilityChecks(context)
    await context.route(texts, (route) => route.abort())
    await openUserSettings(page)
    await page.getByRole('heading', { name: UNREACHABLE, exact: true }).waitFor()
    await context.unroute(texts)
    await page.getByRole('button', { name: ui('common:error.tryAgain') }).click()
    await page.getByRole('heading', { name: ui('common:user.settings') }).waitFor()
    await close()
  })

  test('because of its data is requested again without a reload', async () => {
    const id = await seed()
    const { page, context, close } = await open('/')
    const dataset = `**/api/v1/datasets/${id}`
    await blockReachabilityChecks(context)
    await context.route(dataset, (route) => route.abort())
    await page.goto(`/dataset/${id}/settings`)
    await page.getByRole('heading', { name: UNREACHABLE, exact: true }).waitFor()
    await page.evaluate(() => Object.assign(window, { sameDocument: true }))
    await context.unroute(dataset)
    await page.getByRole('button', { name: ui('common:error.tryAgain') }).click()
    await page.getByRole('heading', { name: ui('features/settings:title') }).waitFor()
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
    await close()
  })

  test('because its file was removed by a release reloads the page once', async () => {
    const { page, context, close } = await open('/')
    await page.getByRole('button', { name: uiPattern('common:user.menu') }).waitFor()
    let loads = 0
    page.on('load', () => {
      loads += 1
    })
    await context.route(/\/assets\/ProfilePage-[^/]*\.js$/, (route) => route.fulfill({ status: 404, body: '' }))
    await openUserSettings(page)
    await page.getByRole('heading', { name: UNREACHABLE, exact: true }).waitFor()
    await expect.poll(() => loads).toBe(1)
    await page.waitForLoadState('networkidle')
    expect(loads).toBe(1)
    await close()
  })
})

test('a 401 on the record search signs the user out, and the address is restored after sign-in', async () => {
  const id = await seed()
  const { page, context, close } = await open(`/dataset/${id}/annotation-mode`)
  await page.locator('[data-question]').first().waitFor()
  await context.route('**/records/search*', (route) => route.fulfill({ status: 401, json: { detail: 'x' } }), { times: 1 })
  await page.getByRole('button', { name: `${ui('features/annotate:toolbar.status')} ${ui('common:status.pending')}` }).click()
  await page.getByRole('menuitemradio', { name: ui('common:status.draft') }).click()
  await page.waitForURL('**/sign-in')
  await expect.poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('postil') ?? '{}').signedIn)).toBe(false)
  await signIn(page)
  await page.waitForURL((url) => url.pathname === `/dataset/${id}/annotation-mode` && url.searchParams.get('status') === 'draft')
  await close()
})

describe('no error is shown', () => {
  test('if the sign-in providers can’t be loaded: the form is available', async () => {
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

  test('if a prefetch fails: loaded records can be answered, and the rest loads when needed', async () => {
    const id = await seed(12)
    const { page, context, close } = await open('/')
    await openAnnotation(page, id)
    await expectLeft(page, 12)
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
    await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(8)
    await close()
  })

  test('if counts can’t be loaded: dashes replace them', async () => {
    const id = await seed()
    const { page, context, close } = await open('/')
    await context.route(/\/(annotation|metrics|progress)$/, (route) => route.fulfill(failure))
    await openAnnotation(page, id)
    const progress = page.getByRole('region', { name: ui('features/annotate:progress.name') })
    await expect.poll(() => progress.locator('dd').allInnerTexts()).toEqual(['–', '–', '–', '–'])
    await expect.poll(() => progress.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('–')
    await answersWithoutNotice(page, id)
    await close()
  })

  test('if the metadata distribution can’t be loaded for a filtered address', async () => {
    const id = await seedFilterable(team.server, { name: `network errors ${++datasets}`, workspaceId: team.workspaceId })
    const { page, context, close } = await open('/')
    await context.route(/\/metadata-properties\/[^/]+\/(metrics|histogram)/, (route) => route.fulfill(failure))
    await page.goto(`/dataset/${id}/annotation-mode?metadata=length.ge205~source.web`)
    await expectLeft(page, 1)
    await expect.poll(() => recordText(page)).toContain('Review 20')
    expect(await notifications(page).count()).toBe(0)
    expect(await page.getByRole('alert').filter({ hasText: /\S/ }).count()).toBe(0)
    await close()
  })

  test('if the workspace, the label colors and the environment of a dataset can’t be loaded', async () => {
    const id = await seed()
    const { page, context, close } = await open('/')
    await context.route(/\/(annotation|workspaces\/[^/]+|label-colours|settings|info)$/, (route) =>
      route.request().isNavigationRequest() ? route.continue() : route.fulfill(failure),
    )
    await openAnnotation(page, id)
    await answersWithoutNotice(page, id)
    await close()
  })
})

test('"copied" is shown for one second', async () => {
  const { page, context, close } = await open('/user-settings')
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page
    .getByRole('button', { name: ui('features/profile:copyKey') })
    .first()
    .click()
  const copied = page.locator('main').getByText(ui('common:action.copied'), { exact: true })
  await copied.waitFor()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(OWNER.apiKey)
  await page.clock.runFor(990)
  expect(await copied.count()).toBe(1)
  await page.clock.runFor(20)
  await expect.poll(() => copied.count()).toBe(0)
  await close()
})

test('links prefetch their target while the connection allows it, based on its current state', async () => {
  const ids = await Promise.all([seed(), seed(), seed()])
  const { page, context, close } = await open('/guides')
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', {
      get: () => ({ saveData: 'saving' in window, effectiveType: 'slow' in window ? '2g' : '4g' }),
    }),
  )
  const asked = new Set<string>()
  page.on('request', (request) => asked.add(new URL(request.url()).pathname))
  await page.goto('/')
  // Waits until the page is stable, because content that moves under the pointer would trigger a hover.
  await page.locator(`main a[href*="${ids[0]}"]`).first().waitFor()
  await page.waitForLoadState('networkidle')
  const hover = async (id: string | undefined): Promise<void> => {
    await page.mouse.move(0, 0)
    await page.locator(`main a[href*="${id}"]`).first().hover()
  }
  const isAskedFor = (id: string | undefined): boolean => asked.has(`/api/v1/me/datasets/${id}/annotation`)
  // Hovers again, because a notice that appears or disappears can move the link away from the pointer.
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
