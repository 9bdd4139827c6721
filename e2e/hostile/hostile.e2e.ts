import { isFullRun } from '@postil/testkit/run-size.ts'
import type { Browser, Frame } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenPage, openBrowser, openPage, THEMES } from '../harness/browser.ts'
import { type RunningServer, startServer } from '../harness/server.ts'
import { ui, uiPattern } from '../harness/ui-text.ts'
import { openAnnotation } from '../web/fixtures/annotation.ts'
import { PASSWORD } from '../web/fixtures/seed.ts'
import { createSession } from '../web/support/sign-in.ts'
import { type Canary, startCanary } from './canary.ts'
import { FRAMED_SCRIPTS, type HostileDataset, seedHostileDataset } from './fixtures.ts'
import { payloadsFor } from './payloads.ts'
import { sweep } from './sweep.ts'

let server: RunningServer
let browser: Browser
let canary: Canary
let hostile: HostileDataset

beforeAll(async () => {
  ;[server, browser, canary] = await Promise.all([startServer(), openBrowser(), startCanary()])
  hostile = await seedHostileDataset(server, payloadsFor(canary.host), canary.host)
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await canary?.close()
})

const runs = (): readonly string[] =>
  canary
    .hits()
    .map(({ path }) => path)
    .filter((path) => !path.startsWith('/picture/'))

type Watched = OpenPage & { readonly violations: () => Promise<readonly string[]>; readonly dialogs: readonly string[] }

const openAsHostile = async (options = {}): Promise<Watched> => {
  const opened = await openPage(browser, server.url, options)
  const dialogs: string[] = []
  opened.page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await opened.page.addInitScript(() => {
    if (window.top !== window) return
    const noted: string[] = []
    Reflect.set(window, 'noted', noted)
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
      // Chromium also reports violations in the separate document in which the sanitizer parses HTML. Nothing can run there.
      const isSanitiser = blockedURI === 'inline' && /\/assets\/sanitize-[^/]*\.js$/.test(sourceFile)
      if (!isSanitiser) noted.push(`${effectiveDirective} ${blockedURI}`)
    })
  })
  await createSession(opened.page, server.url, hostile.username, PASSWORD)
  return { ...opened, dialogs, violations: () => opened.page.evaluate(() => Reflect.get(window, 'noted') as string[]) }
}

/** Waits for a new image to load. All earlier requests have been sent by then. */
const settle = async ({ page }: OpenPage): Promise<void> => {
  const loaded = page.evaluate(
    (source) =>
      new Promise<void>((done) => {
        const picture = new Image()
        picture.onload = picture.onerror = () => done()
        picture.src = source
      }),
    `http:${canary.host}/picture/last`,
  )
  await loaded
}

const frameOf = async ({ page }: OpenPage, title: string): Promise<Frame> => {
  const frame = await page.locator(`iframe[title="${title}"]`).elementHandle()
  return (await frame?.contentFrame()) as Frame
}

/**
 * Waits until the frames can be inspected, which isn't possible while they are loading. Skips the runaway frames, which never
 * finish loading.
 */
const waitForFrames = async ({ page }: OpenPage): Promise<void> => {
  const areReady = (framedScripts: readonly string[]) =>
    [...document.querySelectorAll('iframe')].every(
      ({ title, dataset }) => framedScripts.includes(title) || dataset['ready'] !== undefined,
    )
  await page.waitForFunction(areReady, FRAMED_SCRIPTS, { polling: 100 })
}

/** Opens the hostile record and waits until the scripts of its custom fields are done. */
const openRecord = async (opened: OpenPage): Promise<Frame> => {
  const { page } = opened
  await openAnnotation(page, hostile.id)
  const heading = page.getByRole('heading', { name: 'intruder' })
  await heading
    .or(page.getByText('calm', { exact: true }))
    .first()
    .waitFor()
  if ((await heading.count()) === 0) await page.keyboard.press('ArrowRight')
  await heading.waitFor()
  const frame = await frameOf(opened, 'intruder')
  // Polls with a timer, because an off-screen frame gets no animation frames.
  const isDone = () => (self as { attempts?: { done?: boolean } }).attempts?.done === true
  // Must be a function: a string would be evaluated on every poll, which the page's policy forbids.
  await frame.waitForFunction(isDone, undefined, { polling: 100 })
  await waitForFrames(opened)
  return frame
}

