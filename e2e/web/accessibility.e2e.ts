import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage, PHONE, THEMES, violations, wearTheme } from '../harness/browser.ts'
import { type RunningServer, startServer } from '../harness/server.ts'
import { screens } from './support/screens.ts'
import { givenScreens, SIZES } from './support/visiting.ts'

let server: RunningServer
let browser: Browser
let show: Awaited<ReturnType<typeof givenScreens>>

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  show = await givenScreens(server)
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

test.each([1440, 390] as const)('no violations at %i px in any theme', async (size) => {
  const { page, close } = await openPage(browser, server.url, { theme: 'light', ...SIZES[size] })
  const found: { [screen: string]: readonly string[] } = {}
  for (const [name, screen] of Object.entries(screens)) {
    await show(page, screen)
    for (const theme of THEMES) {
      await wearTheme(page, theme)
      // A theme changes colours and nothing else.
      const all = await violations(page, theme === 'light' ? 'all' : 'colours')
      if (all.length > 0) found[`${name}, ${theme}`] = all
    }
  }
  expect(found).toEqual({})
  await close()
})

test('German fits on a phone', async () => {
  const { page, close } = await openPage(browser, server.url, { language: 'de', ...PHONE })
  await show(page, { path: '/', who: 'owner', ready: () => page.locator('main li a').first().waitFor() })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await close()
})
