import { pngOf } from '@postil/server/platform/images/testing/png.ts'
import { makeZip } from '@postil/server/platform/zip/testing/make-zip.ts'
import { createClient } from '@postil/testkit/client.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { createSession } from '../support/sign-in.ts'

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

/** `heard`: the messages that the frame sent to the page. `show` renders in the frame. */
type Around = { readonly heard: readonly Message[]; readonly show: (render: Render) => void }

/** Adds the frame of custom fields to a page and sends it content to render, as the web app does. */
const addFrame = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const heard: Message[] = []
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.src = '/frame'
    let current: Render | null = null
    let isReady = false
    const send = (): void => {
      if (!isReady || !current) return
      const theme = { dark: true, properties: { '--ink': 'rgb(1, 2, 3)' } }
      frame.contentWindow?.postMessage({ type: 'postil:render', ...current, theme }, '*')
    }
    const show = (next: Render): void => {
      current = next
      send()
    }
    window.addEventListener('message', (event) => {
      if (event.source !== frame.contentWindow) return
      heard.push({ ...event.data, origin: event.origin })
      if (event.data.type !== 'postil:ready') return
      isReady = true
      send()
    })
    Object.assign(window, { heard, show })
    document.body.append(frame)
  })

const RECORD = { id: '1', status: 'pending', fields: { custom: { name: '<b>Ann</b>', number: 3 } }, metadata: {} }
const say = (what: string) => `parent.postMessage({ type: 'said', ${what} }, '*')`
const attempt = (what: string) => `(() => { try { return String(${what}) } catch (error) { return error.name } })()`

const withFrame = async (renders: readonly Render[], awaited: Partial<Message>): Promise<readonly Message[]> => {
  const opened = await openPage(browser, server.url)
  await createSession(opened.page, server.url)
  await opened.page.goto('/')
  await opened.page.locator('#main').waitFor()
  await addFrame(opened.page)
  const heard = () => opened.page.evaluate(() => (window as unknown as Around).heard)
  const isAwaited = (message: Message): boolean => Object.entries(awaited).every(([key, value]) => message[key] === value)
  for (const [index, render] of renders.entries()) {
    await opened.page.evaluate((next) => (window as unknown as Around).show(next), render)
    await expect.poll(async () => (await heard()).filter(isAwaited).length).toBeGreaterThan(index)
  }
  await expect.poll(async () => (await heard()).some(({ type }) => type === 'postil:height')).toBe(true)
  // Waits long enough for unwanted messages to arrive.
  await opened.page.waitForTimeout(500)
  const all = await heard()
  expect(new URL(opened.page.url()).origin).toBe(server.url)
  await opened.close()
  return all
}

test('a Handlebars template is filled with the escaped record and uses the page colors', async () => {
  const template = `<p id="x" style="height: 120px; margin: 0">{{record.fields.custom.name}} {{json record.fields.custom.number}}</p>
    <script>${say(`text: document.getElementById('x').textContent, color: getComputedStyle(document.body).color`)}</script>`
  const heard = await withFrame([{ template, advanced: false, record: RECORD }], { type: 'said' })
  expect(heard[0]).toMatchObject({ type: 'postil:ready', origin: 'null' })
  expect(heard.find(({ type }) => type === 'said')).toMatchObject({ text: '<b>Ann</b> 3', color: 'rgb(1, 2, 3)' })
  expect(heard.find(({ type }) => type === 'postil:height')).toMatchObject({ height: 120 })
})

test('an advanced template runs its scripts in order with `record`, and receives document events', async () => {
  const template = `<div id="y"></div><script>const greeting = 'hi ' + record.fields.custom.number</script>
    <script>document.getElementById('y').textContent = greeting
    document.addEventListener('DOMContentLoaded', () => ${say(`text: document.getElementById('y').textContent`)})</script>`
  const heard = await withFrame([{ template, advanced: true, record: RECORD }], { type: 'said' })
  expect(heard.find(({ type }) => type === 'said')).toMatchObject({ text: 'hi 3' })
})

