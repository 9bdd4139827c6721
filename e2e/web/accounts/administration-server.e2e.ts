import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../harness/browser.ts'
import { OWNER, type RunningServer, startServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { asOwner, givenDataset, givenImport, givenUser, givenWorkspace, PASSWORD } from '../ground/given.ts'
import { haveSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser
let dataset = ''

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  dataset = await givenDataset(server, { name: 'letters', workspaceId: await givenWorkspace(server, 'team'), records: 3 })
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const signedIn = async (tab: string, username: string = OWNER.username) => {
  const opened = await openPage(browser, server.url)
  await haveSession(opened.page, server.url, username, username === OWNER.username ? OWNER.password : PASSWORD)
  await opened.page.clock.install()
  await opened.page.goto(`/administration?tab=${tab}`)
  return opened
}
/** The page looks again by itself: time goes on for it as long as it has to. */
const until = async (page: Page, isSo: () => Promise<boolean>): Promise<void> => {
  await expect
    .poll(async () => {
      await page.clock.runFor(1000)
      return isSo()
    })
    .toBe(true)
}
const row = (page: Page, text: string) => page.getByRole('region').getByRole('listitem').filter({ hasText: text })

test('jobs are listed while they happen, with why they do not go on, and are stopped', async () => {
  const { page, close, complaints } = await signedIn('jobs')
  await page.getByText('Nothing has been done lately').waitFor()
  // What starts elsewhere appears by itself.
  await givenImport(server, dataset, 'id,text\n1,hello\n2,\n')
  const file = row(page, 'rows.csv')
  await until(page, () => file.getByText(ui('features/jobs:status.finished')).isVisible())
  await expect
    .poll(() => file.innerText())
    .toMatch(/Import of a file\s+rows\.csv\s+letters\s+started by owner · .* · 2 rows · 1 left out/)
  // Nothing is where the hub should be.
  const mapping = { fields: [{ source: 'text', target: 'text' }] }
  await asOwner(server, 'POST', `/datasets/${dataset}/import`, {
    name: 'team/reviews',
    subset: 'default',
    split: 'train',
    mapping,
  })
  const hub = row(page, 'team/reviews')
  await until(page, () => hub.getByText(ui('features/jobs:status.scheduled')).isVisible())
  await page
    .getByRole('combobox', { name: ui('features/administration:jobs.which') })
    .selectOption(ui('features/administration:jobs.shown.goingOn'))
  await file.waitFor({ state: 'detached' })
  await hub.getByRole('button', { name: ui('features/jobs:stopThis', { title: 'Import from the hub' }) }).click()
  await page.getByText(ui('features/administration:jobs.noneOfThese')).waitFor()
  await page
    .getByRole('combobox', { name: ui('features/administration:jobs.which') })
    .selectOption(ui('features/administration:jobs.shown.all'))
  await until(page, () => hub.getByText(ui('features/jobs:status.stopped')).isVisible())
  await expect.poll(() => hub.getByRole('button').count()).toBe(0)
  await hub.getByRole('link', { name: 'letters' }).click()
  await page.waitForURL(`**/dataset/${dataset}/settings`)
  expect(complaints()).toEqual([])
  await close()
})

test('the server tells how it is, and that it does not answer', async () => {
  const { page, close } = await signedIn('instance')
  await page.getByText(ui('features/administration:instance.ready')).waitFor()
  const fact = (name: string) =>
    page
      .getByRole('region')
      .locator('dl > div')
      .filter({ hasText: new RegExp(`^${name}`) })
      .locator('dd')
  expect(await fact(ui('features/administration:instance.version')).innerText()).toMatch(/^Postil \d/)
  expect(await fact(ui('features/administration:instance.engine')).innerText()).toMatch(/^(SQLite|PostgreSQL) \d/)
  expect(await fact(ui('features/administration:instance.datasets')).innerText()).toBe('1')
  expect(await fact(ui('features/administration:instance.disk')).innerText()).toMatch(/ of .* free/)
  await fact(ui('features/administration:section.jobs'))
    .getByRole('link', { name: ui('features/administration:instance.seeJobs') })
    .click()
  await page.getByRole('heading', { level: 2, name: ui('features/administration:section.jobs') }).waitFor()
  await page.getByRole('link', { name: ui('features/administration:section.instance') }).click()
  await page.getByText(ui('features/administration:instance.ready')).waitFor()
  await page.context().setOffline(true)
  const silent = page.getByText(ui('features/administration:instance.away'))
  await until(page, () => silent.isVisible())
  await close()
})

test('nobody but owners is shown either', async () => {
  await givenUser(server, 'adam', 'admin')
  const { page, close } = await signedIn('jobs', 'adam')
  await page.getByRole('heading', { name: /could not be found|not found/i }).waitFor()
  await close()
})
