import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { chooseRole } from '../support/creation-form.ts'
import { createSession } from '../support/sign-in.ts'

const PART = 8_388_608
/** Timeout in milliseconds. It is long because the file must be large, and a slow machine needs time to upload it. */
const LONG = 120_000
const team = setUpTeam()
let folder: string
/** A file that is uploaded in three parts. */
let path: string
let size: number

beforeAll(async () => {
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
  folder = await mkdtemp(join(tmpdir(), 'postil upload '))
  path = join(folder, 'long.csv')
  const content = `text,stars\n${Array.from({ length: 180_000 }, (_, i) => `A review with the number ${i} that is not short at all but long. ${'ü'.repeat(20)},${i % 5}\n`).join('')}`
  size = Buffer.byteLength(content)
  expect(size).toBeGreaterThan(2 * PART)
  await writeFile(path, content)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const placeOf = (request: Request): number => Number(new URL(request.url()).searchParams.get('at'))
/** Collects the offsets of the parts as they are sent. */
const partsOf = (page: Page): number[] => {
  const places: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/imports/uploads/')) places.push(placeOf(request))
  })
  return places
}
const open = async () => {
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url, 'adam', PASSWORD)
  await opened.page.goto('/new')
  return opened
}
const choose = (page: Page) => page.locator('input[type=file]').setInputFiles(path)
const parts = '**/api/v1/me/imports/uploads/*?at=*'

test('a part that fails to arrive is resent automatically', async () => {
  const { page, close } = await open()
  const sent = partsOf(page)
  let failures = 0
  await page.route(parts, (route) => {
    if (placeOf(route.request()) !== PART || failures === 2) return route.fallback()
    failures += 1
    return route.abort('connectionreset')
  })
  const waitingText = page.getByText(ui('features/create:file.waiting'))
  // The message is visible for a few seconds only.
  const waitingNotice = waitingText.waitFor({ timeout: LONG })
  await choose(page)
  await waitingNotice
  await chooseRole(page, 'text').waitFor({ timeout: LONG })
  expect(sent).toEqual([0, PART, PART, PART, 2 * PART])
  await expect.poll(() => waitingText.count()).toBe(0)
  await close()
})

test('after the page was closed halfway, the upload of the same file continues', async () => {
  const { page, close } = await open()
  await page.route(parts, (route) => (placeOf(route.request()) === PART ? undefined : route.fallback()))
  const halfWay = page.waitForRequest((request) => request.method() === 'PUT' && placeOf(request) === PART, { timeout: LONG })
  await choose(page)
  await halfWay
  await page.goto('/new')
  await page.unroute(parts)
  const sent = partsOf(page)
  await choose(page)
  await chooseRole(page, 'text').waitFor({ timeout: LONG })
  expect(sent).toEqual([PART, 2 * PART])
  await close()
})

test('a canceled upload starts from the beginning, and its parts are deleted from the server', async () => {
  const { page, close } = await open()
  await page.route(parts, (route) => (placeOf(route.request()) === PART ? undefined : route.fallback()))
  const halfWay = page.waitForRequest((request) => request.method() === 'PUT' && placeOf(request) === PART, { timeout: LONG })
  await choose(page)
  await halfWay
  const dropped = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('button', { name: ui('features/create:cancel') }).click()
  expect((await dropped).status()).toBe(204)
  await page.getByRole('button', { name: ui('features/create:file.choose') }).waitFor()
  await page.unroute(parts)
  const sent = partsOf(page)
  await choose(page)
  await chooseRole(page, 'text').waitFor({ timeout: LONG })
  expect(sent).toEqual([0, PART, 2 * PART])
  await close()
})
