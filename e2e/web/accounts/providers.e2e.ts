import { signInAt } from '@postil/testkit/identity-provider.ts'
import type { Browser, Frame, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenPage, openBrowser, openPage, PHONE, THEMES, violations, wearTheme } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { givenUser, PASSWORD } from '../ground/given.ts'
import { sayWho, startWithProviders, type WithProviders } from '../ground/providers.ts'
import { haveSession } from '../support/sign-in.ts'

let given: WithProviders
let browser: Browser

beforeAll(async () => {
  ;[given, browser] = await Promise.all([startWithProviders(), openBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await given?.close()
})

const withPage = async (run: (opened: OpenPage) => Promise<void>, path = '/', options = {}): Promise<void> => {
  const opened = await openPage(browser, given.server.url, options)
  try {
    await opened.page.goto(path)
    await run(opened)
    expect(opened.complaints()).toEqual([])
  } finally {
    await opened.close()
  }
}
const goThrough = (page: Page, title: string) =>
  page.getByRole('link', { name: ui('features/auth:continueWith', { provider: title }) }).click()
const home = (page: Page) => page.getByRole('heading', { name: ui('features/home:title'), level: 1 })
const hasFocus = (element: Locator) => expect.poll(() => element.evaluate((one) => one === document.activeElement)).toBe(true)
const kept = (page: Page) => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie)

describe('signing in through a provider', () => {
  test('leads to the datasets, with a session that scripts cannot read and without a token', () =>
    withPage(async ({ page, context }) => {
      const seen: string[] = []
      page.on('response', async (response) => {
        if (response.url().includes('/api/')) seen.push(await response.text().catch(() => ''))
      })
      await goThrough(page, 'The Company')
      await sayWho(page, 'ann')
      await home(page).waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
      await page.getByRole('button', { name: ui('common:user.menu', { username: 'ann' }) }).waitFor()
      // The provider is on the same host, and a cookie knows no ports.
      const all = await context.cookies(given.server.url)
      const cookies = all.filter(({ name }) => /postil|oauth2/.test(name))
      expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([['postil_session', true, 'Lax']])
      expect(await kept(page)).not.toContain(cookies[0]?.value)
      expect(seen.join()).not.toContain('access_token')
      await page.goBack().catch(() => undefined)
      await expect.poll(() => page.url()).not.toContain('code=')
    }))

  test('remembers the wanted page on the way', () =>
    withPage(async ({ page }) => {
      await page.waitForURL('**/sign-in')
      await goThrough(page, 'Hugging Face')
      await sayWho(page, 'ann')
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
      await hasFocus(page.getByRole('textbox', { name: ui('features/administration:workspaces.name') }))
      await page.keyboard.type('ann')
      await page.keyboard.press('Enter')
      await home(page).waitFor()
    }, '/sign-in'))
})

describe('what goes wrong', () => {
  const problem = (page: Page) => page.locator('main [role=alert]')

  test('a refusal is told with a way back', () =>
    withPage(async ({ page }) => {
      await goThrough(page, 'The Company')
      await page.getByRole('button', { name: 'Deny' }).click()
      await expect.poll(() => problem(page).textContent()).toBe(ui('features/auth:problem.refused', { provider: 'The Company' }))
      await page.getByRole('link', { name: ui('features/auth:provider.again', { provider: 'The Company' }) }).click()
      await page.getByRole('button', { name: 'Deny' }).click()
      await page.getByRole('link', { name: ui('features/auth:link.usePassword') }).click()
      await page.getByLabel(ui('features/auth:username')).waitFor()
      expect(new URL(page.url()).search).toBe('?omitCTA=true')
    }))

  test('a name that a user here has is not taken over', () =>
    withPage(async ({ page }) => {
      await goThrough(page, 'The Company')
      await sayWho(page, 'owner')
      await expect.poll(() => problem(page).textContent()).toContain('There is an account with your name here already')
    }))

  test('a provider that is down, one that tells no name, one that does not exist', () =>
    withPage(async ({ page }) => {
      await goThrough(page, 'Closed for ever')
      await expect
        .poll(() => problem(page).textContent())
        .toBe(ui('features/auth:problem.unreachable', { provider: 'Closed for ever' }))
      await page.goto('/sign-in')
      await goThrough(page, 'The Company')
      await sayWho(page, 'nameless')
      await expect.poll(() => problem(page).textContent()).toContain('told no username')
      await page.goto('/oauth/nothing/callback?code=1&state=2')
      await expect.poll(() => problem(page).textContent()).toBe(ui('features/auth:problem.unknown_provider'))
    }))

  test('an answer to a sign-in that somebody else has begun signs nobody in', async () => {
    const begun = await fetch(`${given.server.url}/api/v1/oauth2/providers/company/authentication`, { redirect: 'manual' })
    const { search } = await signInAt(begun.headers.get('location') ?? '', 'ann')
    await withPage(async ({ page, context }) => {
      await expect.poll(() => problem(page).textContent()).toContain('took too long, or was begun in another window')
      expect(await context.cookies(given.server.url)).toEqual([])
    }, `/oauth/company/callback${search}`)
  })

  test('a return without an answer leads home', () =>
    withPage(async ({ page }) => {
      await page.waitForURL('**/sign-in')
    }, '/oauth/company/callback'))
})

test('a user links an account of a provider, signs in by it, and unlinks it again', () =>
  withPage(async ({ page, context }) => {
    await haveSession(page, given.server.url)
    await page.goto('/user-settings')
    await page.getByRole('link', { name: 'Link The Company' }).click()
    await sayWho(page, 'owner')
    await page.getByRole('button', { name: ui('features/profile:unlink', { provider: 'The Company' }) }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/user-settings')
    await context.clearCookies({ name: 'postil_session' })
    await page.goto('/sign-in')
    await goThrough(page, 'The Company')
    await page.getByRole('button', { name: ui('common:user.menu', { username: 'owner' }) }).waitFor()
    await page.goto('/user-settings')
    await page.getByRole('button', { name: ui('features/profile:unlink', { provider: 'The Company' }) }).waitFor()
    for (const theme of THEMES) {
      await wearTheme(page, theme)
      expect([theme, await violations(page)]).toEqual([theme, []])
    }
    await page.getByRole('button', { name: ui('features/profile:unlink', { provider: 'The Company' }) }).click()
    await page.getByRole('link', { name: 'Link The Company' }).waitFor()
    await context.clearCookies({ name: /^_/ })
    await page.getByRole('link', { name: 'Link The Company' }).click()
    await sayWho(page, 'ann')
    await page.getByText('is linked to another user here').waitFor()
    await page.getByRole('link', { name: ui('features/auth:provider.toSettings') }).click()
    await page.getByRole('heading', { name: ui('features/profile:title') }).waitFor()
  }))

test('owners see which providers there are', () =>
  withPage(async ({ page }) => {
    await haveSession(page, given.server.url)
    await page.goto('/administration')
    await page.getByRole('link', { name: ui('features/administration:section.providers'), exact: true }).click()
    await page.getByRole('list', { name: 'Sign-in 3' }).getByText('The Company').waitFor()
    expect(await page.getByRole('listitem').filter({ hasText: 'in the configuration' }).count()).toBe(3)
  }))

describe('the screens', () => {
  const screens = {
    'sign-in with providers': ['/sign-in', 'main li a'],
    'a refused return': ['/oauth/company/callback?error=access_denied', '[role=alert]:not(:empty)'],
  } as const

  test.each([1440, 390] as const)('have no violations at %i px in any theme and language', async (size) => {
    for (const language of ['en', 'de', 'es'] as const) {
      const { page, close } = await openPage(browser, given.server.url, { language, ...(size === 390 && PHONE) })
      for (const [name, [path, ready]] of Object.entries(screens)) {
        await page.goto(path)
        await page.locator(ready).first().waitFor()
        for (const theme of THEMES) {
          await wearTheme(page, theme)
          expect([name, theme, await violations(page)]).toEqual([name, theme, []])
        }
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
        expect([name, wider]).toEqual([name, 0])
      }
      await close()
    }
  })
})

describe('inside a hosted space', () => {
  let space: WithProviders
  let framing: Browser
  beforeAll(async () => {
    // A public page may show one of this machine in a frame only where somebody has allowed it: a hosted space is no such one.
    const flags = ['--disable-features=LocalNetworkAccessChecks']
    ;[space, framing] = await Promise.all([
      startWithProviders({ SPACE_ID: 'team/notes', USERNAME: 'ann' }),
      openBrowser({ flags }),
    ])
  })
  afterAll(async () => {
    await framing?.close()
    await space?.close()
  })

  /** The hub's page with the space in a frame; nobody else may show it. */
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

  test('the provider opens in a window of its own, and the frame is signed in', async () => {
    const { page, close } = await openPage(framing, space.server.url)
    const frame = await hub(page, 'huggingface.co')
    await frame.waitForURL('**/welcome-hf-sign-in')
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      frame.getByRole('link', { name: ui('features/auth:continueWith', { provider: 'Hugging Face' }) }).click(),
    ])
    const gone = popup.waitForEvent('close')
    await sayWho(popup, 'ann')
    await gone
    await frame.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
    await frame.getByRole('button', { name: ui('common:user.menu', { username: 'ann' }) }).waitFor()
    await frame.goto(`${space.server.url}/user-settings`)
    await frame.getByText(ui('common:user.role.owner')).first().waitFor()
    await close()
  })

  test('whoever works there is told that nothing is kept', async () => {
    const { page, close } = await openPage(framing, space.server.url)
    await haveSession(page, space.server.url)
    await page.goto('/')
    await page.getByText('This space has no persistent storage').waitFor()
    const settings = page.getByRole('link', { name: ui('features/home:storage.enable') })
    expect(await settings.getAttribute('href')).toBe('https://huggingface.co/spaces/team/notes/settings')
    expect(await violations(page)).toEqual([])
    await givenUser(space.server, 'zoe', 'annotator')
    await haveSession(page, space.server.url, 'zoe', PASSWORD)
    await page.goto('/')
    await page.getByText(ui('features/home:storage.ask')).waitFor()
    expect(await settings.count()).toBe(0)
    await close()
  })

  test('no other page may show it in a frame', async () => {
    const { page, close } = await openPage(framing, space.server.url)
    const frame = await hub(page, 'evil.example.org')
    await expect.poll(() => frame.url()).toBe('chrome-error://chromewebdata/')
    await close()
  })
})