test('the control works: without protection these texts run', async () => {
  const payloads = payloadsFor(canary.host)
  const { page, close } = await openPage(browser, server.url)
  const before = runs().length
  await page.goto(canary.show(payloads.map(({ text }) => text)))
  const heard = () =>
    new Set(
      runs()
        .slice(before)
        .map((path) => path.slice('/run/'.length)),
    )
  const activePayloads = payloads.filter(({ isActive }) => isActive).map(({ name }) => name)
  await expect.poll(() => activePayloads.filter((name) => !heard().has(name))).toEqual([])
  await close()
})

describe('stored XSS in records, labels, templates and settings does not run', () => {
  let before: number
  beforeAll(() => {
    before = runs().length
  })
  const nothingRan = () => expect(runs().slice(before)).toEqual([])

  test('on the home page', async () => {
    const opened = await openAsHostile()
    await opened.page.goto('/')
    const link = opened.page.getByRole('main').getByRole('listitem').getByRole('link')
    await link.waitFor()
    expect(await link.textContent()).toBe(hostile.name)
    await opened.page.getByRole('button', { name: uiPattern('common:user.menu') }).click()
    await opened.page.getByText(hostile.username, { exact: true }).first().waitFor()
    expect(await sweep(opened.page)).toEqual([])
    expect(await opened.violations()).toEqual([])
    expect([...opened.complaints(), ...opened.dialogs]).toEqual([])
    await opened.close()
    nothingRan()
  })

  // Themes only change colors, so only full runs repeat the test in every theme.
  test.each(isFullRun ? THEMES : (['light'] as const))('on an open record with every panel opened: %s', async (theme) => {
    const opened = await openAsHostile({ theme })
    const { page } = opened
    await openRecord(opened)
    const form = page.getByRole('form', { name: ui('features/annotate:form.name') })
    const label = page.locator('[data-question="label"]')
    expect(await label.locator('[data-option] bdi').allTextContents()).toEqual(hostile.labels)
    expect(await label.getByRole('heading').locator('bdi').textContent()).toBe(hostile.questionTitle)

    await page.getByRole('button', { name: ui('features/annotate:guidelines.title'), exact: true }).click()
    await page.getByRole('heading', { name: ui('features/annotate:guidelines.title') }).waitFor()
    for (const about of await form.getByRole('button', { name: uiPattern('features/annotate:question.about') }).all())
      await about.hover()
    const span = page.locator('[data-span-text] [data-marked]').first()
    await span.click({ position: { x: 2, y: 5 } })
    const labels = page.getByRole('combobox', { name: ui('question-types/span:findLabel') })
    await labels.waitFor()
    await page.keyboard.press('Escape')
    await labels.waitFor({ state: 'detached' })
    // Waits until the focus is back on the text. If the focus returned only after the next click, it would close the menu that
    // the click opens.
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[data-span-text]') !== null)).toBe(true)
    await page.getByRole('button', { name: ui('features/annotate:record.menu') }).click()
    await page.getByRole('menuitem', { name: ui('features/annotate:record.viewMetadata') }).click()
    await page.getByRole('dialog').getByRole('cell').first().waitFor()
    expect(await sweep(page, FRAMED_SCRIPTS)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: ui('features/annotate:shortcuts.title') }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const link of await page.getByText('press', { exact: true }).all()) await link.click({ force: true })
    await settle(opened)

    expect(await sweep(page, FRAMED_SCRIPTS)).toEqual([])
    // Frames that navigate to the canary server are expected violations: the policy of the surrounding page blocks them.
    const refused = (await opened.violations()).filter((one) => !one.startsWith(`frame-src http:${canary.host}`))
    expect(refused).toEqual([])
    expect(opened.dialogs).toEqual([])
    expect(new URL(page.url()).origin).toBe(server.url)
    await opened.close()
    nothingRan()
  })

  test('image requests identify neither the user nor the dataset', async () => {
    const pictures = canary.hits().filter(({ path }) => path.startsWith('/picture/'))
    expect(pictures.length).toBeGreaterThan(0)
    for (const { headers } of pictures) expect([headers.cookie, headers.authorization]).toEqual([undefined, undefined])
    const reportedPaths = pictures.map(({ headers }) => headers.referer ?? '').filter((referer) => /dataset/.test(referer))
    expect(reportedPaths).toEqual([])
  })
})

