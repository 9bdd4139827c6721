import { createSocket } from 'node:dgram'
import { createClient } from '@postil/testkit/client.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from '../harness/browser.ts'
import { type RunningServer, startServer } from '../harness/server.ts'
import { uiPattern } from '../harness/ui-text.ts'
import { createSession } from '../web/support/sign-in.ts'
import { type Canary, startCanary } from './canary.ts'
import { allRequests, NAVIGATIONS, navigation } from './requests.ts'

let server: RunningServer
let browser: Browser
/**
 * Three hosts, in this order: one that no record names, one that serves the records' images, and one that the server's settings
 * list as a template source.
 */
let other: Canary
let own: Canary
let listed: Canary

const originOf = ({ host }: Canary): string => `http:${host}`
const namesOf = (canary: Canary): readonly string[] => [...new Set(canary.hits().map(({ path }) => path.replace(/^\/\w+\//, '')))]

beforeAll(async () => {
  ;[browser, other, own, listed] = await Promise.all([openBrowser(), startCanary(), startCanary(), startCanary()])
  server = await startServer({ env: { POSTIL_TEMPLATE_SOURCES: JSON.stringify([originOf(listed)]) } })
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await Promise.all([other, own, listed].map((canary) => canary?.close()))
})

/** Creates a dataset with one record for each page. The template renders the record's own HTML. */
const datasetOf = async (name: string, pages: readonly string[]) => {
  const client = createClient(server.url, { api_key: server.apiKey })
  const template = '<script>document.write(record.fields.card.page)</script>'
  const fields = [{ name: 'card', title: 'Card', required: true, settings: { type: 'custom', template, advanced_mode: true } }]
  const { createDataset, createWorkspace } = createFactories(client)
  const dataset = await createDataset({ fields, workspace_id: (await createWorkspace(name)).id })
  const items = pages.map((page) => ({ fields: { card: { page, image: `${originOf(own)}/picture/any` } } }))
  expect((await client.post(`/datasets/${dataset.id}/records/bulk`, { items })).status).toBe(201)
  return dataset
}

const openDataset = async (id: string) => {
  const opened = await openPage(browser, server.url)
  await createSession(opened.page, server.url)
  await opened.page.goto(`/dataset/${id}/annotation-mode?sort=record.inserted_at.asc`)
  const frame = () => opened.page.frameLocator('iframe[title="Card"]')
  return { ...opened, frame }
}

/**
 * How long each record stays open, in milliseconds, so that its HTML can try to navigate the frame. The test can't wait for an
 * event, because the attempt may remove the frame or leave its script running.
 */
const NAVIGATION_MS = 300

test('the control works: without a policy, the same script sends the requests', async () => {
  const { page, close } = await openPage(browser, server.url)
  await page.goto(other.show([allRequests(other.host, own.host)]))
  await expect.poll(() => namesOf(own)).toContain('done')
  await expect.poll(() => namesOf(other).length).toBeGreaterThan(30)
  await close()
})

test('a template sends no request to another origin', async () => {
  const before = [own.hits().length, other.hits().length]
  const names = Object.keys(NAVIGATIONS)
  const pages = [allRequests(other.host, own.host), ...names.map((name) => navigation(other.host, name))]
  const opened = await openDataset((await datasetOf('requests', pages)).id)
  await expect
    .poll(() =>
      own
        .hits()
        .slice(before[0])
        .map(({ path }) => path),
    )
    .toContain('/run/done')
  for (const name of names) {
    await opened.page.keyboard.press('ArrowRight')
    await opened.page.waitForTimeout(NAVIGATION_MS)
    expect([name, new URL(opened.page.url()).origin]).toEqual([name, server.url])
  }
  expect(opened.page.context().pages()).toHaveLength(1)
  expect(other.hits().slice(before[1])).toEqual([])
  await opened.close()
})

test('a template loads images from the record’s origins and files from the listed sources, and reports what is blocked', async () => {
  const before = other.hits().length
  const urls = {
    own: `${originOf(own)}/picture/a`,
    listed: `${originOf(listed)}/picture/b`,
    other: `${originOf(other)}/picture/c`,
  }
  const images = Object.entries(urls).map(([name, url]) => `<img id="${name}" alt="" src="${url}">`)
  const script = `<script src="${originOf(listed)}/run/listed"></script><script src="${originOf(own)}/run/own"></script>`
  const dataset = await datasetOf('sources', [`<body>${images.join('')}${script}`])
  const opened = await openDataset(dataset.id)
  const width = (id: string) =>
    opened
      .frame()
      .locator(`#${id}`)
      .evaluate((image) => (image as HTMLImageElement).naturalWidth)
  await expect.poll(() => width('own')).toBe(1)
  await expect.poll(() => width('listed')).toBe(1)
  await expect.poll(() => namesOf(listed)).toContain('listed')
  await opened.page.getByText(uiPattern('field-types/custom:blocked')).waitFor()
  expect(await width('other')).toBe(0)
  expect(namesOf(own)).not.toContain('own')
  expect(other.hits().slice(before)).toEqual([])
  await opened.close()
})

test('a template sends no packets with WebRTC', async () => {
  const before = own.hits().length
  let packets = 0
  const stun = createSocket('udp4', () => {
    packets += 1
  })
  await new Promise<void>((ready) => stun.bind(0, '127.0.0.1', ready))
  const call = `try { const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${stun.address().port}' }] })
    c.createDataChannel('x'); c.createOffer().then((offer) => c.setLocalDescription(offer)) } catch {}`
  const page = `<body><script>${call};new Image().src = 'http:${own.host}/run/sent'</script>`
  const sent = () =>
    own
      .hits()
      .slice(before)
      .filter(({ path }) => path === '/run/sent').length

  const control = await openPage(browser, server.url)
  await control.page.goto(other.show([page]))
  await expect.poll(() => packets).toBeGreaterThan(0)
  await control.close()
  packets = 0
  const earlier = sent()
  const opened = await openDataset((await datasetOf('packets', [page])).id)
  await expect.poll(sent).toBeGreaterThan(earlier)
  // If packets are sent at all, they arrive within milliseconds, so a wait of one second is long enough.
  await opened.page.waitForTimeout(1000)
  expect(packets).toBe(0)
  await opened.close()
  stun.close()
})
