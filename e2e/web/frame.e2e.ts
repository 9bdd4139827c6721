import { pngOf } from '@postil/server/platform/images/testing/png.ts'
import { makeZip } from '@postil/server/platform/zip/testing/make-zip.ts'
import { createClient } from '@postil/testkit/client.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from '../harness/browser.ts'
import { type RunningServer, startServer } from '../harness/server.ts'
import { haveSession } from './support/sign-in.ts'

let server: RunningServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

type Message = { readonly type: string; readonly origin: string; readonly [key: string]: unknown }
type Render = { readonly template: string; readonly advanced: boolean; readonly record: { readonly [key: string]: unknown } }

/** Shows templates one after the other in the frame of custom fields, as the page does it, and gives what the frame sent. */
const show = (page: Page, renders: readonly Render[]): Promise<readonly Message[]> =>
  page.evaluate(async (wanted) => {
    const heard: Message[] = []
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.src = '/frame'
    let current = wanted[0]
    let shown = () => {}
    const send = () =>
      frame.contentWindow?.postMessage(
        { type: 'postil:render', ...current, theme: { dark: true, properties: { '--ink': 'rgb(1, 2, 3)' } } },
        '*',
      )
    window.addEventListener('message', (event) => {
      if (event.source !== frame.contentWindow) return
      heard.push({ ...event.data, origin: event.origin })
      if (event.data.type === 'postil:ready') send()
      if (event.data.type === 'postil:height') shown()
    })
    document.body.append(frame)
    for (const [index, next] of wanted.entries()) {
      current = next
      const isShown = new Promise<void>((done) => {
        shown = done
      })
      if (index > 0) send()
      await Promise.race([isShown, new Promise((done) => setTimeout(done, 10_000))])
      // What a template does on its own, such as a request, comes a moment later.
      await new Promise((done) => setTimeout(done, 500))
    }
    frame.remove()
    return heard
  }, renders)

const RECORD = { id: '1', status: 'pending', fields: { custom: { name: '<b>Ann</b>', number: 3 } }, metadata: {} }
const say = (what: string) => `parent.postMessage({ type: 'said', ${what} }, '*')`
const attempt = (what: string) => `(() => { try { return String(${what}) } catch (error) { return error.name } })()`

const withFrame = async (renders: readonly Render[]): Promise<readonly Message[]> => {
  const opened = await openPage(browser, server.url)
  await haveSession(opened.page, server.url)
  await opened.page.goto('/')
  await opened.page.locator('#main').waitFor()
  const heard = await show(opened.page, renders)
  expect(new URL(opened.page.url()).origin).toBe(server.url)
  await opened.close()
  return heard
}

test('a Handlebars template is filled with the record, escaped, in the inks of the page', async () => {
  const template = `<p id="x" style="height: 120px; margin: 0">{{record.fields.custom.name}} {{json record.fields.custom.number}}</p>
    <script>${say(`text: document.getElementById('x').textContent, color: getComputedStyle(document.body).color`)}</script>`
  const heard = await withFrame([{ template, advanced: false, record: RECORD }])
  expect(heard[0]).toMatchObject({ type: 'postil:ready', origin: 'null' })
  expect(heard.find(({ type }) => type === 'said')).toMatchObject({ text: '<b>Ann</b> 3', color: 'rgb(1, 2, 3)' })
  expect(heard.find(({ type }) => type === 'postil:height')).toMatchObject({ height: 120 })
})

test('an advanced template runs its scripts in order over `record`, with the events of a document', async () => {
  const template = `<div id="y"></div><script>const greeting = 'hi ' + record.fields.custom.number</script>
    <script>document.getElementById('y').textContent = greeting
    document.addEventListener('DOMContentLoaded', () => ${say(`text: document.getElementById('y').textContent`)})</script>`
  const heard = await withFrame([{ template, advanced: true, record: RECORD }])
  expect(heard.find(({ type }) => type === 'said')).toMatchObject({ text: 'hi 3' })
})

