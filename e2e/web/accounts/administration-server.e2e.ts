import { detail } from '@postil/testkit/detail.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../harness/browser.ts'
import { OWNER, type RunningServer, startServer } from '../../harness/server.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { callAsOwner, PASSWORD, seedDataset, seedImport, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { createSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser
let dataset = ''

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  dataset = await seedDataset(server, { name: 'letters', workspaceId: await seedWorkspace(server, 'team'), records: 3 })
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const signedIn = async (tab: string, username: string = OWNER.username) => {
  const opened = await openPage(browser, server.url)
  await createSession(opened.page, server.url, username, username === OWNER.username ? OWNER.password : PASSWORD)
  await opened.page.clock.install()
  await opened.page.goto(`/administration?tab=${tab}`)
  return opened
}
/** Advances the page's clock until the condition holds. This is needed because the page polls the server. */
const until = async (page: Page, isSo: () => Promise<boolean>): Promise<void> => {
  await expect
    .poll(async () => {
      await page.clock.runFor(1000)
      return isSo()
    })
    .toBe(true)
}
const row = (page: Page, text: string) => page.getByRole('region').getByRole('listitem').filter({ hasText: text })

test('jobs are listed live with the reason for a delay, and can be stopped', async () => {
  const { page, close, complaints } = await signedIn('jobs')
  await page.getByText(ui('features/administration:jobs.none')).waitFor()
  // A job that starts elsewhere appears automatically.
  await seedImport(server, dataset, 'id,text\n1,hello\n2,\n')
  const file = row(page, 'rows.csv')
  await until(page, () => file.getByText(ui('features/jobs:status.finished')).isVisible())
  await expect
    .poll(() => file.innerText())
    .toMatch(
      new RegExp(
        [
          ui('features/jobs:kind.importFile'),
          'rows\\.csv',
          'letters',
          [
            ui('features/administration:jobs.by', { username: OWNER.username }),
            '.*',
            ui('features/administration:jobs.imported', { count: 2 }),
            ui('features/administration:jobs.leftOut', { count: 1 }),
          ].join(' · '),
        ].join('\\s+'),
      ),
    )
  // There is no Hub at this address.
  const mapping = { fields: [{ source: 'text', target: 'text' }] }
  await callAsOwner(server, 'POST', `/datasets/${dataset}/import`, {
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
  await hub.getByRole('button', { name: ui('features/jobs:stopThis', { title: ui('features/jobs:kind.importHub') }) }).click()
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

detail('the server page shows its state, and reports when the server does not respond', async () => {
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
  expect(await fact(ui('features/administration:instance.disk')).innerText()).toMatch(
    uiPattern('features/administration:instance.diskFree', {}, { whole: false }),
  )
  await fact(ui('features/administration:instance.jobs'))
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

detail('no page but the members is shown to anyone but owners', async () => {
  await seedUser(server, 'adam', 'admin')
  const { page, close } = await signedIn('jobs', 'adam')
  await page.getByRole('heading', { name: ui('features/administration:section.members'), level: 1 }).waitFor()
  await close()
  await seedUser(server, 'anna', 'annotator')
  const other = await signedIn('jobs', 'anna')
  await other.page.getByRole('heading', { name: ui('common:error.notFound') }).waitFor()
  await other.close()
})
