import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations, openBrowser, openPage } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { seedUser } from '../fixtures/seed.ts'

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

test('a configured demo is offered, opened with one click, and leads to the guides', async () => {
  const { page, complaints, close } = await openPage(browser, server.url)
  await page.goto('/sign-in')
  await page.getByText('you work as guest').waitFor()
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
  await page.getByText('This is the account of the demo, which all its visitors share.').waitFor()
  await page.getByRole('heading', { name: ui('features/guides:keys.title') }).waitFor()
  const offered = page.getByRole('button', { name: /Make a new key|Change the password|Sign out|Log out everywhere/ })
  expect([await offered.count(), await page.getByRole('heading', { name: /API key|Password|step|signed in/ }).count()]).toEqual([
    0, 0,
  ])
  expect(await findViolations(page)).toEqual([])
  expect(complaints()).toEqual([])
  await close()
})
