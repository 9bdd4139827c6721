import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage, PHONE, THEMES, violations, wearTheme } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { givenAnnotation, left, openAnnotation, question, recordText, stored } from '../ground/annotation.ts'
import { asOwner, givenUser, givenWorkspace, PASSWORD } from '../ground/given.ts'
import { onDisk } from '../support/device.ts'
import { haveSession, signIn } from '../support/sign-in.ts'
import { onDevice, takeAlong } from '../support/taking-along.ts'

type World = { server: RunningServer; browser: Awaited<ReturnType<typeof openBrowser>>; workspaceId: string }
const world = {} as World
beforeAll(async () => {
  ;[world.server, world.browser] = await Promise.all([startServer(), openBrowser()])
  world.workspaceId = await givenWorkspace(world.server, 'team')
  await givenUser(world.server, 'ann', 'annotator', [world.workspaceId])
  await givenUser(world.server, 'ben', 'annotator', [world.workspaceId])
})
afterAll(async () => {
  await world.browser?.close()
  await world.server?.stop()
})
/** Ends the server as a crash does. */
const endServer = (): Promise<void> => world.server.kill()
/** The same server again: at its address, with its data. */
const beginServer = async (): Promise<void> => {
  const { place, url } = world.server
  world.server = await startServer({ place, env: { POSTIL_PORT: new URL(url).port } })
}

const options = ['Yes', 'No', 'Maybe'].map((text) => ({ value: text.toLowerCase(), text }))
const questions = {
  label: { title: 'Label', required: true, settings: { type: 'label_selection', options } },
  note: { title: 'Note', required: false, settings: { type: 'text', use_markdown: false } },
}
let datasets = 0
const given = (records: number) =>
  givenAnnotation(world.server, {
    name: `offline ${++datasets}`,
    workspaceId: world.workspaceId,
    questions,
    records: Array.from({ length: records }, (_, i) => ({ fields: { text: `Record ${i + 1}` }, external_id: String(i + 1) })),
  })
const open = async (id: string, username = 'ann', settings: Parameters<typeof openPage>[2] = {}) => {
  const opened = await openPage(world.browser, world.server.url, { serviceWorkers: 'allow', ...settings })
  await haveSession(opened.page, world.server.url, username, PASSWORD)
  await openAnnotation(opened.page, id)
  return opened
}
const answered = (id: string, count: number) =>
  expect
    .poll(async () => (await stored(world.server, id)).filter(({ responses }) => responses.length > 0).length, {
      timeout: 40_000,
    })
    .toBe(count)
const onceEach = async (id: string) =>
  (await stored(world.server, id)).flatMap(({ responses }) => responses.map(({ version }) => version)).every((v) => v === 1)
const answerWith = async (page: Page, key: string) => {
  const before = await recordText(page)
  await page.keyboard.press(key)
  await page.keyboard.press('Escape')
  await page.keyboard.press(ui('features/guides:keys.key.enter'))
  // At the end there is none.
  await expect.poll(async () => (await page.locator('section[aria-label="Record"]').allInnerTexts()).join()).not.toBe(before)
}
const unsent = (page: Page, count: number) =>
  page
    .locator('header')
    .getByText(`${count} ${count === 1 ? 'answer is' : 'answers are'} not sent yet`)
    .waitFor()
/** What is edited and not given, as the device has written it. */
const editsOnDisk = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise((done) => {
        const opening = indexedDB.open('postil')
        opening.onsuccess = () => {
          const read = opening.result.transaction('drafts').objectStore('drafts').getAll()
          read.onsuccess = () => {
            opening.result.close()
            done(JSON.stringify(read.result))
          }
        }
      }),
  )
const pageIn = async (context: BrowserContext, id: string): Promise<Page> => {
  const page = await context.newPage()
  await openAnnotation(page, id)
  return page
}

