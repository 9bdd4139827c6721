import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../harness/browser.ts'
import { OWNER, type RunningServer, startServer } from '../../harness/server.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { callAsOwner, seedDataset, seedWorkspace } from '../fixtures/seed.ts'
import { createSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser
let receiver: Server
let url = ''
let status = 200
const received: string[] = []

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      received.push((JSON.parse(body) as { type: string }).type)
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  ;[server, browser] = await Promise.all([startServer({ env: { POSTIL_WEBHOOKS_ALLOW_PRIVATE: 'true' } }), openBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  receiver?.close()
})

const expectNotice = (page: Page, text: string) =>
  page
    .getByRole('region', { name: ui('common:toast.region') })
    .getByText(text)
    .waitFor()
/** Matches a delivery in the log: its status, then these facts in this order. */
const became = (status: 'delivered' | 'given_up', ...facts: readonly string[]): RegExp =>
  new RegExp([ui(`features/administration:webhooks.status.${status}`), ...facts].join('[\\s\\S]*'))
const webhooks = async () =>
  (await callAsOwner<{ items: { secret: string; enabled: boolean; url: string }[] }>(server, 'GET', '/webhooks')).items

test('a webhook is added, tested, and shows the result of its deliveries', async () => {
  const { page, close, complaints } = await openPage(browser, server.url)
  await createSession(page, server.url, OWNER.username, OWNER.password)
  await page.goto('/administration?tab=webhooks')
  await page.getByText(ui('features/administration:webhooks.none')).waitFor()
  await page.getByRole('button', { name: ui('features/administration:webhooks.add') }).click()
  await page.getByRole('textbox', { name: ui('features/administration:webhooks.url') }).fill('ftp://nowhere')
  await page.getByText(ui('features/administration:webhooks.urlFault')).waitFor()
  await page.getByRole('textbox', { name: ui('features/administration:webhooks.url') }).fill(url)
  await page.getByRole('checkbox', { name: 'dataset.created' }).check()
  await page.getByRole('checkbox', { name: 'response.created' }).uncheck()
  await page.getByRole('button', { name: ui('features/administration:webhooks.addVerb'), exact: true }).click()
  await expectNotice(page, ui('features/administration:webhooks.added'))
  await page.getByRole('button', { name: ui('features/administration:webhooks.ping') }).click()
  await expectNotice(page, ui('features/administration:webhooks.pinged', { url }))
  expect(received).toEqual(['ping'])

  const team = await seedWorkspace(server, 'team')
  await page.getByRole('button', { name: ui('features/administration:webhooks.deliveries') }).click()
  const log = page.getByRole('list', { name: ui('features/administration:webhooks.deliveriesOf', { url }) })
  await expect.poll(() => log.getByRole('listitem').innerText()).toMatch(became('delivered', 'ping', 'HTTP 200'))
  await seedDataset(server, { name: 'one', workspaceId: team, publish: false })
  const newest = log.getByRole('listitem').first()
  await expect.poll(() => newest.innerText()).toMatch(became('delivered', 'dataset\\.created', 'HTTP 200'))
  expect(received).toEqual(['ping', 'dataset.created'])

  status = 500
  await seedDataset(server, { name: 'two', workspaceId: team, publish: false })
  await newest.getByText(ui('features/administration:webhooks.status.waiting')).waitFor()
  await newest
    .getByText(new RegExp(`HTTP 500 .*${uiPattern('features/administration:webhooks.next', {}, { whole: false }).source}`))
    .waitFor()
  status = 200
  const again = page.waitForResponse(/\/resend$/)
  await newest.getByRole('button', { name: ui('features/administration:webhooks.resend') }).click()
  expect((await again).status()).toBe(200)
  await expect.poll(() => log.getByText(ui('features/administration:webhooks.status.delivered')).count()).toBe(3)
  // The delivery is also retried automatically after a while.
  expect(received.length).toBeGreaterThanOrEqual(4)
  expect(new Set(received.slice(1))).toEqual(new Set(['dataset.created']))
  expect(complaints()).toEqual([])
  await close()
})

test("a webhook's secret is changed, and the webhook is disabled, edited and deleted", async () => {
  const { page, close } = await openPage(browser, server.url)
  await createSession(page, server.url, OWNER.username, OWNER.password)
  await page.goto('/administration?tab=webhooks')
  const [before] = await webhooks()
  const menu = async (item: string) => {
    await page.getByRole('button', { name: ui('features/administration:webhooks.menu', { url }) }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  await menu(ui('features/administration:webhooks.newSecret'))
  await page
    .getByRole('dialog')
    .getByRole('button', { name: ui('features/administration:webhooks.newSecret') })
    .click()
  await expectNotice(page, ui('features/administration:webhooks.hasNewSecret', { url }))
  expect((await webhooks())[0]?.secret).not.toBe(before?.secret)
  await page.getByRole('switch', { name: `${ui('features/administration:webhooks.enabled')} ${url}`, exact: true }).uncheck()
  await expect.poll(async () => (await webhooks())[0]?.enabled).toBe(false)
  await menu(ui('features/administration:webhooks.edit'))
  await page.getByRole('textbox', { name: ui('features/administration:webhooks.description') }).fill('To the archive')
  await page.getByRole('checkbox', { name: 'record.completed' }).check()
  await page.getByRole('button', { name: ui('features/administration:save') }).click()
  await page.getByText('To the archive').waitFor()
  expect(await webhooks()).toMatchObject([{ events: ['dataset.created', 'record.completed'], description: 'To the archive' }])
  await menu(ui('features/administration:webhooks.delete'))
  await page.getByRole('button', { name: ui('features/administration:webhooks.deleteVerb') }).click()
  await page.getByText(ui('features/administration:webhooks.none')).waitFor()
  expect(await webhooks()).toEqual([])
  await close()
})

test('the response to a test delivery is shown and logged', async () => {
  await callAsOwner(server, 'POST', '/webhooks', { url, events: ['dataset.created'], description: null })
  const { page, close } = await openPage(browser, server.url)
  await createSession(page, server.url, OWNER.username, OWNER.password)
  await page.goto('/administration?tab=webhooks')
  await page.getByRole('button', { name: ui('features/administration:webhooks.deliveries') }).click()
  await page.getByText(ui('features/administration:webhooks.noDeliveries')).waitFor()
  const newest = page
    .getByRole('list', { name: ui('features/administration:webhooks.deliveriesOf', { url }) })
    .getByRole('listitem')
    .first()
  const answered = page.getByRole('alert').getByText(ui('features/administration:webhooks.pingAnswered', { url, status: 503 }))
  status = 503
  await page.getByRole('button', { name: ui('features/administration:webhooks.ping') }).click()
  await answered.waitFor()
  await expect.poll(() => newest.innerText()).toMatch(became('given_up', 'ping', 'HTTP 503'))
  status = 200
  await page.getByRole('button', { name: ui('features/administration:webhooks.ping') }).click()
  await expectNotice(page, ui('features/administration:webhooks.pinged', { url }))
  await answered.waitFor({ state: 'detached' })
  await expect.poll(() => newest.innerText()).toMatch(became('delivered', 'ping', 'HTTP 200'))
  await page.getByRole('button', { name: ui('features/administration:webhooks.menu', { url }) }).click()
  await page.getByRole('menuitem', { name: ui('features/administration:webhooks.delete') }).click()
  await page.getByRole('button', { name: ui('features/administration:webhooks.deleteVerb') }).click()
  await page.getByText(ui('features/administration:webhooks.none')).waitFor()
  await close()
})

test('the reason for a failed test delivery is shown until another action on the webhook', async () => {
  const closed = createServer()
  await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done))
  const away = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/nobody`
  await new Promise((done) => closed.close(done))
  await callAsOwner(server, 'POST', '/webhooks', { url: away, events: ['dataset.created'], description: null })
  const { page, close } = await openPage(browser, server.url)
  await createSession(page, server.url, OWNER.username, OWNER.password)
  await page.goto('/administration?tab=webhooks')
  const fault = page
    .getByRole('alert')
    .getByText(
      uiPattern('features/refusals:refusal.webhookUnreachable', { reason: /.*refused the connection/ }, { whole: false }),
    )
  const ping = async (): Promise<void> => {
    await page.getByRole('button', { name: ui('features/administration:webhooks.ping') }).click()
    await fault.waitFor()
  }
  await ping()
  await page.getByRole('button', { name: ui('features/administration:webhooks.deliveries') }).click()
  const line = page
    .getByRole('list', { name: ui('features/administration:webhooks.deliveriesOf', { url: away }) })
    .getByRole('listitem')
  await expect.poll(() => line.innerText()).toMatch(became('given_up', 'ping', 'refused the connection'))
  await page.getByRole('button', { name: ui('features/administration:webhooks.menu', { url: away }) }).click()
  await page.getByRole('menuitem', { name: ui('features/administration:webhooks.edit') }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await fault.waitFor({ state: 'detached' })
  await ping()
  await page.getByRole('switch', { name: ui('features/administration:webhooks.enabled') }).uncheck()
  await fault.waitFor({ state: 'detached' })
  await close()
})
