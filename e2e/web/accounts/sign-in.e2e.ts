import { detail } from '@postil/testkit/detail.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenPage, openBrowser, openPage } from '../../harness/browser.ts'
import { OWNER, type RunningServer, startServer } from '../../harness/server.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { expectLeft, openAnnotation, storedRecords } from '../fixtures/annotation.ts'
import { PASSWORD, seedDataset, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { createSession, signIn } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser
let datasetId: string
let workspaceId: string

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  workspaceId = await seedWorkspace(server, 'team')
  datasetId = await seedDataset(server, { name: 'reviews', workspaceId, records: 3 })
  for (const name of ['ann', 'ben']) await seedUser(server, name, 'annotator', [workspaceId])
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const withPage = async (run: (opened: OpenPage) => Promise<void>, path = '/', options = {}): Promise<void> => {
  const opened = await openPage(browser, server.url, options)
  try {
    await opened.page.goto(path)
    await run(opened)
    expect(opened.complaints()).toEqual([])
  } finally {
    await opened.close()
  }
}

const main = (page: OpenPage['page']) => page.locator('main')

const refusals = (page: OpenPage['page']) =>
  page.getByRole('region', { name: ui('common:toast.region') }).getByText(ui('common:validations.http.401.message'))

describe('signing in', () => {
  test('shows the form to signed-out users, and then the datasets', () =>
    withPage(async ({ page }) => {
      await page.waitForURL('**/sign-in')
      await expect.poll(() => page.title()).toBe(`${ui('features/auth:signIn')} · Postil`)
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('username')
      await signIn(page)
      await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
    }))

  test('reports a wrong password once at the form, which keeps the input', () =>
    withPage(async ({ page }) => {
      await page.getByLabel(ui('features/auth:username')).fill('owner')
      await page.getByLabel(ui('features/auth:password')).fill('not it')
      await page.keyboard.press('Enter')
      await page.getByText(ui('features/auth:wrong')).waitFor()
      await page.waitForTimeout(300)
      const told = page.getByText(ui('features/auth:wrong')).or(page.getByText(ui('common:validations.http.401.message')))
      await expect.poll(() => told.count()).toBe(1)
      expect(await page.getByLabel(ui('features/auth:username')).inputValue()).toBe('owner')
      expect(await page.getByLabel(ui('features/auth:password')).inputValue()).toBe('not it')
    }, '/sign-in'))

  detail('sends nothing while an input is empty', () =>
    withPage(async ({ page }) => {
      let sent = 0
      page.on('request', (request) => {
        if (request.method() === 'POST') sent += 1
      })
      await page.getByLabel(ui('features/auth:username')).fill('owner')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: ui('features/auth:signIn') }).click({ force: true })
      expect(sent).toBe(0)
    }, '/sign-in'),
  )

  detail('can show the password', () =>
    withPage(async ({ page }) => {
      await page.getByLabel(ui('features/auth:password')).fill('secret')
      await page.getByRole('button', { name: ui('features/auth:show') }).click()
      await expect.poll(() => page.getByLabel(ui('features/auth:password')).getAttribute('type')).toBe('text')
    }, '/sign-in'),
  )

  test('returns to the requested page with its query', () =>
    withPage(async ({ page }) => {
      await page.waitForURL('**/sign-in')
      await signIn(page)
      await page.waitForURL((url) => url.pathname === `/dataset/${datasetId}/annotation-mode`)
      expect(new URL(page.url()).searchParams.get('status')).toBe('draft')
      expect(new URL(page.url()).searchParams.get('search')).toBe('a_b~all')
    }, `/dataset/${datasetId}/annotation-mode?status=draft&search=a_b~all`))

  detail('ignores a foreign return path', () =>
    withPage(async ({ page }) => {
      await page.evaluate(() => localStorage.setItem('postil', JSON.stringify({ redirectTo: '//evil.example/' })))
      await page.reload()
      await signIn(page)
      expect(page.url()).toBe(`${server.url}/`)
    }, '/sign-in'),
  )

  detail('does not ask signed-in users again', () =>
    withPage(async ({ page }) => {
      await createSession(page, server.url)
      await page.goto('/sign-in')
      await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
      await page.goto('/welcome-hf-sign-in')
      await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
      await page.goto('/oauth/github/callback')
      await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
    }),
  )

  detail('has no Space sign-in page outside a hosted Space', () =>
    withPage(async ({ page }) => {
      await page.waitForURL('**/sign-in')
      await expect.poll(() => main(page).getByLabel(ui('features/auth:username')).count()).toBe(1)
    }, '/welcome-hf-sign-in'),
  )

  test('works once with the first-start link', async () => {
    const link = /http\S+sign-in#link=\S+/.exec(server.printed())?.[0] ?? ''
    await withPage(async ({ page }) => {
      await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
      expect(page.url()).not.toContain('link=')
    }, link)
    await withPage(async ({ page }) => {
      await page.getByText(ui('features/auth:link.used')).waitFor()
      await page.getByRole('link', { name: ui('features/auth:link.usePassword') }).press('Enter')
      await page.getByLabel(ui('features/auth:username')).waitFor()
      expect(page.url()).not.toContain('link=')
    }, link)
  })
})

