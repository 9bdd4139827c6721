import { signInAt } from '@postil/testkit/identity-provider.ts'
import { isFullRun } from '@postil/testkit/run-size.ts'
import type { Browser, Frame, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyTheme, findViolations, type OpenPage, openBrowser, openPage, PHONE, THEMES } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { type ProviderServer, signInAtProvider, startServerWithProvider } from '../fixtures/providers.ts'
import { PASSWORD, seedUser } from '../fixtures/seed.ts'
import { createSession } from '../support/sign-in.ts'

let setup: ProviderServer
let browser: Browser

beforeAll(async () => {
  ;[setup, browser] = await Promise.all([startServerWithProvider(), openBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await setup?.close()
})

const withPage = async (run: (opened: OpenPage) => Promise<void>, path = '/', options = {}): Promise<void> => {
  const opened = await openPage(browser, setup.server.url, options)
  try {
    await opened.page.goto(path)
    await run(opened)
    expect(opened.complaints()).toEqual([])
  } finally {
    await opened.close()
  }
}
const signInThrough = (page: Page, title: string) =>
  page.getByRole('link', { name: ui('features/auth:continueWith', { provider: title }) }).click()
const home = (page: Page) => page.getByRole('heading', { name: ui('features/home:title'), level: 1 })
const hasFocus = (element: Locator) => expect.poll(() => element.evaluate((one) => one === document.activeElement)).toBe(true)
const expectNotKept = (page: Page) =>
  page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie)

describe('signing in through a provider', () => {
  test("opens the datasets, with a session that scripts can't read and without a token", () =>
    withPage(async ({ page, context }) => {
      const seen: string[] = []
      page.on('response', async (response) => {
        if (response.url().includes('/api/')) seen.push(await response.text().catch(() => ''))
      })
      await signInThrough(page, 'The Company')
      await signInAtProvider(page, 'ann')
      await home(page).waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
      await page.getByRole('button', { name: ui('common:user.menu', { username: 'ann' }) }).waitFor()
      // The result also contains cookies of the provider, because it is on the same host and cookies ignore ports.
      const all = await context.cookies(setup.server.url)
      const cookies = all.filter(({ name }) => /postil|oauth2/.test(name))
      expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([['postil_session', true, 'Lax']])
      expect(await expectNotKept(page)).not.toContain(cookies[0]?.value)
      expect(seen.join()).not.toContain('access_token')
      await page.goBack().catch(() => undefined)
      await expect.poll(() => page.url()).not.toContain('code=')
    }))

  test('returns to the requested page', () =>
    withPage(async ({ page }) => {
      await page.waitForURL('**/sign-in')
      await signInThrough(page, 'Hugging Face')
      await signInAtProvider(page, 'ann')
      await page.waitForURL((url) => url.pathname === '/user-settings')
      await page.getByText('ann', { exact: true }).first().waitFor()
    }, '/user-settings'))

  test('works by keyboard alone', () =>
    withPage(async ({ page }) => {
      await hasFocus(page.getByLabel(ui('features/auth:username')))
      await page.getByRole('link', { name: ui('features/auth:continueWith', { provider: 'The Company' }) }).waitFor()
      for (let i = 0; i < 8; i += 1) {
        if (await page.evaluate(() => document.activeElement?.textContent?.includes('The Company'))) break
        await page.keyboard.press('Tab')
      }
      await page.keyboard.press('Enter')
      await hasFocus(page.getByRole('textbox', { name: 'Name' }))
      await page.keyboard.type('ann')
      await page.keyboard.press('Enter')
      await home(page).waitFor()
    }, '/sign-in'))
})

describe('a failed sign-in through a provider', () => {
  const problem = (page: Page) => page.locator('main [role=alert]')

  test('shows the refusal with a way back', () =>
    withPage(async ({ page }) => {
      await signInThrough(page, 'The Company')
      await page.getByRole('button', { name: 'Deny' }).click()
      await expect.poll(() => problem(page).textContent()).toBe(ui('features/auth:problem.refused', { provider: 'The Company' }))
      await page.getByRole('link', { name: ui('features/auth:provider.again', { provider: 'The Company' }) }).click()
      await page.getByRole('button', { name: 'Deny' }).click()
      await page.getByRole('link', { name: ui('features/auth:link.usePassword') }).click()
      await page.getByLabel(ui('features/auth:username')).waitFor()
      expect(new URL(page.url()).search).toBe('?omitCTA=true')
    }))

  test('does not take over the name of an existing user', () =>
    withPage(async ({ page }) => {
      await signInThrough(page, 'The Company')
      await signInAtProvider(page, 'owner')
      await expect
        .poll(() => problem(page).textContent())
        .toBe(ui('features/auth:problem.name_taken', { provider: 'The Company' }))
    }))

  test('reports an unreachable provider, one that returns no name and one that does not exist', () =>
    withPage(async ({ page }) => {
      await signInThrough(page, 'Closed for ever')
      await expect
        .poll(() => problem(page).textContent())
        .toBe(ui('features/auth:problem.unreachable', { provider: 'Closed for ever' }))
      await page.goto('/sign-in')
      await signInThrough(page, 'The Company')
      await signInAtProvider(page, 'nameless')
      await expect
        .poll(() => problem(page).textContent())
        .toBe(ui('features/auth:problem.no_username', { provider: 'The Company' }))
      await page.goto('/oauth/nothing/callback?code=1&state=2')
      await expect.poll(() => problem(page).textContent()).toBe(ui('features/auth:problem.unknown_provider'))
    }))

  test("signs no one in with a response to someone else's sign-in", async () => {
    const begun = await fetch(`${setup.server.url}/api/v1/oauth2/providers/company/authentication`, { redirect: 'manual' })
    const { search } = await signInAt(begun.headers.get('location') ?? '', 'ann')
    await withPage(async ({ page, context }) => {
      await expect.poll(() => problem(page).textContent()).toBe(ui('features/auth:problem.expired'))
      expect(await context.cookies(setup.server.url)).toEqual([])
    }, `/oauth/company/callback${search}`)
  })

  test('returns home from a callback without a response', () =>
    withPage(async ({ page }) => {
      await page.waitForURL('**/sign-in')
    }, '/oauth/company/callback'))
})

test('a user links a provider account, signs in with it and unlinks it again', () =>
  withPage(async ({ page, context }) => {
    await createSession(page, setup.server.url)
    await page.goto('/user-settings')
    await page.getByRole('link', { name: ui('features/profile:link', { provider: 'The Company' }) }).click()
    await signInAtProvider(page, 'owner')
    await page.getByRole('button', { name: ui('features/profile:unlink', { provider: 'The Company' }) }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/user-settings')
    await context.clearCookies({ name: 'postil_session' })
    await page.goto('/sign-in')
    await signInThrough(page, 'The Company')
    await page.getByRole('button', { name: ui('common:user.menu', { username: 'owner' }) }).waitFor()
    await page.goto('/user-settings')
    await page.getByRole('button', { name: ui('features/profile:unlink', { provider: 'The Company' }) }).waitFor()
    for (const theme of THEMES) {
      await applyTheme(page, theme)
      expect([theme, await findViolations(page)]).toEqual([theme, []])
    }
    await page.getByRole('button', { name: ui('features/profile:unlink', { provider: 'The Company' }) }).click()
    await page.getByRole('link', { name: ui('features/profile:link', { provider: 'The Company' }) }).waitFor()
    await context.clearCookies({ name: /^_/ })
    await page.getByRole('link', { name: ui('features/profile:link', { provider: 'The Company' }) }).click()
    await signInAtProvider(page, 'ann')
    await page.getByText(ui('features/auth:problem.linked_otherwise', { provider: 'The Company' })).waitFor()
    await page.getByRole('link', { name: ui('features/auth:provider.toSettings') }).click()
    await page.getByRole('heading', { name: ui('features/profile:title') }).waitFor()
  }))

test('owners see the configured providers', () =>
  withPage(async ({ page }) => {
    await createSession(page, setup.server.url)
    await page.goto('/administration')
    await page.getByRole('link', { name: ui('features/administration:section.providers'), exact: true }).click()
    await page
      .getByRole('list', { name: `${ui('features/administration:section.providers')} 3` })
      .getByText('The Company')
      .waitFor()
    expect(
      await page
        .getByRole('listitem')
        .filter({ hasText: uiPattern('features/administration:providers.name', {}, { whole: false }) })
        .count(),
    ).toBe(3)
  }))

describe('the sign-in screens', () => {
  const screens = {
    'sign-in with providers': ['/sign-in', 'main li a'],
    'a refused sign-in': ['/oauth/company/callback?error=access_denied', '[role=alert]:not(:empty)'],
  } as const

  test.each([1440, 390] as const)('have no accessibility violations at %i px', async (size) => {
    for (const language of ['en', 'de', 'es'] as const) {
      const { page, close } = await openPage(browser, setup.server.url, { language, ...(size === 390 && PHONE) })
      for (const [name, [path, ready]] of Object.entries(screens)) {
        await page.goto(path)
        await page.locator(ready).first().waitFor()
        for (const theme of isFullRun || (size === 1440 && language === 'en') ? THEMES : (['light'] as const)) {
          await applyTheme(page, theme)
          expect([name, theme, await findViolations(page)]).toEqual([name, theme, []])
        }
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
        expect([name, wider]).toEqual([name, 0])
      }
      await close()
    }
  })
})

describe('inside a hosted Space', () => {
  let space: ProviderServer
  let framing: Browser
  beforeAll(async () => {
    // By default, browsers don't let a public page embed a page from this machine. Hosted Spaces aren't subject to this
    // restriction.
    const flags = ['--disable-features=LocalNetworkAccessChecks']
    ;[space, framing] = await Promise.all([
      startServerWithProvider({ SPACE_ID: 'team/notes', USERNAME: 'ann' }),
      openBrowser({ flags }),
    ])
  })
  afterAll(async () => {
    await framing?.close()
    await space?.close()
  })

  /** Opens a page on `host` that shows the Space in a frame. The Space allows frames only on the Hub. */
  const hub = async (page: Page, host: string): Promise<Frame> => {
    await page.route(`https://${host}/**`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><title>Hub</title><iframe src="${space.server.url}/" width="900" height="800"></iframe>`,
      }),
    )
    await page.goto(`https://${host}/spaces/team/notes`)
    const frame = page.frames()[1]
    if (frame === undefined) throw new Error('no frame')
    return frame
  }

  test('the provider opens in its own window, and the frame is signed in', async () => {
    const { page, close } = await openPage(framing, space.server.url)
    const frame = await hub(page, 'huggingface.co')
    await frame.waitForURL('**/welcome-hf-sign-in')
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      frame.getByRole('link', { name: ui('features/auth:continueWith', { provider: 'Hugging Face' }) }).click(),
    ])
    const gone = popup.waitForEvent('close')
    await signInAtProvider(popup, 'ann')
    await gone
    await frame.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
    await frame.getByRole('button', { name: ui('common:user.menu', { username: 'ann' }) }).waitFor()
    await frame.goto(`${space.server.url}/user-settings`)
    await frame.getByText(ui('common:user.role.owner')).first().waitFor()
    await close()
  })

  test('a notice says that no data is kept', async () => {
    const { page, close } = await openPage(framing, space.server.url)
    await createSession(page, space.server.url)
    await page.goto('/')
    await page.getByText(ui('features/home:storage.lost')).waitFor()
    const settings = page.getByRole('link', { name: ui('features/home:storage.enable') })
    expect(await settings.getAttribute('href')).toBe('https://huggingface.co/spaces/team/notes/settings')
    expect(await findViolations(page)).toEqual([])
    await seedUser(space.server, 'zoe', 'annotator')
    await createSession(page, space.server.url, 'zoe', PASSWORD)
    await page.goto('/')
    await page.getByText(ui('features/home:storage.ask')).waitFor()
    expect(await settings.count()).toBe(0)
    await close()
  })

  test('no other page can frame the app', async () => {
    const { page, close } = await openPage(framing, space.server.url)
    const frame = await hub(page, 'evil.example.org')
    await expect.poll(() => frame.url()).toBe('chrome-error://chromewebdata/')
    await close()
  })
})