test('records that were taken along are answered without a network, across a reload and a closed tab', async () => {
  const id = await given(30)
  const { page, context, complaints, close } = await open(id)
  await takeAlong(page, 10)
  await context.setOffline(true)
  await page.reload()
  await left(page, '10 left')
  await page.getByText(ui('common:connection.offline')).first().waitFor()
  for (const key of ['1', '2', '3']) await answerWith(page, key)
  await unsent(page, 3)
  await onDisk(page, 3)
  await page.close()
  const next = await pageIn(context, id)
  await left(next, '7 left')
  await unsent(next, 3)
  for (let i = 0; i < 7; i += 1) await answerWith(next, '1')
  await next.getByRole('heading', { name: ui('features/annotate:end.offline') }).waitFor()
  await unsent(next, 10)
  expect((await stored(world.server, id)).some(({ responses }) => responses.length > 0)).toBe(false)
  const told = next.getByText(ui('common:connection.online')).first().waitFor()
  await context.setOffline(false)
  await told
  await answered(id, 10)
  expect(await onceEach(id)).toBe(true)
  // What the server has is taken off the device, and there is more to do.
  await expect.poll(async () => (await onDevice(next))['records']).toBe(0)
  await openAnnotation(next, id)
  await left(next, '20 left')
  expect(complaints()).toEqual([])
  await close()
})

test('the same where the server is gone and not the network, and home says what can be opened', async () => {
  const id = await given(12)
  const { page, close } = await open(id)
  await takeAlong(page, 10)
  await endServer()
  await page.goto('/')
  await page.getByText(`offline ${datasets}`).first().waitFor()
  await openAnnotation(page, id)
  await left(page, '10 left')
  await answerWith(page, '1')
  await question(page, 'note').locator('textarea').fill('begun without a server')
  await page.getByText(ui('features/annotate:save.edited')).waitFor()
  await onDisk(page, 1)
  await expect.poll(() => editsOnDisk(page)).toContain('begun without a server')
  await page.reload()
  await expect.poll(() => question(page, 'note').locator('textarea').inputValue()).toBe('begun without a server')
  await beginServer()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await answered(id, 1)
  expect(await onceEach(id)).toBe(true)
  await close()
})

test('a session that ends meanwhile costs no answer', async () => {
  const id = await given(12)
  const { page, context, close } = await open(id)
  await takeAlong(page, 10)
  await context.setOffline(true)
  await answerWith(page, '2')
  await answerWith(page, '2')
  await unsent(page, 2)
  const me = await asOwner<{ items: { id: string; username: string }[] }>(world.server, 'GET', '/users')
  const ann = me.items.find(({ username }) => username === 'ann')?.id ?? ''
  await asOwner(world.server, 'PATCH', `/users/${ann}`, { active: false })
  await asOwner(world.server, 'PATCH', `/users/${ann}`, { active: true })
  await context.setOffline(false)
  await page.reload()
  await page.waitForURL(/sign-in/)
  expect((await stored(world.server, id)).some(({ responses }) => responses.length > 0)).toBe(false)
  // Without a session nothing that was kept is shown, to whoever comes.
  await context.setOffline(true)
  await page.goto(`/dataset/${id}/annotation-mode`)
  await page.locator('main').first().waitFor()
  expect(await page.getByText('Record 1').count()).toBe(0)
  await context.setOffline(false)
  await page.goto('/sign-in')
  await signIn(page, 'ann', PASSWORD)
  await answered(id, 2)
  expect(await onceEach(id)).toBe(true)
  await close()
})

test('signing out takes everything off the device, after a word about what is not sent', async () => {
  const id = await given(12)
  const { page, context, close } = await open(id)
  await takeAlong(page, 10)
  expect(await onDevice(page)).toMatchObject({ records: 10, packs: 1 })
  await context.setOffline(true)
  await answerWith(page, '1')
  await unsent(page, 1)
  await page.getByRole('button', { name: /ann/i }).first().click()
  await page.getByRole('menuitem', { name: ui('common:user.signOut') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: ui('common:unsent.stay') })
    .click()
  expect(await onDevice(page)).toMatchObject({ records: 10 })
  await context.setOffline(false)
  await answered(id, 1)
  await onDisk(page, 0)
  await page.getByRole('button', { name: /ann/i }).first().click()
  await page.getByRole('menuitem', { name: ui('common:user.signOut') }).click()
  await page.waitForURL(/sign-in/)
  await expect.poll(() => onDevice(page)).toEqual({ answers: 0, files: 0, packs: 0, records: 0 })
  // Another user finds nothing of it, with or without a network.
  await haveSession(page, world.server.url, 'ben', PASSWORD)
  await page.goto('/')
  await page.locator('main').first().waitFor()
  await context.setOffline(true)
  await page.goto(`/dataset/${id}/annotation-mode`)
  await page.locator('main').first().waitFor()
  expect(await page.getByText(/^Record \d/).count()).toBe(0)
  await close()
})