describe('a custom field with its own scripts', () => {
  test("can't escape its frame", async () => {
    const before = runs().length
    const opened = await openAsHostile()
    const { page } = opened
    const frame = await openRecord(opened)
    const attempts = (await frame.evaluate('attempts')) as { readonly [name: string]: string }
    const { cookie, setCookie, popup, beacon, form, dialog, topLocation, parentLocation, done, ...rest } = attempts
    expect(done).toBe(true)
    expect(rest).toEqual({
      localStorage: 'SecurityError',
      sessionStorage: 'SecurityError',
      indexedDB: 'SecurityError',
      parentDocument: 'SecurityError',
      parentVariable: 'SecurityError',
      siblings: 'SecurityError',
      // The frame can't access its own element: the reference is null.
      element: 'TypeError',
      worker: 'refused',
      fetchOwn: 'refused',
      fetchOther: 'refused',
      requestOwn: 'refused',
      socket: 'refused',
      events: 'refused',
      module: 'refused',
    })
    expect([cookie, setCookie, topLocation, parentLocation]).toEqual(Array.from({ length: 4 }, () => 'SecurityError'))
    // These results don't show whether the attempts succeeded. The checks below do.
    expect([popup, beacon, form, dialog].every((one) => typeof one === 'string')).toBe(true)
    await settle(opened)
    expect(page.context().pages()).toHaveLength(1)
    expect(opened.dialogs).toEqual([])
    expect(new URL(page.url()).origin).toBe(server.url)
    expect(runs().slice(before)).toEqual([])
    // The page shows the frame's message as plain text.
    await page.getByText('<img src=x onerror=').first().waitFor()
    expect(await sweep(page, FRAMED_SCRIPTS)).toEqual([])
    expect(opened.complaints().filter((one) => /TypeError|ReferenceError/.test(one))).toEqual([])
    await opened.close()
  })
})

test('nothing runs in typed, searched or answered text', async () => {
  const before = runs().length
  const opened = await openAsHostile()
  const { page } = opened
  const [first] = payloadsFor(canary.host)
  await page.goto(`/dataset/${hostile.id}/annotation-mode?search=${encodeURIComponent(`${first?.text}~all`)}`)
  await page.getByRole('textbox', { name: ui('features/annotate:toolbar.searchRecords') }).waitFor()
  await page.locator('main iframe').first().waitFor()
  await waitForFrames(opened)
  expect(await sweep(page, FRAMED_SCRIPTS)).toEqual([])
  await page.goto(`/dataset/${hostile.id}/annotation-mode?search=${encodeURIComponent(`"no such ${first?.text}"~all`)}`)
  await page.getByRole('heading', { name: uiPattern('features/annotate:end.noMatch') }).waitFor()
  expect(await sweep(page)).toEqual([])
  await page.goto(`/${encodeURIComponent(first?.text ?? '')}/x`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await sweep(page)).toEqual([])

  await page.goto(`/dataset/${hostile.id}/annotation-mode`)
  const question = page.locator('[data-question="text"]')
  await question.waitFor()
  await page.locator('[data-question="label"] [data-option]').first().click()
  if ((await question.getByRole('button', { name: ui('question-types/text:edit') }).count()) > 0)
    await question.getByRole('button', { name: ui('question-types/text:edit') }).click()
  await question.getByRole('textbox').fill(first?.text ?? '')
  await page.keyboard.press('Escape')
  const saved = page.waitForResponse((response) => response.url().endsWith('/responses/mine'))
  await page.keyboard.press('Control+Enter')
  expect((await saved).status()).toBe(201)
  await page.goto(`/dataset/${hostile.id}/annotation-mode?status=submitted`)
  await question.waitFor()
  await waitForFrames(opened)
  expect(await sweep(page, FRAMED_SCRIPTS)).toEqual([])
  expect(opened.dialogs).toEqual([])
  await opened.close()
  expect(runs().slice(before)).toEqual([])
})
