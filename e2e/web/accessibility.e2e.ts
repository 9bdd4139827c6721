import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DESKTOP, openBrowser, openPage, PHONE, THEMES, violations, wearTheme } from '../harness/browser.ts'
import { OWNER, type RunningServer, startServer } from '../harness/server.ts'
import { givenEverything } from './support/everything.ts'
import { givenFilterable } from './support/filterable.ts'
import { asOwner, givenDataset, givenImport, givenUser, givenWorkspace, PASSWORD } from './support/given.ts'
import { IMPORTED, type Screen, screens } from './support/screens.ts'
import { haveSession } from './support/sign-in.ts'

let server: RunningServer
let browser: Browser
let everything = ''
let filterable = ''
let imported = ''

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  const team = await givenWorkspace(server, 'team')
  for (let number = 1; number <= 40; number += 1) {
    await givenDataset(server, {
      name: `reviews ${number}`,
      workspaceId: team,
      records: number === 7 ? 0 : number % 3,
      publish: number !== 7,
    })
  }
  everything = await givenEverything(server, team, 2)
  filterable = await givenFilterable(server, { name: 'filterable', workspaceId: team, vectors: ['v', 'w'] })
  imported = await givenDataset(server, { name: 'imported', workspaceId: team })
  await givenImport(server, imported, IMPORTED)
  await givenUser(server, 'nobody', 'annotator')
  // Nothing of the kind happens here, so nothing is sent.
  await asOwner(server, 'POST', '/webhooks', { url: 'http://127.0.0.1/hook', events: ['dataset.deleted'] })
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const enter = async (page: Page, who: Screen['who']): Promise<void> => {
  await page.context().setOffline(false)
  await page.context().clearCookies()
  if (who === 'owner') await haveSession(page, server.url, OWNER.username, OWNER.password)
  if (who === 'nobody') await haveSession(page, server.url, 'nobody', PASSWORD)
}

const sizes = { 1440: DESKTOP, 390: PHONE } as const

test.each([1440, 390] as const)('no violations at %i px in any theme', async (size) => {
  const { page, close } = await openPage(browser, server.url, { theme: 'light', ...sizes[size] })
  const found: { [screen: string]: readonly string[] } = {}
  for (const [name, { path, who, ready }] of Object.entries(screens)) {
    await enter(page, who)
    await wearTheme(page, 'light')
    // Also where only what is after the # differs the page is loaded anew.
    await page.goto('about:blank')
    await page.goto(path.replace(':everything', everything).replace(':filterable', filterable).replace(':imported', imported))
    await ready(page)
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
  await enter(page, 'owner')
  await page.goto('/')
  await page.locator('main li a').first().waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await close()
})
