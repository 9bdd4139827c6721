import { detail } from '@postil/testkit/detail.ts'
import { variants } from '@postil/testkit/run-size.ts'
import type { Browser, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations, type OpenPage, openBrowser, openPage, PHONE } from '../../harness/browser.ts'
import { OWNER, type RunningServer, startServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, seedDataset, seedWorkspace } from '../fixtures/seed.ts'
import { preventReload } from '../support/prevent-reload.ts'
import { createSession } from '../support/sign-in.ts'
import { disableTimers } from '../support/timers.ts'

let server: RunningServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const signedIn = async (path: string, options = {}): Promise<OpenPage> => {
  const opened = await openPage(browser, server.url, options)
  await createSession(opened.page, server.url)
  await opened.page.goto(path)
  await opened.page.locator('#main').waitFor()
  return opened
}

const NOT_FOUND = `404 ${ui('common:error.notFound')}`
const menuButton = (page: OpenPage['page']) =>
  page.getByRole('button', { name: ui('common:user.menu', { username: OWNER.username }) })

describe('themes', () => {
  test('are chosen in the user menu, stored, and applied before the first paint', async () => {
    const { page, close } = await signedIn('/')
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    expect(await theme()).toBe('system')
    const light = await paper()
    await menuButton(page).click()
    await page.getByRole('menuitemradio', { name: ui('common:user.themes.dark') }).click()
    await expect.poll(theme).toBe('dark')
    await expect.poll(paper).not.toBe(light)
    await page.addInitScript(() => {
      new MutationObserver((_records, observer) => {
        if (!document.body) return
        observer.disconnect()
        Object.assign(window, { themeAtBody: document.documentElement.dataset.theme })
      }).observe(document, { childList: true, subtree: true })
    })
    await page.reload()
    await page.locator('#main').waitFor()
    expect(await page.evaluate(() => (window as { themeAtBody?: string }).themeAtBody)).toBe('dark')
    await close()
  })

  detail('follow the system until one is chosen', async () => {
    const { page, close } = await signedIn('/', { colorScheme: 'dark' })
    const lightness = () =>
      page.evaluate(() => {
        const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
        if (!context) return -1
        context.fillStyle = getComputedStyle(document.documentElement).backgroundColor
        context.fillRect(0, 0, 1, 1)
        return context.getImageData(0, 0, 1, 1).data[1] ?? -1
      })
    await expect.poll(lightness).toBeLessThan(60)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(lightness).toBeGreaterThan(200)
    await close()
  })
})

detail('a page whose code loads slowly shows a placeholder in the frame until it is loaded', async () => {
  const { page, context, complaints, close } = await signedIn('/')
  let goOn = () => {}
  const held = new Promise<void>((done) => {
    goOn = done
  })
  await context.route(/\/AdministrationPage-[\w-]+\.js$/, async (route) => {
    await held
    await route.continue()
  })
  await menuButton(page).click()
  await page.getByRole('menuitem', { name: ui('common:user.administration') }).click()
  await page.locator('#main').waitFor({ state: 'hidden' })
  const holder = page.locator('[aria-busy=true] > [aria-hidden]').first()
  await holder.waitFor()
  expect(await page.getByRole('banner').isVisible()).toBe(true)
  goOn()
  await page.getByRole('heading', { name: ui('features/administration:title'), level: 1 }).waitFor()
  await expect.poll(() => holder.count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  expect(complaints()).toEqual([])
  await close()
})

detail.each(
  variants(1, [
    ['on a desktop', {}],
    ['on a phone', PHONE],
  ] as const),
)('the user menu shows all its entries, %s', async (_, size) => {
  const { page, close } = await signedIn('/', size)
  await menuButton(page).click()
  await page.getByRole('menuitem', { name: ui('common:user.signOut') }).waitFor()
  const { version } = await callAsOwner<{ version: string }>(server, 'GET', '/instance')
  await page.getByRole('menu').getByText(`Postil ${version}`, { exact: true }).waitFor()
  const hidden = () => page.getByRole('menu').evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
  await expect.poll(hidden).toBe(0)
  await close()
})

describe('languages', () => {
  test('are chosen in the menu and applied immediately and permanently, with <html lang>', async () => {
    const { page, close } = await signedIn('/')
    await menuButton(page).click()
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: ui('features/home:title', {}, 'de') }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
    await expect.poll(() => page.title()).toBe(`${ui('features/home:title', {}, 'de')} · Postil`)
    await page.reload()
    await page.getByRole('heading', { name: ui('features/home:title', {}, 'de') }).waitFor()
    await close()
  })

  detail('chosen in another tab are adopted', async () => {
    const { page, context, close } = await signedIn('/')
    const other = await context.newPage()
    await other.goto('/')
    await menuButton(other).click()
    await other.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: ui('features/home:title', {}, 'de') }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
    await close()
  })

  detail('whose texts fail to load are reported once, and nothing else changes', async () => {
    const { page, context, close } = await signedIn('/')
    await preventReload(page)
    await menuButton(page).click()
    await context.route(/[.-]de-[\w-]+\.js$/, (route) => route.abort())
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click()
    const updateNotice = page
      .getByRole('region', { name: ui('common:toast.region') })
      .getByText(ui('common:validations.http.unreachable.message'))
    await expect.poll(() => updateNotice.count()).toBe(1)
    await page.getByRole('heading', { name: ui('features/home:title'), includeHidden: true }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
    await close()
  })

  detail('fall back from a region to its language, and from an unknown language to English', async () => {
    const german = await signedIn('/', { language: 'de-AT' })
    await german.page.getByRole('heading', { name: ui('features/home:title', {}, 'de') }).waitFor()
    await german.close()
    const unknown = await signedIn('/', { language: 'xx' })
    await unknown.page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
    await unknown.close()
  })
})

