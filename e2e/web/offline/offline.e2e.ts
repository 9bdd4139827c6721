import { detail } from '@postil/testkit/detail.ts'
import { variants } from '@postil/testkit/run-size.ts'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyTheme, findViolations, openBrowser, openPage, PHONE, THEMES } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import {
  expectLeft,
  openAnnotation,
  question,
  records,
  recordText,
  seedAnnotationDataset,
  storedRecords,
} from '../fixtures/annotation.ts'
import { callAsOwner, PASSWORD, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { expectStoredAnswers } from '../support/device.ts'
import { countOfflineRows, saveForOffline } from '../support/offline.ts'
import { createSession, signIn } from '../support/sign-in.ts'

type World = { server: RunningServer; browser: Awaited<ReturnType<typeof openBrowser>>; workspaceId: string }
const createWorld = {} as World
beforeAll(async () => {
  ;[createWorld.server, createWorld.browser] = await Promise.all([startServer(), openBrowser()])
  createWorld.workspaceId = await seedWorkspace(createWorld.server, 'team')
  await seedUser(createWorld.server, 'ann', 'annotator', [createWorld.workspaceId])
  await seedUser(createWorld.server, 'ben', 'annotator', [createWorld.workspaceId])
})
afterAll(async () => {
  await createWorld.browser?.close()
  await createWorld.server?.stop()
})
/** Ends the server as in a crash. */
const endServer = (): Promise<void> => createWorld.server.kill()
/** Restarts the server at the same address with the same data. */
const startOwnServer = async (): Promise<void> => {
  const { place, url } = createWorld.server
  createWorld.server = await startServer({ place, env: { POSTIL_PORT: new URL(url).port } })
}

const options = ['Yes', 'No', 'Maybe'].map((text) => ({ value: text.toLowerCase(), text }))
const questions = {
  label: { title: 'Label', required: true, settings: { type: 'label_selection', options } },
  note: { title: 'Note', required: false, settings: { type: 'text', use_markdown: false } },
}
let datasets = 0
const seed = (count: number) =>
  seedAnnotationDataset(createWorld.server, {
    name: `offline ${++datasets}`,
    workspaceId: createWorld.workspaceId,
    questions,
    records: Array.from({ length: count }, (_, i) => ({ fields: { text: `Record ${i + 1}` }, external_id: String(i + 1) })),
  })
const open = async (id: string, username = 'ann', settings: Parameters<typeof openPage>[2] = {}) => {
  const opened = await openPage(createWorld.browser, createWorld.server.url, { serviceWorkers: 'allow', ...settings })
  await createSession(opened.page, createWorld.server.url, username, PASSWORD)
  await openAnnotation(opened.page, id)
  return opened
}
const answered = (id: string, count: number) =>
  expect
    .poll(async () => (await storedRecords(createWorld.server, id)).filter(({ responses }) => responses.length > 0).length, {
      timeout: 40_000,
    })
    .toBe(count)
const expectOneAnswerEach = async (id: string) =>
  (await storedRecords(createWorld.server, id))
    .flatMap(({ responses }) => responses.map(({ version }) => version))
    .every((v) => v === 1)
const answerWith = async (page: Page, key: string) => {
  const before = await recordText(page)
  await page.keyboard.press(key)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  // At the end of the list, there is no record.
  await expect.poll(async () => (await records(page).allInnerTexts()).join()).not.toBe(before)
}
const unsent = (page: Page, count: number) => page.locator('header').getByText(ui('common:unsent.state', { count })).waitFor()
/** The stored edits that are not yet submitted, as text. */
const expectStoredEdits = (page: Page): Promise<string> =>
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

test('saved records are answered offline, across a reload and a closed tab', async () => {
  const id = await seed(30)
  const { page, context, complaints, close } = await open(id)
  await saveForOffline(page, 10)
  await context.setOffline(true)
  await page.reload()
  await expectLeft(page, 10)
  await page.getByText(ui('common:connection.offline')).first().waitFor()
  for (const key of ['1', '2', '3']) await answerWith(page, key)
  await unsent(page, 3)
  await expectStoredAnswers(page, 3)
  await page.close()
  const next = await pageIn(context, id)
  await expectLeft(next, 7)
  await unsent(next, 3)
  for (let i = 0; i < 7; i += 1) await answerWith(next, '1')
  await next.getByRole('heading', { name: ui('features/annotate:end.offline') }).waitFor()
  await unsent(next, 10)
  expect((await storedRecords(createWorld.server, id)).some(({ responses }) => responses.length > 0)).toBe(false)
  const onlineNotice = next.getByText(ui('common:connection.online')).first().waitFor()
  await context.setOffline(false)
  await onlineNotice
  await answered(id, 10)
  expect(await expectOneAnswerEach(id)).toBe(true)
  // Once the server has the answers, their records are removed from the device. More records can then be saved.
  await expect.poll(async () => (await countOfflineRows(next))['records']).toBe(0)
  await openAnnotation(next, id)
  await expectLeft(next, 20)
  expect(complaints()).toEqual([])
  await close()
})

detail('the same works if only the server is unreachable, and the home page shows what can be opened', async () => {
  const id = await seed(12)
  const { page, close } = await open(id)
  await saveForOffline(page, 10)
  await endServer()
  await page.goto('/')
  await page.getByText(`offline ${datasets}`).first().waitFor()
  await openAnnotation(page, id)
  await expectLeft(page, 10)
  await answerWith(page, '1')
  await question(page, 'note').locator('textarea').fill('begun without a server')
  await page.getByText(ui('features/annotate:save.edited')).waitFor()
  await expectStoredAnswers(page, 1)
  await expect.poll(() => expectStoredEdits(page)).toContain('begun without a server')
  await page.reload()
  await expect.poll(() => question(page, 'note').locator('textarea').inputValue()).toBe('begun without a server')
  await startOwnServer()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await answered(id, 1)
  expect(await expectOneAnswerEach(id)).toBe(true)
  await close()
})

detail('a session that ends in between loses no answer', async () => {
  const id = await seed(12)
  const { page, context, close } = await open(id)
  await saveForOffline(page, 10)
  await context.setOffline(true)
  await answerWith(page, '2')
  await answerWith(page, '2')
  await unsent(page, 2)
  const me = await callAsOwner<{ items: { id: string; username: string }[] }>(createWorld.server, 'GET', '/users')
  const ann = me.items.find(({ username }) => username === 'ann')?.id ?? ''
  await callAsOwner(createWorld.server, 'PATCH', `/users/${ann}`, { active: false })
  await callAsOwner(createWorld.server, 'PATCH', `/users/${ann}`, { active: true })
  await context.setOffline(false)
  await page.reload()
  await page.waitForURL(/sign-in/)
  expect((await storedRecords(createWorld.server, id)).some(({ responses }) => responses.length > 0)).toBe(false)
  // Without a session, saved records are shown to nobody.
  await context.setOffline(true)
  await page.goto(`/dataset/${id}/annotation-mode`)
  await page.locator('main').first().waitFor()
  expect(await page.getByText('Record 1').count()).toBe(0)
  await context.setOffline(false)
  await page.goto('/sign-in')
  await signIn(page, 'ann', PASSWORD)
  await answered(id, 2)
  expect(await expectOneAnswerEach(id)).toBe(true)
  await close()
})

test('signing out removes everything from the device, after a warning about unsent answers', async () => {
  const id = await seed(12)
  const { page, context, close } = await open(id)
  await saveForOffline(page, 10)
  expect(await countOfflineRows(page)).toMatchObject({ records: 10, packs: 1 })
  await context.setOffline(true)
  await answerWith(page, '1')
  await unsent(page, 1)
  await page.getByRole('button', { name: /ann/i }).first().click()
  await page.getByRole('menuitem', { name: ui('common:user.signOut') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: ui('common:unsent.stay') })
    .click()
  expect(await countOfflineRows(page)).toMatchObject({ records: 10 })
  await context.setOffline(false)
  await answered(id, 1)
  await expectStoredAnswers(page, 0)
  await page.getByRole('button', { name: /ann/i }).first().click()
  await page.getByRole('menuitem', { name: ui('common:user.signOut') }).click()
  await page.waitForURL(/sign-in/)
  await expect.poll(() => countOfflineRows(page)).toEqual({ answers: 0, files: 0, packs: 0, records: 0 })
  // Another user finds no saved records, online or offline.
  await createSession(page, createWorld.server.url, 'ben', PASSWORD)
  await page.goto('/')
  await page.locator('main').first().waitFor()
  await context.setOffline(true)
  await page.goto(`/dataset/${id}/annotation-mode`)
  await page.locator('main').first().waitFor()
  expect(await page.getByText(/^Record \d/).count()).toBe(0)
  await close()
})

detail('signing out everywhere also removes everything from the device', async () => {
  const id = await seed(12)
  const { page, context, close } = await open(id)
  await saveForOffline(page, 10)
  await page.goto('/user-settings')
  // Content that is still loading can move the page, so that a click misses its target.
  await page.waitForLoadState('networkidle')
  // The page is left and then loaded again.
  const freshPage = page.waitForEvent('load')
  await page.getByRole('button', { name: ui('features/profile:sessions') }).click()
  await freshPage
  await page.waitForURL(/sign-in/)
  await expect.poll(() => countOfflineRows(page)).toEqual({ answers: 0, files: 0, packs: 0, records: 0 })
  await context.setOffline(true)
  await page.goto(`/dataset/${id}/annotation-mode`)
  await page.locator('main').first().waitFor()
  expect(await page.getByText(/^Record \d/).count()).toBe(0)
  await close()
})

detail('the page can be installed, and caches only its own files', async () => {
  const { page, context, close } = await open(await seed(3))
  const link = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = await page.request.get(new URL(link ?? '', `${createWorld.server.url}/`).href)
  expect(manifest.headers()['content-type']).toContain('application/manifest+json')
  const { icons, start_url, display } = await manifest.json()
  expect([start_url, display]).toEqual(['./', 'standalone'])
  for (const { src, sizes } of icons) {
    const icon = await page.request.get(`${createWorld.server.url}/${src}`)
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
  await page.reload()
  await page.locator('[data-question]').first().waitFor()
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await context.setOffline(true)
  await page.reload()
  expect(await page.title()).toContain('Postil')
  await close()
})

detail('installed from two addresses of a host, it is two apps', async () => {
  const identify = async (path: string): Promise<string | undefined> => {
    const server = await startServer({ args: ['--base-url', path] })
    const { page, context, close } = await openPage(createWorld.browser, server.url)
    await page.goto(`${server.url}/sign-in`)
    const { manifest } = await (await context.newCDPSession(page)).send('Page.getAppManifest')
    const { pathname } = new URL(manifest.id ?? '')
    await close()
    await server.stop()
    return pathname
  }
  expect([await identify('/first'), await identify('/second')]).toEqual(['/first/', '/second/'])
})

detail.each(
  variants(1, [
    ['a desk', {}],
    ['a phone', PHONE],
  ] as const),
)('the offline dialog is accessible on %s, in every theme', async (_, settings) => {
  const id = await seed(12)
  const { page, close } = await open(id, 'ben', settings)
  await saveForOffline(page, 10)
  await page.getByRole('button', { name: ui('features/annotate:take.title') }).click()
  const dialog = page.getByRole('dialog', { name: ui('features/annotate:take.title') })
  await dialog.getByText(uiPattern('features/annotate:take.here', { formatted: 10 })).waitFor()
  for (const theme of THEMES) {
    await applyTheme(page, theme)
    expect(await findViolations(page, theme === 'light' ? 'all' : 'colours')).toEqual([])
  }
  await dialog.getByRole('button', { name: ui('features/annotate:take.leave') }).click()
  await dialog.getByText(uiPattern('features/annotate:take.here', { formatted: 10 })).waitFor({ state: 'detached' })
  expect(await countOfflineRows(page)).toEqual({ answers: 0, files: 0, packs: 0, records: 0 })
  await close()
})
