import type { Browser, Frame } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenPage, openBrowser, openPage, THEMES } from '../harness/browser.ts'
import { type RunningServer, startServer } from '../harness/server.ts'
import { ui } from '../harness/ui-text.ts'
import { openAnnotation } from '../web/ground/annotation.ts'
import { PASSWORD } from '../web/ground/given.ts'
import { haveSession } from '../web/support/sign-in.ts'
import { type Canary, startCanary } from './canary.ts'
import { givenHostile, type Hostile, MAY_RUN } from './given.ts'
import { payloadsFor } from './payloads.ts'
import { sweep } from './sweep.ts'

let server: RunningServer
let browser: Browser
let canary: Canary
let hostile: Hostile

beforeAll(async () => {
  ;[server, browser, canary] = await Promise.all([startServer(), openBrowser(), startCanary()])
  hostile = await givenHostile(server, payloadsFor(canary.host), canary.host)
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

/** A page of the hostile user's that notes dialogs, and what the policy of our own document has refused. */
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
      // NOTE: Chromium reports also what the sanitiser reads in a document of its own, where nothing can run
      const isSanitiser = blockedURI === 'inline' && /\/assets\/allowed-[^/]*\.js$/.test(sourceFile)
      if (!isSanitiser) noted.push(`${effectiveDirective} ${blockedURI}`)
    })
  })
  await haveSession(opened.page, server.url, hostile.username, PASSWORD)
  return { ...opened, dialogs, violations: () => opened.page.evaluate(() => Reflect.get(window, 'noted') as string[]) }
}

/** Whatever was to be asked for before has been asked for when this picture is there. */
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

/** A frame that is still loading cannot be looked into; those that try to run away never end it. */
const framesAreThere = async ({ page }: OpenPage): Promise<void> => {
  const areReady = (mayRun: readonly string[]) =>
    [...document.querySelectorAll('iframe')].every(
      ({ title, dataset }) => mayRun.includes(title) || dataset['ready'] !== undefined,
    )
  await page.waitForFunction(areReady, MAY_RUN, { polling: 100 })
}

/** Opens the hostile record and waits until its custom fields have done what they do. */
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
  // NOTE: a frame out of sight gets no animation frames, so the clock is asked
  const isDone = () => (self as { attempts?: { done?: boolean } }).attempts?.done === true
  // A text would be evaluated again at each look, which the page's own rules forbid.
  await frame.waitForFunction(isDone, undefined, { polling: 100 })
  await framesAreThere(opened)
  return frame
}

test('the canary sings: without protection these texts run', async () => {
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
  const biting = payloads.filter(({ bites }) => bites).map(({ name }) => name)
  await expect.poll(() => biting.filter((name) => !heard().has(name))).toEqual([])
  await close()
})

describe('stored XSS in record, label, template and settings: in the page nothing of it runs', () => {
  let before: number
  beforeAll(() => {
    before = runs().length
  })
  const nothingRan = () => expect(runs().slice(before)).toEqual([])

  test('at home', async () => {
    const opened = await openAsHostile()
    await opened.page.goto('/')
    const link = opened.page.getByRole('main').getByRole('listitem').getByRole('link')
    await link.waitFor()
    expect(await link.textContent()).toBe(hostile.name)
    await opened.page.getByRole('button', { name: /settings and sign-out/ }).click()
    await opened.page.getByText(hostile.username, { exact: true }).first().waitFor()
    expect(await sweep(opened.page)).toEqual([])
    expect(await opened.violations()).toEqual([])
    expect([...opened.complaints(), ...opened.dialogs]).toEqual([])
    await opened.close()
    nothingRan()
  })

  test.each(THEMES)('before the record, with all that can be opened there: %s', async (theme) => {
    const opened = await openAsHostile({ theme })
    const { page } = opened
    await openRecord(opened)
    const form = page.getByRole('form', { name: ui('features/annotate:form.name') })
    const label = page.locator('[data-question="label"]')
    expect(await label.locator('[data-option] bdi').allTextContents()).toEqual(hostile.labels)
    expect(await label.getByRole('heading').locator('bdi').textContent()).toBe(hostile.questionTitle)

    await page.getByRole('button', { name: ui('features/annotate:guidelines.title'), exact: true }).click()
    await page.getByRole('heading', { name: ui('features/annotate:guidelines.title') }).waitFor()
    for (const about of await form.getByRole('button', { name: /^About / }).all()) await about.hover()
    const span = page.locator('[data-span-text] [data-marked]').first()
    await span.click({ position: { x: 2, y: 5 } })
    const labels = page.getByRole('combobox', { name: ui('question-types/span:findLabel') })
    await labels.waitFor()
    await page.keyboard.press('Escape')
    await labels.waitFor({ state: 'detached' })
    // What the labels of the span give the focus back to would close the menu that is opened before.
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[data-span-text]') !== null)).toBe(true)
    await page.getByRole('button', { name: ui('features/annotate:record.menu') }).click()
    await page.getByRole('menuitem', { name: ui('features/annotate:record.viewMetadata') }).click()
    await page.getByRole('dialog').getByRole('cell').first().waitFor()
    expect(await sweep(page, MAY_RUN)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: ui('features/annotate:shortcuts.title') }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const link of await page.getByText('press', { exact: true }).all()) await link.click({ force: true })
    await settle(opened)

    expect(await sweep(page, MAY_RUN)).toEqual([])
    // The frame that runs away is held by the policy of the page around it.
    const refused = (await opened.violations()).filter((one) => !one.startsWith(`frame-src http:${canary.host}`))
    expect(refused).toEqual([])
    expect(opened.dialogs).toEqual([])
    expect(new URL(page.url()).origin).toBe(server.url)
    await opened.close()
    nothingRan()
  })

  test('pictures that a record shows are asked for without a word of who looks', async () => {
    const pictures = canary.hits().filter(({ path }) => path.startsWith('/picture/'))
    expect(pictures.length).toBeGreaterThan(0)
    for (const { headers } of pictures) expect([headers.cookie, headers.authorization]).toEqual([undefined, undefined])
    const pathsTold = pictures.map(({ headers }) => headers.referer ?? '').filter((referer) => /dataset/.test(referer))
    expect(pathsTold).toEqual([])
  })
})