test('signing out everywhere takes everything off the device, too', async () => {
  const id = await given(12)
  const { page, context, close } = await open(id)
  await takeAlong(page, 10)
  await page.goto('/user-settings')
  // What comes later moves what is there, and a press in between is none.
  await page.waitForLoadState('networkidle')
  // The page is left, and then loaded as a new one.
  const anew = page.waitForEvent('load')
  await page.getByRole('button', { name: ui('features/administration:users.signOut') }).click()
  await anew
  await page.waitForURL(/sign-in/)
  await expect.poll(() => onDevice(page)).toEqual({ answers: 0, files: 0, packs: 0, records: 0 })
  await context.setOffline(true)
  await page.goto(`/dataset/${id}/annotation-mode`)
  await page.locator('main').first().waitFor()
  expect(await page.getByText(/^Record \d/).count()).toBe(0)
  await close()
})

test('the page is installable, and keeps its own files alone', async () => {
  const { page, context, close } = await open(await given(3))
  const link = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = await page.request.get(new URL(link ?? '', `${world.server.url}/`).href)
  expect(manifest.headers()['content-type']).toContain('application/manifest+json')
  const { icons, start_url, display } = await manifest.json()
  expect([start_url, display]).toEqual(['./', 'standalone'])
  for (const { src, sizes } of icons) {
    const icon = await page.request.get(`${world.server.url}/${src}`)
    expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/png'])
    expect(sizes).toBe(`${(await icon.body()).readUInt32BE(16)}x${(await icon.body()).readUInt32BE(20)}`)
  }
  await page.evaluate(() => navigator.serviceWorker.ready)
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(kept).toContain('/')
  expect(kept.length).toBeGreaterThan(50)
  expect(kept.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([])
  // A second visit comes from the server, with the worker there.
  await page.reload()
  await page.locator('[data-question]').first().waitFor()
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await context.setOffline(true)
  await page.reload()
  expect(await page.title()).toContain('Postil')
  await close()
})

test('installed from two addresses of a host, it is two applications', async () => {
  const identify = async (path: string): Promise<string | undefined> => {
    const server = await startServer({ args: ['--base-url', path] })
    const { page, context, close } = await openPage(world.browser, server.url)
    await page.goto(`${server.url}/sign-in`)
    const { manifest } = await (await context.newCDPSession(page)).send('Page.getAppManifest')
    const { pathname } = new URL(manifest.id ?? '')
    await close()
    await server.stop()
    return pathname
  }
  expect([await identify('/first'), await identify('/second')]).toEqual(['/first/', '/second/'])
})

test.each([
  ['a desk', {}],
  ['a phone', PHONE],
] as const)('the dialog is clean on %s, in every theme', async (_, settings) => {
  const id = await given(12)
  const { page, close } = await open(id, 'ben', settings)
  await takeAlong(page, 10)
  await page.getByRole('button', { name: ui('features/annotate:take.title') }).click()
  const dialog = page.getByRole('dialog', { name: ui('features/annotate:take.title') })
  await dialog.getByText(/10 records of this dataset/).waitFor()
  for (const theme of THEMES) {
    await wearTheme(page, theme)
    expect(await violations(page, theme === 'light' ? 'all' : 'colours')).toEqual([])
  }
  await dialog.getByRole('button', { name: ui('features/annotate:take.leave') }).click()
  await dialog.getByText(/10 records of this dataset/).waitFor({ state: 'detached' })
  expect(await onDevice(page)).toEqual({ answers: 0, files: 0, packs: 0, records: 0 })
  await close()
})
