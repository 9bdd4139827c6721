import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { serveTestPage } from '../support/test-page.ts'

let served: Awaited<ReturnType<typeof serveTestPage>>
let browser: Browser
beforeAll(async () => {
  ;[served, browser] = await Promise.all([serveTestPage('i18n/testing/late-page.tsx', 'Late texts'), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  served?.close()
})

type Asked = { readonly area: string; readonly name: string; readonly isNear: boolean }

test.each([
  ['immediately', 0, true],
  ['soon', 0, false],
  ['late', 100, false],
] as const)('a part whose translations arrive %s is shown and works once they are loaded', async (_, late, isNear) => {
  const { page, context, complaints, close } = await openPage(browser, served.url)
  await page.goto('/')
  await page.waitForFunction(() => 'showLate' in window)
  await context.route(/messages\.en-[\w-]+\.js$/, async (route) => {
    await pause(late)
    await route.continue()
  })
  for (const [area, name, words] of [
    ['features/home', 'title', ui('features/home:title')],
    ['features/guides', 'title', ui('features/guides:title')],
  ] as const) {
    await page.evaluate((asked) => (window as unknown as { showLate: (asked: Asked) => Promise<void> }).showLate(asked), {
      area,
      name,
      isNear,
    })
    await page.getByText(words, { exact: true }).waitFor()
  }
  expect(complaints()).toEqual([])
  await close()
})