test('the next record finds nothing of the one before', async () => {
  const template = `<script>const only = record.id; ${say('id: only')}</script>`
  const heard = await withFrame([
    { template, advanced: true, record: { id: 'first' } },
    { template, advanced: true, record: { id: 'second' } },
  ])
  expect(heard.filter(({ type }) => type === 'said').map(({ id }) => id)).toEqual(['first', 'second'])
  expect(heard.filter(({ type }) => type === 'postil:error')).toEqual([])
})

test('a template reaches neither the session, the storage, the API, nor the page around it', async () => {
  const template = `<script>
    fetch('/api/v1/me').then(() => ${say(`what: 'fetched'`)}, () => ${say(`what: 'refused'`)})
    ${say(`what: 'tried',
      cookie: ${attempt('document.cookie')},
      storage: ${attempt('localStorage.length')},
      page: ${attempt('parent.document.title')},
      top: ${attempt("top.location = 'https://evil.example/'")},
      origin_in: self.origin`)}
  </script><form action="https://evil.example/" id="f"></form><script>document.getElementById('f').submit()</script>`
  const heard = await withFrame([{ template, advanced: true, record: RECORD }])
  expect(heard.find(({ what }) => what === 'tried')).toMatchObject({
    cookie: 'SecurityError',
    storage: 'SecurityError',
    page: 'SecurityError',
    top: 'SecurityError',
    origin_in: 'null',
  })
  expect(heard.filter(({ what }) => what === 'fetched')).toEqual([])
  expect(heard.filter(({ what }) => what === 'refused')).toHaveLength(1)
})

test('a template shows the imported images of the record', async () => {
  const client = createClient(server.url, { api_key: server.apiKey })
  const fields = [
    { name: 'image', title: 'Image', required: true, settings: { type: 'image' } },
    {
      name: 'card',
      title: 'Card',
      settings: { type: 'custom', template: '<img id="p" alt="" src="{{record.fields.image}}">', advanced_mode: false },
    },
  ]
  const dataset = await createFactories(client).createDataset({ fields })
  const base = `/datasets/${dataset.id}/imports/files`
  const archive = makeZip([{ name: 'one.png', content: pngOf([255, 0, 0], 7) }])
  const { body: file } = await client.post<{ id: string }>(`${base}?name=a.zip`, archive, { 'content-type': 'application/zip' })
  const mapping = { fields: [{ source: 'image', target: 'image' }], external_id: 'file_name' }
  await client.post(`${base}/${file.id}/start`, { mapping })
  const page = `/datasets/${dataset.id}/records`
  type Listed = { items: { id: string; fields: { image: string } }[] }
  await expect.poll(async () => (await client.get<Listed>(page)).body.items.length).toBe(1)
  const [record] = (await client.get<Listed>(page)).body.items
  const shown = await client.patch(`/records/${record?.id}`, { fields: { ...record?.fields, card: { any: 'thing' } } })
  expect([shown.status, shown.body]).toEqual([200, shown.body])
  const opened = await openPage(browser, server.url)
  await haveSession(opened.page, server.url)
  await opened.page.goto(`/dataset/${dataset.id}/annotation-mode`)
  const image = opened.page.frameLocator('iframe[title="Card"]').locator('#p')
  await expect.poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(7)
  expect(await image.getAttribute('src')).toContain('/linked?expires=')
  await opened.close()
})

test('what is wrong with a template is told to the page', async () => {
  const broken = await withFrame([{ template: '{{#if}}', advanced: false, record: RECORD }])
  expect(broken.find(({ type }) => type === 'postil:error')?.['message']).toContain('Parse error')
  const throwing = await withFrame([{ template: '<script>nothing.here()</script>', advanced: true, record: RECORD }])
  expect(throwing.find(({ type }) => type === 'postil:error')?.['message']).toContain('nothing is not defined')
})

test('opened by itself the frame is a sandbox, too', async () => {
  const opened = await openPage(browser, server.url)
  await opened.page.goto('/frame')
  expect(await opened.page.evaluate(() => self.origin)).toBe('null')
  await opened.close()
})
