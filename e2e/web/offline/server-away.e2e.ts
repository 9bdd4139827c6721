import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { answers, left, openAnnotation } from '../support/annotation.ts'
import { onDisk } from '../support/device.ts'
import { givenDataset } from '../support/given.ts'
import { haveSession } from '../support/sign-in.ts'
import { setUpTeam } from '../support/team.ts'
import { withoutTimers } from '../support/timers.ts'

const team = setUpTeam()
const SERVER = '**/api/v1/**'

test('a page that was loaded while the server was away comes by itself when it is back, and what was answered is sent', async () => {
  const id = await givenDataset(team.server, { name: 'away', workspaceId: team.workspaceId, records: 3 })
  const { page, context, close } = await openPage(team.browser, team.server.url)
  await haveSession(page, team.server.url)
  await openAnnotation(page, id)
  await context.route(SERVER, (route) => route.abort())
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await left(page, '2 left')
  await page.locator('header').getByText('1 answer is not sent yet').waitFor()
  await onDisk(page, 1)
  await page.reload()
  await page.getByRole('heading', { name: "This page can't be loaded now" }).waitFor()
  await page.getByText('1 answer is not sent yet').waitFor()
  // For longer than until the first question whether it is there.
  await page.waitForRequest('**/api/v1/version')
  await page.getByRole('heading', { name: "This page can't be loaded now" }).waitFor()
  expect((await answers(team.server, id)).size).toBe(0)
  await context.unroute(SERVER)
  await left(page, '2 left')
  await expect.poll(async () => (await answers(team.server, id)).size).toBe(1)
  await close()
})

test('who comes back to such a page is not left waiting', async () => {
  const { page, context, close } = await openPage(team.browser, team.server.url)
  await haveSession(page, team.server.url)
  // The page asks by itself, too, first after three seconds: here it never does.
  await withoutTimers(page, 3000)
  await context.route(SERVER, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
  await page.goto('/')
  await page.getByRole('heading', { name: /^502 / }).waitFor()
  await context.unroute(SERVER)
  await page.waitForTimeout(3500)
  expect(await page.getByRole('heading', { name: /^502 / }).count()).toBe(1)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await page.getByRole('heading', { name: 'Your datasets' }).waitFor()
  await close()
})
