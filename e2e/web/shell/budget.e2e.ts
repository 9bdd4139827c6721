import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countTransfers, openBrowser, openPage, scriptBytes } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { actionButton, seedAnnotationDataset } from '../fixtures/annotation.ts'
import { seedDataset, seedWorkspace } from '../fixtures/seed.ts'
import { createSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

/**
 * Prevents the page from loading files when it is idle, because such files are not part of the budgets. On a busy machine, they
 * could load before a test notices that the page is ready.
 */
const withoutIdleLoads = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
    window.requestIdleCallback = () => 0
  })
}

test('sign-in needs at most 124 kB of compressed script until it is ready', async () => {
  const opened = await openPage(browser, server.url, { isNew: true })
  await withoutIdleLoads(opened.page)
  const transfers = await countTransfers(opened)
  await opened.page.goto('/sign-in')
  await opened.page.getByLabel(ui('features/auth:password')).waitFor()
  await expect.poll(() => scriptBytes(transfers())).toBeGreaterThan(50_000)
  expect(scriptBytes(transfers())).toBeLessThanOrEqual(124_000)
  await opened.close()
})

test('annotation needs at most 190 kB of compressed script until it is ready', async () => {
  const id = await seedDataset(server, { name: 'reviews', workspaceId: await seedWorkspace(server, 'team'), records: 12 })
  const opened = await openPage(browser, server.url, { isNew: true })
  await createSession(opened.page, server.url)
  await withoutIdleLoads(opened.page)
  const transfers = await countTransfers(opened)
  await opened.page.goto(`/dataset/${id}/annotation-mode`)
  await actionButton(opened.page, 'submit').waitFor()
  await opened.page
    .getByText(/^Record \d+ of reviews$/)
    .first()
    .waitFor()
  await expect.poll(() => scriptBytes(transfers())).toBeGreaterThan(100_000)
  expect(scriptBytes(transfers())).toBeLessThanOrEqual(190_000)
  await opened.close()
})

test("the parts of a dataset's question types are requested before the web app knows the types", async () => {
  const id = await seedAnnotationDataset(server, {
    name: 'parts',
    workspaceId: await seedWorkspace(server, 'parts'),
    records: [{ fields: { text: 'A text' } }],
  })
  const opened = await openPage(browser, server.url, { isNew: true })
  await createSession(opened.page, server.url)
  // The boot script prefetches only if the user was signed in on the last visit.
  await opened.page.addInitScript(() => localStorage.setItem('postil', JSON.stringify({ signedIn: true })))
  // Without these files, the web app never starts.
  await opened.page.route(/\/assets\/(index|annotate)-/, (route) => route.abort())
  const requested: string[] = []
  opened.page.on('request', (request) => requested.push(request.url()))
  await opened.page.goto(`/dataset/${id}/annotation-mode`)
  await expect.poll(() => requested.some((url) => /\/assets\/spans-[^/]*\.js$/.test(url))).toBe(true)
  expect(requested.filter((url) => /\/assets\/Trace-/.test(url))).toEqual([])
  await opened.close()
})

test("the first record does not wait for the browser's number formats, and its numbers are shown", async () => {
  const records = Array.from({ length: 1200 }, (_, i) => ({ fields: { text: `Record ${i}` } }))
  const id = await seedAnnotationDataset(server, { name: 'many', workspaceId: await seedWorkspace(server, 'numbers'), records })
  const opened = await openPage(browser, server.url, { isNew: true })
  await createSession(opened.page, server.url)
  await opened.page.addInitScript(() => {
    const made: string[] = []
    const NumberFormat = new Proxy(Intl.NumberFormat, {
      construct: (real, given) => {
        made.push(JSON.stringify(given))
        return Reflect.construct(real, given)
      },
    })
    Object.assign(Intl, { NumberFormat })
    Object.assign(window, { made })
  })
  await opened.page.goto(`/dataset/${id}/annotation-mode`)
  await opened.page.getByText('1,200').first().waitFor()
  const progress = ui('common:progress.complete', { completed: '0', total: '1,200' })
  await opened.page.getByText(ui('features/annotate:progress.share', { progress })).first().waitFor()
  expect(await opened.page.evaluate(() => (window as unknown as { made: string[] }).made)).toEqual([])
  await opened.close()
})

test('every hashed file is cached permanently and arrives compressed', async () => {
  const opened = await openPage(browser, server.url, { isNew: true })
  const seen: { readonly url: string; readonly cache: string | undefined; readonly encoding: string | undefined }[] = []
  opened.page.on('response', (response) => {
    const { 'cache-control': cache, 'content-encoding': encoding } = response.headers()
    if (response.url().includes('/assets/')) seen.push({ url: response.url(), cache, encoding })
  })
  await opened.page.goto('/sign-in')
  await opened.page.getByLabel(ui('features/auth:password')).waitFor()
  await expect.poll(() => seen.length).toBeGreaterThan(5)
  for (const { url, cache } of seen) expect(cache, url).toBe('public, max-age=31536000, immutable')
  // Chromium requests Brotli only over secure connections, which include localhost.
  for (const { url, encoding } of seen.filter((file) => /(vendor|react|index)-.*\.js$/.test(file.url)))
    expect(encoding, url).toBe('br')
  await opened.close()
})
