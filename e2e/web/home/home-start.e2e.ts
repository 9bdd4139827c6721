import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations, openBrowser, openPage, PHONE } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { callAsOwner, PASSWORD, seedDataset, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { startDataset } from '../support/creation-form.ts'
import { createSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  const arts = await seedWorkspace(server, 'arts')
  await seedDataset(server, { name: 'first', workspaceId: arts, records: 2 })
  await seedDataset(server, { name: 'second', workspaceId: arts, records: 1 })
  await seedUser(server, 'ann', 'annotator', [arts])
  await seedUser(server, 'adam', 'admin', [arts])
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const atHome = async (path = '/', username?: string, options = {}) => {
  const opened = await openPage(browser, server.url, options)
  await (username ? createSession(opened.page, server.url, username, PASSWORD) : createSession(opened.page, server.url))
  await opened.page.goto(path)
  await opened.page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
  return opened
}

const sidebar = (page: Page) => page.getByRole('complementary', { name: ui('features/home:sidebar') })
const names = (page: Page): Promise<string[]> => page.locator('main li a').allTextContents()
const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
/** How far the content extends beyond the width of the screen. */
const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

describe('ways to create a dataset', () => {
  test('are in a menu, and next to the list', async () => {
    const { page, close, complaints } = await atHome('/', 'adam', { permissions: ['clipboard-read', 'clipboard-write'] })
    await startDataset(page, 'python')
    await page.getByRole('button', { name: ui('common:action.copy') }).click()
    const { items } = await callAsOwner<{ items: { username: string; api_key: string }[] }>(server, 'GET', '/users')
    const apiKey = items.find(({ username }) => username === 'adam')?.api_key
    await expect.poll(() => copied(page)).toContain(`api_key="${apiKey}"`)
    expect(await copied(page)).toContain('workspace="arts"')
    await page.keyboard.press('Escape')
    const aside = sidebar(page)
    await aside.getByRole('textbox', { name: ui('features/hub:start.label') }).waitFor()
    await aside.getByRole('link', { name: ui('features/guides:queue.title') }).waitFor()
    const example = aside.getByRole('button', { name: ui('features/examples:openShort') }).first()
    await example.waitFor()
    expect(await findViolations(page)).toEqual([])
    await startDataset(page, 'hub')
    const input = page.getByRole('textbox', { name: ui('features/hub:start.label') })
    await expect.poll(() => input.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.goBack()
    await example.click()
    await page.waitForURL(/annotation-mode/, { timeout: 120_000 })
    expect(complaints()).toEqual([])
    await close()
  })

  test('come after the list on a phone', async () => {
    const { page, close } = await atHome('/', undefined, PHONE)
    await expect.poll(() => names(page)).toEqual(expect.arrayContaining(['first', 'second']))
    await sidebar(page)
      .getByRole('button', { name: ui('features/examples:openShort') })
      .first()
      .waitFor()
    const list = await page.getByRole('main').boundingBox()
    const box = await sidebar(page).boundingBox()
    expect(box?.y).toBeGreaterThanOrEqual((list?.y ?? 0) + (list?.height ?? 0))
    await expect.poll(() => sideways(page)).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await close()
  })

  test('are not shown to annotators, whose sidebar leads to the guides', async () => {
    const { page, close } = await atHome('/', 'ann')
    await expect.poll(() => names(page)).toEqual(expect.arrayContaining(['first', 'second']))
    await sidebar(page)
      .getByRole('link', { name: ui('features/guides:keys.title') })
      .waitFor()
    expect(await page.getByRole('button', { name: ui('features/home:newDataset') }).count()).toBe(0)
    expect(await sidebar(page).getByRole('textbox').count()).toBe(0)
    await sidebar(page)
      .getByRole('link', { name: ui('features/guides:keys.title') })
      .click()
    await expect.poll(() => page.url()).toMatch(/\/guides#keys$/)
    await expect
      .poll(() => page.locator('#keys').evaluate((heading) => heading.getBoundingClientRect().top < window.innerHeight))
      .toBe(true)
    await close()
  })
})

describe('the code in the guides', () => {
  test.each([
    ['ann', false],
    ['adam', true],
  ])('as %s, has the key only if they can create datasets', async (username, hasKey) => {
    const { page, close } = await atHome('/', username, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto('/guides')
    const { items } = await callAsOwner<{ items: { username: string; api_key: string }[] }>(server, 'GET', '/users')
    const apiKey = items.find((user) => user.username === username)?.api_key ?? ''
    const copyButtons = page.getByRole('button', { name: ui('common:action.copy') })
    await copyButtons.first().click()
    await expect.poll(() => copied(page)).toContain(`api_url="${server.url}"`)
    expect((await copied(page)).includes(apiKey)).toBe(hasKey)
    // Only users who can create datasets see the code that logs data from the Hub.
    expect(await page.getByText('load_dataset').count()).toBe(hasKey ? 1 : 0)
    if (hasKey) {
      await copyButtons.last().click()
      await expect.poll(() => copied(page)).toContain('load_dataset(')
      expect(await copied(page)).toContain(`api_key="${apiKey}"`)
    }
    expect(await page.getByText(ui('features/guides:python.copied')).count()).toBe(hasKey ? 1 : 0)
    await close()
  })
})

test('the documentation opens from the account menu, links its pages, and names the API reference', async () => {
  const { page, close, complaints } = await atHome('/', 'ann')
  await page.getByRole('button', { name: uiPattern('common:user.menu') }).click()
  await page.getByRole('menuitem', { name: ui('common:user.docs') }).click()
  const api = page.getByRole('link', { name: ui('features/guides:docs.api') })
  expect(await api.getAttribute('href')).toBe('/api/v1/docs')
  await page.getByRole('link', { name: ui('features/guides:docs.page.wire-differences') }).click()
  await page.locator('article').getByRole('heading', { level: 3 }).first().waitFor()
  // Links between files lead to other pages of the web app.
  const link = page.locator('article a[href$="/guides/wire-additions"]').first()
  await link.waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(complaints()).toEqual([])
  await page.goto('/guides/no-such-page')
  await page.getByRole('heading', { name: ui('common:error.notFound') }).waitFor()
  await close()
})

describe('first steps', () => {
  test('give an owner without datasets working code, with a key that only the copy contains', async () => {
    const empty = await startServer()
    const opened = await openPage(browser, empty.url, { permissions: ['clipboard-read', 'clipboard-write'] })
    await createSession(opened.page, empty.url)
    await opened.page.goto('/')
    await opened.page.getByRole('heading', { name: ui('features/home:none') }).waitFor()
    const example = opened.page
      .getByRole('listitem')
      .filter({ has: opened.page.getByRole('heading', { name: ui('features/examples:title.support') }) })
    await example.getByRole('button', { name: ui('features/examples:open') }).waitFor()
    expect(await opened.page.locator('pre').textContent()).not.toContain(empty.apiKey)
    await opened.page.getByRole('button', { name: ui('common:action.copy') }).click()
    await expect.poll(() => copied(opened.page)).toContain(`api_url="${empty.url}", api_key="${empty.apiKey}"`)
    await opened.close()
    await empty.stop()
  })
})
