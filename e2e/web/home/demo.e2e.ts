import { detail } from '@postil/testkit/detail.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { findViolations, openBrowser, openPage } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { seedUser } from '../fixtures/seed.ts'
import { createSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer({ env: { POSTIL_DEMO_USER: 'guest' } }), openBrowser()])
  await seedUser(server, 'guest', 'annotator', [])
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

detail('a configured demo is offered, opened with one click, and leads to the guides', async () => {
  const { page, complaints, close } = await openPage(browser, server.url)
  await page.goto('/sign-in')
  await page.getByText(ui('features/auth:demo.hint', { username: 'guest' })).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: ui('features/auth:demo.enter') }).click()
  await page.getByRole('button', { name: /guest/ }).waitFor()
  await page
    .getByRole('main')
    .getByRole('link', { name: ui('common:nav.guides') })
    .click()
  await page.getByRole('heading', { name: ui('features/guides:queue.title') }).waitFor()
  await page
    .getByRole('navigation')
    .getByRole('link', { name: ui('features/guides:keys.title') })
    .click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('keys')
  // A visitor can't change what all visitors share.
  await page.goto('/user-settings')
  await page.getByText(ui('features/profile:shared')).waitFor()
  await page.getByRole('heading', { name: ui('features/profile:keys.title') }).waitFor()
  const offered = [
    ...(['newKey', 'passwordChange', 'sessions'] as const).map((key) => ui(`features/profile:${key}`)),
    uiPattern('features/profile:sessionEndOf'),
  ]
  const titles = [
    ...(['key', 'password', 'sessionsList'] as const).map((key) => ui(`features/profile:${key}`)),
    ui('features/second-factor:title'),
  ]
  const absent = [
    ...offered.map((name) => page.getByRole('button', { name })),
    ...titles.map((name) => page.getByRole('heading', { name, exact: true })),
  ]
  expect(await Promise.all(absent.map((control) => control.count()))).toEqual(absent.map(() => 0))
  expect(await findViolations(page)).toEqual([])
  expect(complaints()).toEqual([])
  await close()
})

detail('the home page of other users leads to the demo', async () => {
  const { page, complaints, close } = await openPage(browser, server.url)
  await createSession(page, server.url)
  await page.goto('/')
  await page.getByText(ui('features/home:demo.hint', { username: 'guest' })).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: ui('features/home:demo.enter') }).click()
  await page.getByRole('button', { name: ui('features/auth:demo.enter') }).click()
  await page.getByRole('button', { name: /guest/ }).waitFor()
  await page
    .getByRole('complementary')
    .getByRole('link', { name: ui('features/guides:docs.title') })
    .waitFor()
  expect(await page.getByRole('button', { name: ui('features/home:demo.enter') }).count()).toBe(0)
  expect(complaints()).toEqual([])
  await close()
})
