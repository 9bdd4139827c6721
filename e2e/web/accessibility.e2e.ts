import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DESKTOP, openBrowser, openPage, PHONE, THEMES, violations, wearTheme } from '../harness/browser.ts'
import { OWNER, type RunningServer, startServer } from '../harness/server.ts'
import { givenEverything } from './support/everything.ts'
import { givenDataset, givenUser, givenWorkspace, PASSWORD } from './support/given.ts'
import { haveSession } from './support/sign-in.ts'

let server: RunningServer
let browser: Browser
let everything = ''

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
  await givenUser(server, 'nobody', 'annotator')
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

type Screen = {
  readonly path: string
  readonly who?: 'owner' | 'nobody'
  readonly ready: (page: Page) => Promise<unknown>
}

const ANNOTATION = '/dataset/:everything/annotation-mode'
const annotating = (page: Page) => page.getByText('The committee met').first().waitFor()

const screens: { readonly [name: string]: Screen } = {
  'sign-in': { path: '/sign-in', ready: (page) => page.locator('input[name=password]').waitFor() },
  'sign-in, refused': {
    path: '/sign-in',
    ready: async (page) => {
      await page.locator('input[name=username]').fill('owner')
      await page.locator('input[name=password]').fill('wrong')
      await page.keyboard.press('Enter')
      await page.locator('[role=alert]', { hasText: /\S/ }).first().waitFor()
    },
  },
  'a used sign-in link': { path: '/sign-in#link=used', ready: (page) => page.locator('main a').waitFor() },
  home: { path: '/', who: 'owner', ready: (page) => page.locator('main li a').nth(40).waitFor({ state: 'attached' }) },
  'home, nothing found': { path: '/?search=zzz', who: 'owner', ready: (page) => page.locator('main h2').waitFor() },
  'home, no datasets': { path: '/', who: 'nobody', ready: (page) => page.locator('main h2').waitFor() },
  'the menu of the user': {
    path: '/',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main li a').first().waitFor()
      await page.locator('header button').last().click()
      await page.getByRole('menu').waitFor()
    },
  },
  'the menu of workspaces': {
    path: '/',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main button').first().click()
      await page.getByRole('menu').waitFor()
    },
  },
  offline: {
    path: '/',
    who: 'owner',
    ready: async (page) => {
      await page.locator('main li a').first().waitFor()
      await page.context().setOffline(true)
      await page.locator('[data-kind=danger]').waitFor()
    },
  },
  annotation: { path: ANNOTATION, who: 'owner', ready: (page) => annotating(page) },
  'annotation, the menu of a record': {
    path: ANNOTATION,
    who: 'owner',
    ready: async (page) => {
      await annotating(page)
      await page.locator('main button[aria-haspopup=menu]').last().click()
      await page.getByRole('menu').waitFor()
    },
  },
  'annotation, no record': {
    path: `${ANNOTATION}?status=discarded`,
    who: 'owner',
    ready: (page) => page.locator('main h2').first().waitFor(),
  },
  'my settings': { path: '/user-settings', who: 'owner', ready: (page) => page.locator('main li a').first().waitFor() },
  'not found': { path: '/nothing', who: 'owner', ready: (page) => page.locator('h1').waitFor() },
}

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
    await page.goto(path.replace(':everything', everything))
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