describe('inside a hosted Space', () => {
  let space: RunningServer
  beforeAll(async () => {
    space = await startServer({ env: { SPACE_ID: 'team/notes', OAUTH_CLIENT_ID: 'of the space' } })
  })
  afterAll(() => space?.stop())

  detail("the Space's own sign-in comes first, with a link to the password form", async () => {
    const { page, close } = await openPage(browser, space.url)
    await page.goto('/')
    await page.waitForURL('**/welcome-hf-sign-in')
    await page.getByRole('link', { name: ui('features/auth:continueWith', { provider: 'Hugging Face' }) }).waitFor()
    await page.getByRole('link', { name: ui('features/auth:link.usePassword') }).click()
    await page.getByLabel(ui('features/auth:username')).waitFor()
    expect(new URL(page.url()).searchParams.get('omitCTA')).toBe('true')
    await page.reload()
    await page.getByLabel(ui('features/auth:username')).waitFor()
    await close()
  })

  detail('a Space without a Hub client shows the password form', async () => {
    const alone = await startServer({ env: { SPACE_ID: 'team/notes' } })
    const { page, close } = await openPage(browser, alone.url)
    await page.goto('/')
    await page.getByLabel(ui('features/auth:username')).waitFor()
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    await close()
    await alone.stop()
  })
})

describe('the end of a session', () => {
  detail('by signing out ends it on the server too', () =>
    withPage(async ({ page, context }) => {
      await signIn(page)
      const cookies = await context.cookies()
      await page.getByRole('button', { name: ui('common:user.menu', { username: OWNER.username }) }).click()
      await page.getByRole('menuitem', { name: ui('common:user.signOut') }).click()
      await page.waitForURL('**/sign-in')
      await page.waitForTimeout(300)
      expect(await refusals(page).count()).toBe(0)
      await context.addCookies(cookies)
      await page.goto('/')
      await page.waitForURL('**/sign-in')
    }),
  )

  detail('by the server leads to the form, and back', () =>
    withPage(async ({ page, context }) => {
      await signIn(page)
      // Waits until no request is open. Otherwise, a request could be rejected later and show an error on this page before the
      // page is left.
      await page.goto('/', { waitUntil: 'networkidle' })
      await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
      await context.clearCookies()
      await page.goto('/?workspaces=team')
      await page.waitForURL('**/sign-in')
      await refusals(page).waitFor()
      await signIn(page)
      await page.waitForURL((url) => url.searchParams.get('workspaces') === 'team')
    }),
  )

  test('by the server is reported once, and signing in returns to the requested page', async () => {
    const { page, context, close } = await openPage(browser, server.url)
    await createSession(page, server.url)
    await page.goto(`/dataset/${datasetId}/annotation-mode?search=e~all`)
    await page.getByRole('button', { name: ui('features/annotate:toolbar.status') }).waitFor()
    await page.waitForLoadState('networkidle')
    await context.clearCookies()
    await page.getByRole('button', { name: ui('features/annotate:toolbar.status') }).click()
    await page.getByRole('menuitemradio', { name: ui('common:status.discarded') }).click()
    await page.waitForURL('**/sign-in')
    await refusals(page).waitFor()
    // Requests that were already in flight are rejected later. They must not cause another notice.
    await page.waitForLoadState('networkidle')
    await expect.poll(() => refusals(page).count()).toBe(1)
    await signIn(page)
    const isWanted = ({ pathname, searchParams: search }: URL) =>
      pathname.endsWith('/annotation-mode') && search.get('status') === 'discarded' && search.get('search') === 'e~all'
    await page.waitForURL(isWanted)
    await close()
  })

  test("scripts can't read the session, and the page stores no token", () =>
    withPage(async ({ page, context }) => {
      await signIn(page)
      const session = (await context.cookies()).find(({ name }) => name === 'postil_session')
      expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
      const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie)
      expect(kept).not.toContain(session?.value)
      expect(kept).not.toContain(server.apiKey)
    }))
})