describe('a custom field with scripts of its own', () => {
  test('gets nowhere from its frame', async () => {
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
      // From here the frame has no element at all: it is null.
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
    // These say nothing of what became of them: the canary and the browser do.
    expect([popup, beacon, form, dialog].every((one) => typeof one === 'string')).toBe(true)
    await settle(opened)
    expect(page.context().pages()).toHaveLength(1)
    expect(opened.dialogs).toEqual([])
    expect(new URL(page.url()).origin).toBe(server.url)
    expect(runs().slice(before)).toEqual([])
    // What it says to the page is read as text.
    await page.getByText('<img src=x onerror=').first().waitFor()
    expect(await sweep(page, MAY_RUN)).toEqual([])
    expect(opened.complaints().filter((one) => /TypeError|ReferenceError/.test(one))).toEqual([])
    await opened.close()
  })
})

test('nothing runs in what is typed, searched for and answered', async () => {
  const before = runs().length
  const opened = await openAsHostile()
  const { page } = opened
  const [first] = payloadsFor(canary.host)
  await page.goto(`/dataset/${hostile.id}/annotation-mode?search=${encodeURIComponent(`${first?.text}~all`)}`)
  await page.getByRole('textbox', { name: ui('features/annotate:toolbar.searchRecords') }).waitFor()
  await page.locator('main iframe').first().waitFor()
  await framesAreThere(opened)
  expect(await sweep(page, MAY_RUN)).toEqual([])
  await page.goto(`/dataset/${hostile.id}/annotation-mode?search=${encodeURIComponent(`"no such ${first?.text}"~all`)}`)
  await page.getByRole('heading', { name: /^No record here matches/ }).waitFor()
  expect(await sweep(page)).toEqual([])
  await page.goto(`/${encodeURIComponent(first?.text ?? '')}/x`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await sweep(page)).toEqual([])

  await page.goto(`/dataset/${hostile.id}/annotation-mode`)
  const question = page.locator('[data-question="text"]')
  await question.waitFor()
  await page.locator('[data-question="label"] [data-option]').first().click()
  if ((await question.getByRole('button', { name: ui('features/administration:webhooks.edit') }).count()) > 0)
    await question.getByRole('button', { name: ui('features/administration:webhooks.edit') }).click()
  await question.getByRole('textbox').fill(first?.text ?? '')
  await page.keyboard.press('Escape')
  const saved = page.waitForResponse((response) => response.url().endsWith('/responses/mine'))
  await page.keyboard.press('Control+Enter')
  expect((await saved).status()).toBe(201)
  await page.goto(`/dataset/${hostile.id}/annotation-mode?status=submitted`)
  await question.waitFor()
  await framesAreThere(opened)
  expect(await sweep(page, MAY_RUN)).toEqual([])
  expect(opened.dialogs).toEqual([])
  await opened.close()
  expect(runs().slice(before)).toEqual([])
})
