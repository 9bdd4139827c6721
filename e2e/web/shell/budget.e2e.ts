import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countTransfers, openBrowser, openPage, scriptBytes } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { givenAnnotation } from '../ground/annotation.ts'
import { givenDataset, givenWorkspace } from '../ground/given.ts'
import { haveSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

test('sign-in needs at most 125 kB of script on the wire until it is ready', async () => {
  const opened = await openPage(browser, server.url)
  // What idle time fetches ahead is no part of it, however late a busy machine notices that the form is there.
  await opened.page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  const transfers = await countTransfers(opened)
  await opened.page.goto('/sign-in')
  await opened.page.getByLabel(ui('features/administration:users.password')).waitFor()
  await expect.poll(() => scriptBytes(transfers())).toBeGreaterThan(50_000)
  expect(scriptBytes(transfers())).toBeLessThanOrEqual(125_000)
  await opened.close()
})

test('annotation needs at most 230 kB of script on the wire until it is ready', async () => {
  const id = await givenDataset(server, { name: 'reviews', workspaceId: await givenWorkspace(server, 'team'), records: 12 })
  const opened = await openPage(browser, server.url)
  await haveSession(opened.page, server.url)
  const transfers = await countTransfers(opened)
  await opened.page.goto(`/dataset/${id}/annotation-mode`)
  await opened.page.getByRole('button', { name: /Submit/ }).waitFor()
  await opened.page
    .getByText(/^Record \d+ of reviews$/)
    .first()
    .waitFor()
  await expect.poll(() => scriptBytes(transfers())).toBeGreaterThan(100_000)
  expect(scriptBytes(transfers())).toBeLessThanOrEqual(230_000)
  await opened.close()
})

test('the first record waits for no number format of the browser, and the numbers are there', async () => {
  const records = Array.from({ length: 1200 }, (_, i) => ({ fields: { text: `Record ${i}` } }))
  const id = await givenAnnotation(server, { name: 'many', workspaceId: await givenWorkspace(server, 'numbers'), records })
  const opened = await openPage(browser, server.url)
  await haveSession(opened.page, server.url)
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
  await opened.page.getByText('0.00%').first().waitFor()
  expect(await opened.page.evaluate(() => (window as unknown as { made: string[] }).made)).toEqual([])
  await opened.close()
})

test('every hashed file is kept for ever and arrives compressed', async () => {
  const opened = await openPage(browser, server.url)
  const seen: { readonly url: string; readonly cache: string | undefined; readonly encoding: string | undefined }[] = []
  opened.page.on('response', (response) => {
    const { 'cache-control': cache, 'content-encoding': encoding } = response.headers()
    if (response.url().includes('/assets/')) seen.push({ url: response.url(), cache, encoding })
  })
  await opened.page.goto('/sign-in')
  await opened.page.getByLabel(ui('features/administration:users.password')).waitFor()
  await expect.poll(() => seen.length).toBeGreaterThan(5)
  for (const { url, cache } of seen) expect(cache, url).toBe('public, max-age=31536000, immutable')
  // Chromium asks for brotli only where nobody can tamper with it on the way, and this machine counts as such.
  for (const { url, encoding } of seen.filter((file) => /(vendor|react|index)-.*\.js$/.test(file.url)))
    expect(encoding, url).toBe('br')
  await opened.close()
})