describe('missing pages and errors', () => {
  test.each(variants(1, ['/nothing', '/dataset', '/a/b/c', '/%E0%A4%A']))('%s is the 404 page with a link home', async (path) => {
    const { page, close } = await signedIn(path)
    await page.getByRole('heading', { name: NOT_FOUND }).waitFor()
    await page.getByText(ui('common:error.cantFind')).waitFor()
    await expect.poll(() => page.title()).toBe(`${NOT_FOUND} · Postil`)
    await page.getByRole('link', { name: ui('common:error.backHome') }).click()
    await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
    await close()
  })

  test.each(variants(1, ['nothing', '00000000-0000-7000-8000-000000000000']))(
    'a dataset %s is also the 404 page once the first requests for it are answered',
    async (id) => {
      const opened = await openPage(browser, server.url)
      await createSession(opened.page, server.url)
      // Disables the timeout for the first record. When this timeout ends, the page renders the screen without the record, and
      // the screen sends its own requests.
      await disableTimers(opened.page, 150, 150)
      const asked: string[] = []
      opened.page.on('request', (request) => asked.push(request.url()))
      await opened.page.goto(`/dataset/${id}/annotation-mode`)
      await opened.page.getByRole('heading', { name: NOT_FOUND }).waitFor()
      await opened.page.waitForLoadState('networkidle')
      const about = asked.filter((url) => url.includes('/api/') && url.includes(id)).map((url) => url.replace(/^.*\/|\?.*$/g, ''))
      // Ignores repetitions. The page may send a request twice, depending on when the response arrives.
      expect([...new Set(about)].sort()).toEqual(['annotation', 'queue'])
      await opened.close()
    },
  )

  detail('an unexpected error shows the error page', async () => {
    const opened = await openPage(browser, server.url)
    await createSession(opened.page, server.url)
    await opened.page.route('**/api/v1/me', (route) => route.fulfill({ status: 500, json: { detail: 'x' } }))
    await opened.page.goto('/')
    await opened.page.getByRole('heading', { name: `500 ${ui('common:validations.http.500.message')}` }).waitFor()
    await opened.page.unroute('**/api/v1/me')
    await opened.page.getByRole('button', { name: ui('common:error.tryAgain') }).click()
    await opened.page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
    await opened.close()
  })
})

detail('an error shows a code for support', async () => {
  // The dataset exists, so that no request fails with another error.
  const id = await seedDataset(server, { name: 'moved', workspaceId: await seedWorkspace(server, 'movers'), records: 1 })
  const { page, close } = await signedIn('/')
  const refuse = (route: Route) => route.fulfill({ status: 418, json: { detail: 'The store is being moved' } })
  // The dataset is requested separately after the combined request is rejected.
  for (const address of ['**/api/v1/datasets/*', '**/api/v1/me/datasets/*/annotation']) await page.route(address, refuse)
  await page.goto(`/dataset/${id}/annotation-mode`)
  await page.getByRole('heading', { name: '418 The store is being moved' }).waitFor()
  await page.getByText('ERROR_FETCHING_DATASET_INFO', { exact: true }).waitFor()
  expect(await findViolations(page, 'all')).toEqual([])
  await close()
})

