import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { chromium as driver } from 'playwright-core'
import { chromium as find } from '../../scripts/lib/chromium.mjs'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

type BrowserOptions = {
  /** Beside those of every test. */
  readonly flags?: readonly string[]
  /** The browser that people have, for what is measured: tests do with its engine. */
  readonly whole?: boolean
}

/** The system's Chromium, without a window. */
export const openBrowser = async ({ flags = [], whole = false }: BrowserOptions = {}): Promise<Browser> =>
  driver.launch({ executablePath: await find({ whole }), headless: true, args: [...FLAGS, ...flags] })

export const DESKTOP = { viewport: { width: 1440, height: 900 } } as const
export const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true } as const

export type Theme = 'system' | 'light' | 'dark' | 'high-contrast'
export const THEMES: readonly Theme[] = ['light', 'dark', 'high-contrast']

export type PageOptions = BrowserContextOptions & {
  readonly theme?: Theme
  readonly language?: Language
}

export type OpenPage = {
  readonly page: Page
  readonly context: BrowserContext
  /** What the page complained about: errors of scripts, and refusals of the content security policy. */
  readonly complaints: () => readonly string[]
  readonly close: () => Promise<void>
}

/** Requests that are meant to fail are no complaint: the tests that make them look at the screen. */
const isComplaint = (text: string): boolean => !/^Failed to load resource/.test(text)

/** A page of a browser of its own: nothing is remembered from another test. */
export const openPage = async (
  browser: Browser,
  baseURL: string,
  { theme, language, ...rest }: PageOptions = {},
): Promise<OpenPage> => {
  // Nothing moves unless a test wants it to: looking at colours would otherwise wait for every transition.
  // Files come from the server, which tests look at and stop: only tests about the worker that keeps them have it.
  const context = await browser.newContext({
    baseURL,
    locale: 'en-US',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    ...DESKTOP,
    ...rest,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`${error.name}: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && isComplaint(message.text())) complaints.push(message.text())
  })
  await page.addInitScript(
    (chosen) => {
      if (window.top !== window || location.protocol === 'about:') return
      const known = JSON.parse(localStorage.getItem('postil') ?? '{}')
      localStorage.setItem('postil', JSON.stringify({ ...chosen, ...known }))
    },
    { ...(theme && { theme }), ...(language && { language }) },
  )
  return { page, context, complaints: () => complaints, close: () => context.close() }
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What others write into a sandboxed frame is theirs, and out of reach: asked for it, axe waits half a second for nothing. */
const own: RunOptions = { iframes: false, resultTypes: ['violations'] }

/** WCAG 2.0 to 2.2, A and AA, and best practice. */
const rules: RunOptions = { ...own, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }

const colourRules: RunOptions = { ...own, runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

/** 7:1 for text, 4.5:1 for large text: what high contrast promises. */
const enhancedRules: RunOptions = { ...own, runOnly: { type: 'rule', values: ['color-contrast-enhanced', 'link-in-text-block'] } }

const rulesOf = { all: rules, colours: colourRules, enhanced: enhancedRules }

/** What is looked at beside the whole of one theme: a theme changes colours and nothing else. */
export const lookedAt = (theme: Theme): 'colours' | 'enhanced' => (theme === 'high-contrast' ? 'enhanced' : 'colours')

export type Language = 'en' | 'de' | 'es'

/** Chooses as another tab would. */
const choose = (page: Page, choice: { readonly theme: Theme } | { readonly language: Language }): Promise<void> =>
  page.evaluate((chosen) => {
    if (location.protocol === 'about:') return
    localStorage.setItem('postil', JSON.stringify({ ...JSON.parse(localStorage.getItem('postil') ?? '{}'), ...chosen }))
    window.dispatchEvent(new StorageEvent('storage', { key: 'postil' }))
  }, choice)

export const wearTheme = (page: Page, theme: Theme): Promise<void> => choose(page, { theme })

/** Has the page speak a language; resolves once it does. */
export const speak = async (page: Page, language: Language): Promise<void> => {
  await choose(page, { language })
  await page.waitForFunction((spoken) => document.documentElement.lang === spoken, language)
}

const axe = readFileSync(axePath, 'utf8')

/** What axe-core finds on the page as it stands, one line per element; empty when all is well. */
export const violations = async (page: Page, looked: keyof typeof rulesOf = 'all'): Promise<readonly string[]> => {
  // Colours are measured at rest.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))))
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe)
  const found = await page.evaluate(
    (options) => (window as unknown as { axe: { run: (options: unknown) => Promise<AxeResults> } }).axe.run(options),
    rulesOf[looked],
  )
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  )
}

export type Transfer = {
  readonly url: string
  readonly type: string /** On the wire, with its headers. */
  readonly bytes: number
}

/** Counts what a page fetches from now on, compressed as it travels. */
export const countTransfers = async ({ page, context }: OpenPage): Promise<() => readonly Transfer[]> => {
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  const known = new Map<string, { url: string; type: string }>()
  const done: Transfer[] = []
  session.on('Network.responseReceived', ({ requestId, response, type }) => known.set(requestId, { url: response.url, type }))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = known.get(requestId)
    if (request) done.push({ ...request, bytes: encodedDataLength })
  })
  return () => [...done]
}

/** Bytes of script among transfers. */
export const scriptBytes = (transfers: readonly Transfer[]): number =>
  transfers.filter(({ type }) => type === 'Script').reduce((sum, { bytes }) => sum + bytes, 0)