describe('several tabs', () => {
  const place = (id: string) => `/dataset/${id}/annotation-mode`
  const expectAddress = (page: OpenPage['page'], path: string) => page.waitForURL(({ pathname }) => pathname === path)
  const logOut = async (page: OpenPage['page'], unsent = false): Promise<void> => {
    await page.getByRole('button', { name: uiPattern('common:user.menu') }).click()
    await page.getByRole('menuitem', { name: ui('common:user.signOut') }).click()
    if (unsent)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: ui('common:unsent.leave') })
        .click()
  }

  test('signing out in one signs out all, and signing in again restores their pages without losing an answer', async () => {
    const id = await seedDataset(server, { name: 'two tabs', workspaceId, records: 3 })
    const { page, context, complaints, close } = await openPage(browser, server.url)
    await createSession(page, server.url, 'ann', PASSWORD)
    await openAnnotation(page, id)
    const other = await context.newPage()
    await other.goto('/')
    await other.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
    await context.route(/\/responses\/mine/, (route) => route.abort())
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await expectLeft(page, 2)
    await page.getByText(ui('common:unsent.state', { count: 1 })).waitFor()
    await logOut(other, true)
    await expectAddress(page, '/sign-in')
    await page.getByText(ui('features/auth:leftOff.gone')).waitFor()
    await expect.poll(() => page.getByText(/of two tabs/).count()).toBe(0)
    await context.unroute(/\/responses\/mine/)
    await signIn(other, 'ben', PASSWORD)
    expect(new URL(other.url()).pathname).toBe('/')
    await other.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
    await logOut(other)
    await expectAddress(other, '/sign-in')
    expect(new URL(page.url()).pathname).toBe('/sign-in')
    await signIn(other, 'ann', PASSWORD)
    await expectAddress(page, place(id))
    await expectLeft(page, 2)
    await expect.poll(async () => (await storedRecords(server, id)).flatMap(({ responses }) => responses)).toHaveLength(1)
    expect(complaints().filter((text) => !/ERR_FAILED/.test(text))).toEqual([])
    await close()
  })

  detail('signing in as another user in one replaces the user in the others', async () => {
    const { page, context, close } = await openPage(browser, server.url)
    const form = await context.newPage()
    await form.goto('/sign-in')
    await createSession(page, server.url, 'ann', PASSWORD)
    await openAnnotation(page, datasetId)
    await signIn(form, 'ben', PASSWORD)
    await expectAddress(page, '/sign-in')
    await page.getByText(ui('features/auth:leftOff.replaced')).waitFor()
    await expect.poll(() => page.getByText(/of reviews/).count()).toBe(0)
    // The page that the previous user left must not open for this user.
    await page.reload()
    await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await close()
  })

  detail('signing out everywhere signs out all of them', async () => {
    const { page, context, close } = await openPage(browser, server.url)
    await createSession(page, server.url, 'ann', PASSWORD)
    await openAnnotation(page, datasetId)
    const other = await context.newPage()
    await other.goto('/user-settings')
    // Content that loads late can shift the layout. A click would then miss its target.
    await other.waitForLoadState('networkidle')
    await other.getByRole('button', { name: ui('features/profile:sessions') }).click()
    await expectAddress(page, '/sign-in')
    await expectAddress(other, '/sign-in')
    // The form may be replaced when the rest of the page loads, which would discard what was typed.
    await page.waitForLoadState('networkidle')
    await signIn(page, 'ann', PASSWORD)
    await expectAddress(page, place(datasetId))
    await close()
  })
})
