import { variants } from '@postil/testkit/run-size.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type OpenPage, openPage } from '../../harness/browser.ts'
import { OWNER } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { seedDataset } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()
let datasetId: string

beforeAll(async () => {
  datasetId = await seedDataset(team.server, { name: 'reviews', workspaceId: team.workspaceId, records: 30 })
})

/** Opens a browser that was signed in on its last visit. */
const visitor = async (): Promise<OpenPage> => {
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url)
  await opened.page.addInitScript(() => {
    if (window.top !== window) return
    localStorage.setItem('postil', JSON.stringify({ ...JSON.parse(localStorage.getItem('postil') ?? '{}'), signedIn: true }))
    // Stops the clock, because prefetched data expires within seconds and a slow machine takes longer to render it.
    const now = Date.now()
    Date.now = () => now
  })
  return opened
}

const isOfBoot = /<script>[\s\S]*?<\/script>/

const shown = {
  annotation: { path: (id: string) => `/dataset/${id}/annotation-mode`, selector: '[data-question]' },
  bulk: { path: (id: string) => `/dataset/${id}/annotation-mode?page=1~25`, selector: '[data-record]:nth-child(25)' },
  home: { path: () => '/', selector: 'a[href*="annotation-mode"]' },
} as const

describe.each(variants(1, Object.entries(shown)))('the initial data of %s', (_name, { path, selector }) => {
  test('is requested once, before the scripts load', async () => {
    const opened = await visitor()
    const requests: string[] = []
    const before: string[] = []
    opened.page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/api/')) requests.push(`${request.method()} ${pathname}${search}`)
    })
    // Holds back the application's first script until the inline script has sent its requests.
    await opened.page.route(/\/assets\/index-[^/]*\.js$/, async (route) => {
      await expect.poll(() => requests.length).toBeGreaterThan(1)
      before.push(...requests)
      await route.continue()
    })
    await opened.page.goto(path(datasetId))
    await opened.page.locator(selector).first().waitFor()
    expect(before).toContain('GET /api/v1/me')
    expect(requests.filter((one) => before.includes(one)).toSorted()).toEqual(before.toSorted())
    expect(opened.complaints()).toEqual([])
    await opened.close()
  })

  test('loads even without the prefetch hint in the page', async () => {
    const opened = await visitor()
    await opened.page.route(
      ({ pathname }) => pathname === path(datasetId).split('?')[0],
      async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, body: (await response.text()).replace(isOfBoot, '') })
      },
    )
    await opened.page.goto(path(datasetId))
    await opened.page.locator(selector).first().waitFor()
    expect(await opened.page.evaluate(() => 'postilEarly' in globalThis)).toBe(false)
    await opened.close()
  })
})

test('isn’t requested for an expired session: sign-in appears first, then the address', async () => {
  const opened = await openPage(team.browser, team.server.url)
  await opened.page.addInitScript(() => {
    if (window.top === window && !sessionStorage.getItem('came')) {
      localStorage.setItem('postil', JSON.stringify({ signedIn: true }))
      sessionStorage.setItem('came', 'yes')
    }
  })
  await opened.page.goto(shown.annotation.path(datasetId))
  await opened.page.getByLabel(ui('features/auth:username')).fill(OWNER.username)
  await opened.page.getByLabel(ui('features/auth:password')).fill(OWNER.password)
  await opened.page.getByLabel(ui('features/auth:password')).press('Enter')
  await opened.page.locator(shown.annotation.selector).first().waitFor()
  await opened.close()
})
