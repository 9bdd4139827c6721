import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../harness/browser.ts'
import { OWNER, type RunningServer, startServer } from '../../harness/server.ts'
import { asOwner, givenDataset, givenWorkspace } from '../ground/given.ts'
import { haveSession } from '../support/sign-in.ts'

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

const told = (page: Page, text: string) => page.getByRole('region', { name: 'Notifications' }).getByText(text).waitFor()
const webhooks = async () =>
  (await asOwner<{ items: { secret: string; enabled: boolean; url: string }[] }>(server, 'GET', '/webhooks')).items

test('a webhook is added, tried, and shows what became of its events', async () => {
  const { page, close, complaints } = await openPage(browser, server.url)
  await haveSession(page, server.url, OWNER.username, OWNER.password)
  await page.goto('/administration?tab=webhooks')
  await page.getByText('No program is told what happens here.').waitFor()
  await page.getByRole('button', { name: 'Add a webhook' }).click()
  await page.getByRole('textbox', { name: 'Address' }).fill('ftp://nowhere')
  await page.getByText('An address begins with http:// or https://').waitFor()
  await page.getByRole('textbox', { name: 'Address' }).fill(url)
  await page.getByRole('checkbox', { name: 'dataset.created' }).check()
  await page.getByRole('checkbox', { name: 'response.created' }).uncheck()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await told(page, 'The webhook is added')
  await page.getByRole('button', { name: 'Send a test' }).click()
  await told(page, `The test has reached ${url}`)
  expect(received).toEqual(['ping'])

  const team = await givenWorkspace(server, 'team')
  await page.getByRole('button', { name: 'Deliveries' }).click()
  const log = page.getByRole('list', { name: `Deliveries to ${url}` })
  await expect.poll(() => log.getByRole('listitem').innerText()).toMatch(/Delivered[\s\S]*ping[\s\S]*HTTP 200/)
  await givenDataset(server, { name: 'one', workspaceId: team, publish: false })
  const newest = log.getByRole('listitem').first()
  await expect.poll(() => newest.innerText()).toMatch(/Delivered[\s\S]*dataset\.created[\s\S]*HTTP 200/)
  expect(received).toEqual(['ping', 'dataset.created'])

  status = 500
  await givenDataset(server, { name: 'two', workspaceId: team, publish: false })
  await newest.getByText('Waiting').waitFor()
  await newest.getByText(/HTTP 500 .*next try/).waitFor()
  status = 200
  const again = page.waitForResponse(/\/resend$/)
  await newest.getByRole('button', { name: 'Send again' }).click()
  expect((await again).status()).toBe(200)
  await expect.poll(() => log.getByText('Delivered').count()).toBe(3)
  // It is tried again by itself, too, after a while.
  expect(received.length).toBeGreaterThanOrEqual(4)
  expect(new Set(received.slice(1))).toEqual(new Set(['dataset.created']))
  expect(complaints()).toEqual([])
  await close()
})

test('its secret is changed, it is switched off, edited and deleted', async () => {
  const { page, close } = await openPage(browser, server.url)
  await haveSession(page, server.url, OWNER.username, OWNER.password)
  await page.goto('/administration?tab=webhooks')
  const [before] = await webhooks()
  const menu = async (item: string) => {
    await page.getByRole('button', { name: `More for ${url}` }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  await menu('New secret')
  await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
  await told(page, `${url} has a new secret`)
  expect((await webhooks())[0]?.secret).not.toBe(before?.secret)
  await page.getByRole('switch', { name: `On ${url}`, exact: true }).uncheck()
  await expect.poll(async () => (await webhooks())[0]?.enabled).toBe(false)
  await menu('Edit')
  await page.getByRole('textbox', { name: 'Description' }).fill('To the archive')
  await page.getByRole('checkbox', { name: 'record.completed' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('To the archive').waitFor()
  expect(await webhooks()).toMatchObject([{ events: ['dataset.created', 'record.completed'], description: 'To the archive' }])
  await menu('Delete')
  await page.getByRole('button', { name: 'Yes, delete' }).click()
  await page.getByText('No program is told what happens here.').waitFor()
  expect(await webhooks()).toEqual([])
  await close()
})

test('what a test was answered with is told, and is in the log', async () => {
  await asOwner(server, 'POST', '/webhooks', { url, events: ['dataset.created'], description: null })
  const { page, close } = await openPage(browser, server.url)
  await haveSession(page, server.url, OWNER.username, OWNER.password)
  await page.goto('/administration?tab=webhooks')
  await page.getByRole('button', { name: 'Deliveries' }).click()
  await page.getByText('Nothing has been sent yet.').waitFor()
  const newest = page
    .getByRole('list', { name: `Deliveries to ${url}` })
    .getByRole('listitem')
    .first()
  const answered = page.getByRole('alert').getByText(`${url} answered the test with status 503, which is not a success.`)
  status = 503
  await page.getByRole('button', { name: 'Send a test' }).click()
  await answered.waitFor()
  await expect.poll(() => newest.innerText()).toMatch(/Given up[\s\S]*ping[\s\S]*HTTP 503/)
  status = 200
  await page.getByRole('button', { name: 'Send a test' }).click()
  await told(page, `The test has reached ${url}`)
  await answered.waitFor({ state: 'detached' })
  await expect.poll(() => newest.innerText()).toMatch(/Delivered[\s\S]*ping[\s\S]*HTTP 200/)
  await page.getByRole('button', { name: `More for ${url}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Yes, delete' }).click()
  await page.getByText('No program is told what happens here.').waitFor()
  await close()
})

test('why a test did not arrive is told until something else is done with the webhook', async () => {
  const closed = createServer()
  await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done))
  const away = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/nobody`
  await new Promise((done) => closed.close(done))
  await asOwner(server, 'POST', '/webhooks', { url: away, events: ['dataset.created'], description: null })
  const { page, close } = await openPage(browser, server.url)
  await haveSession(page, server.url, OWNER.username, OWNER.password)
  await page.goto('/administration?tab=webhooks')
  const fault = page.getByRole('alert').getByText(/cannot be reached: Nothing listens/)
  const ping = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Send a test' }).click()
    await fault.waitFor()
  }
  await ping()
  await page.getByRole('button', { name: 'Deliveries' }).click()
  const line = page.getByRole('list', { name: `Deliveries to ${away}` }).getByRole('listitem')
  await expect.poll(() => line.innerText()).toMatch(/Given up[\s\S]*ping[\s\S]*Nothing listens/)
  await page.getByRole('button', { name: `More for ${away}` }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await fault.waitFor({ state: 'detached' })
  await ping()
  await page.getByRole('switch', { name: 'On' }).uncheck()
  await fault.waitFor({ state: 'detached' })
  await close()
})