test('the next record sees nothing of the previous one', async () => {
  const template = `<script>const only = record.id; ${say('id: only')}</script>`
  const renders = ['first', 'second'].map((id) => ({ template, advanced: true, record: { id } }))
  const heard = await withFrame(renders, { type: 'said' })
  expect(heard.filter(({ type }) => type === 'said').map(({ id }) => id)).toEqual(['first', 'second'])
  expect(heard.filter(({ type }) => type === 'postil:error')).toEqual([])
})

test('a template can’t access the session, the storage, the API, or the surrounding page', async () => {
  const template = `<script>
    fetch('/api/v1/me').then(() => ${say(`what: 'fetched'`)}, () => ${say(`what: 'refused'`)})
    ${say(`what: 'tried',
      cookie: ${attempt('document.cookie')},
      storage: ${attempt('localStorage.length')},
      page: ${attempt('parent.document.title')},
      top: ${attempt("top.location = 'https://evil.example/'")},
      origin_in: self.origin`)}
  </script><form action="https://evil.example/" id="f"></form><script>document.getElementById('f').submit()</script>`
  const heard = await withFrame([{ template, advanced: true, record: RECORD }], { what: 'refused' })
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
  await createSession(opened.page, server.url)
  await opened.page.goto(`/dataset/${dataset.id}/annotation-mode`)
  const image = opened.page.frameLocator('iframe[title="Card"]').locator('#p')
  await expect.poll(() => image.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(7)
  expect(await image.getAttribute('src')).toContain('/linked?expires=')
  await opened.close()
})

test('a template uses the page font, including in the next record', async () => {
  const client = createClient(server.url, { api_key: server.apiKey })
  const fields = [
    { name: 'card', title: 'Card', required: true, settings: { type: 'custom', template: '<p>{{record.fields.card.name}}</p>' } },
  ]
  const { createDataset, createWorkspace } = createFactories(client)
  const dataset = await createDataset({ fields, workspace_id: (await createWorkspace('letters')).id })
  const items = ['Hamburg', 'Wrocław'].map((name) => ({ fields: { card: { name } } }))
  await client.post(`/datasets/${dataset.id}/records/bulk`, { items })
  const opened = await openPage(browser, server.url)
  await createSession(opened.page, server.url)
  await opened.page.goto(`/dataset/${dataset.id}/annotation-mode?sort=record.inserted_at.asc`)
  const shown = opened.page.frameLocator('iframe[title="Card"]').locator('p')
  const widthOf = (element: Element, words: string): number => {
    const probe = element.ownerDocument.createElement('span')
    probe.style.cssText = 'position: absolute; font-size: 400px; font-kerning: none; white-space: pre'
    probe.textContent = words
    element.append(probe)
    const { width } = probe.getBoundingClientRect()
    probe.remove()
    return Math.round(width)
  }
  for (const {
    fields: { card },
  } of items) {
    await expect.poll(() => shown.innerText()).toBe(card.name)
    await opened.page.evaluate((name) => document.fonts.load('400px "Atkinson Hyperlegible Next Variable"', name), card.name)
    const wanted = await opened.page.locator('#main').evaluate(widthOf, card.name)
    await expect.poll(() => shown.evaluate(widthOf, card.name)).toBe(wanted)
    await opened.page.keyboard.press('ArrowRight')
  }
  expect(opened.complaints()).toEqual([])
  await opened.close()
})

test('a document gets the height of its content, even if it uses the viewport height, and doesn’t grow endlessly', async () => {
  const client = createClient(server.url, { api_key: server.apiKey })
  const fields = [
    {
      name: 'card',
      title: 'Card',
      required: true,
      settings: { type: 'custom', template: '<main>{{{record.fields.card.html}}}</main>', advanced_mode: false },
    },
  ]
  const { createDataset, createWorkspace } = createFactories(client)
  const dataset = await createDataset({ fields, workspace_id: (await createWorkspace('heights')).id })
  const lines = '<div style="height: 40px">line</div>'.repeat(20)
  const lateMessages =
    '<script>new ResizeObserver(() => dispatchEvent(new Event("resize"))).observe(document.documentElement)</script>'
  const documents: readonly [html: string, least: number, most: number][] = [
    [`<style>html, body { height: 100% }</style>${lines}`, 800, 800],
    ['<div style="position: absolute; width: 90px; height: 400px"></div>', 400, 400],
    ['<div style="height: 300px"></div><div style="height: 100vh"></div>', 420, 2500],
    ['<style>body { min-height: 100vh; padding: 8px }</style>', 136, 300],
    // As in a busy browser, the resize event arrives after the new size is already visible.
    [`<style>body { min-height: 100vh; padding: 8px }</style>${lateMessages}`, 136, 300],
  ]
  const items = documents.map(([html]) => ({ fields: { card: { html } } }))
  await client.post(`/datasets/${dataset.id}/records/bulk`, { items })
  const opened = await openPage(browser, server.url)
  await createSession(opened.page, server.url)
  await opened.page.goto(`/dataset/${dataset.id}/annotation-mode?sort=record.inserted_at.asc`)
  const frame = opened.page.locator('iframe[title="Card"]')
  for (const [html, least, most] of documents) {
    const inside = opened.page.frameLocator('iframe[title="Card"]').locator(':root')
    await expect.poll(() => inside.evaluate((root) => root.innerHTML).catch(() => '')).toContain(html)
    const height = () => frame.evaluate(({ clientHeight }) => clientHeight)
    await expect.poll(height).toBeGreaterThanOrEqual(least)
    // If the content's height depends on the frame's height, the frame could grow in every animation frame. Waits for 40 of them
    // to detect this.
    await opened.page.evaluate(async () => {
      for (let frames = 0; frames < 40; frames += 1) await new Promise((painted) => requestAnimationFrame(painted))
    })
    expect(await height()).toBeGreaterThanOrEqual(least)
    expect(await height()).toBeLessThanOrEqual(most)
    await opened.page.keyboard.press('ArrowRight')
  }
  expect(opened.complaints()).toEqual([])
  await opened.close()
})

test('a template that takes the focus while rendering doesn’t get the answer’s keys, but keeps a focus set by the user', async () => {
  const client = createClient(server.url, { api_key: server.apiKey })
  const template = '<input id="i"><script>i.focus(); i.dataset.of = record.fields.card.any</script>'
  const settings = { type: 'custom', template, advanced_mode: true }
  const fields = [{ name: 'card', title: 'Card', required: true, settings }]
  const { createDataset, createWorkspace } = createFactories(client)
  const dataset = await createDataset({ fields, workspace_id: (await createWorkspace('focus')).id })
  await client.post(`/datasets/${dataset.id}/records/bulk`, { items: [1, 2].map((any) => ({ fields: { card: { any } } })) })
  const opened = await openPage(browser, server.url)
  await createSession(opened.page, server.url)
  await opened.page.goto(`/dataset/${dataset.id}/annotation-mode?sort=record.inserted_at.asc`)
  const input = opened.page.frameLocator('iframe[title="Card"]').locator('#i')
  const focused = () => opened.page.evaluate(() => document.activeElement?.closest('[data-question], iframe')?.localName)
  for (const record of ['1', '2']) {
    await expect.poll(() => input.getAttribute('data-of').catch(() => null)).toBe(record)
    await expect.poll(focused).toBeDefined()
    await expect.poll(focused).not.toBe('iframe')
    if (record === '1') await opened.page.keyboard.press('ArrowRight')
  }
  await input.click()
  expect(await focused()).toBe('iframe')
  await opened.page.keyboard.type('typed')
  expect(await input.inputValue()).toBe('typed')
  await opened.close()
})

test('template errors are reported to the page', async () => {
  const error = { type: 'postil:error' }
  const broken = await withFrame([{ template: '{{#if}}', advanced: false, record: RECORD }], error)
  expect(broken.find(({ type }) => type === 'postil:error')?.['message']).toContain('Parse error')
  const throwing = await withFrame([{ template: '<script>nothing.here()</script>', advanced: true, record: RECORD }], error)
  expect(throwing.find(({ type }) => type === 'postil:error')?.['message']).toContain('nothing is not defined')
})

test('the frame is also sandboxed when opened directly', async () => {
  const opened = await openPage(browser, server.url)
  await opened.page.goto('/frame')
  expect(await opened.page.evaluate(() => self.origin)).toBe('null')
  await opened.close()
})