describe('the connection', () => {
  detail('going offline and coming back is shown and announced', async () => {
    const { page, context, close } = await signedIn('/')
    // A request that fails offline would replace the announcement.
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    const notifications = page.getByRole('region', { name: ui('common:toast.region') })
    // Checked first, because announcements are removed after a few seconds.
    await expect
      .poll(() => page.locator('.visually-hidden[aria-live][role=alert]').textContent())
      .toBe(ui('common:connection.offline'))
    await notifications.getByText(ui('common:connection.offline')).waitFor()
    await context.setOffline(false)
    await notifications.getByText(ui('common:connection.online')).waitFor()
    await expect.poll(() => notifications.getByText(ui('common:connection.offline')).count()).toBe(0)
    await close()
  })
})

describe('moving between pages', () => {
  test('focuses the new page and announces its title', async () => {
    const { page, close } = await signedIn('/nothing')
    await page.getByRole('link', { name: ui('common:error.backHome') }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
    await expect
      .poll(() => page.locator('.visually-hidden[aria-live][role=status]').textContent())
      .toBe(`${ui('features/home:title')} · Postil`)
    await close()
  })
})

describe('below a prefix', () => {
  test('files, routes, API and the return after sign-in all work', async () => {
    const prefixed = await startServer({ env: { POSTIL_BASE_URL: '/notes/' } })
    const origin = new URL(prefixed.url).origin
    const opened = await openPage(browser, origin)
    await opened.page.goto('/notes/?workspaces=default')
    await opened.page.waitForURL('**/notes/sign-in')
    await opened.page.getByLabel(ui('features/auth:username')).fill(OWNER.username)
    await opened.page.getByLabel(ui('features/auth:password')).fill(OWNER.password)
    await opened.page.keyboard.press('Enter')
    await opened.page.waitForURL('**/notes/?workspaces=default')
    await opened.page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
    await opened.page.goto('/notes/deep/down/there')
    await opened.page.getByRole('heading', { name: /404/ }).waitFor()
    expect(opened.complaints()).toEqual([])
    await opened.close()
    await prefixed.stop()
  })
})

describe('my settings', () => {
  test("show the user's data, hide the key until it is requested, and link to the workspaces", async () => {
    const { page, close, complaints } = await signedIn('/', { permissions: ['clipboard-read', 'clipboard-write'] })
    await menuButton(page).click()
    await page.getByRole('menuitem', { name: ui('common:user.settings') }).click()
    await page.waitForURL((url) => url.pathname === '/user-settings')
    const main = page.locator('#main')
    await main.getByRole('heading', { name: ui('features/profile:title') }).waitFor()
    await expect.poll(() => main.innerText()).toContain(ui('common:user.role.owner'))
    expect(await main.innerText()).not.toContain(OWNER.apiKey)
    await main.getByRole('button', { name: ui('features/profile:copyKey') }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(OWNER.apiKey)
    await main.getByRole('button', { name: ui('features/profile:showKey'), exact: true }).click()
    await expect.poll(() => main.innerText()).toContain(OWNER.apiKey)
    await main.getByRole('button', { name: ui('features/profile:hideKey') }).click()
    await expect.poll(() => main.innerText()).not.toContain(OWNER.apiKey)
    await main.getByRole('link', { name: 'default' }).click()
    await page.waitForURL((url) => url.pathname === '/' && url.search.includes('default'))
    expect(complaints()).toEqual([])
    await close()
  })

  detail('change the theme and the language of this browser', async () => {
    const { page, close } = await signedIn('/user-settings')
    await page
      .getByRole('combobox', { name: ui('common:user.theme') })
      .selectOption({ label: ui('common:user.themes.high-contrast') })
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
    await expect.poll(theme).toBe('high-contrast')
    await page.getByRole('combobox', { name: ui('common:user.language') }).selectOption({ label: 'Deutsch' })
    await page.getByRole('heading', { name: ui('features/profile:title', {}, 'de') }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: ui('features/profile:title', {}, 'de') }).waitFor()
    await expect.poll(theme).toBe('high-contrast')
    await close()
  })
})
