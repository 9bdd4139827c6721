import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { chromium as driver } from 'playwright-core'
import { chromium as find } from '../../scripts/lib/chromium.mjs'
import { reusablePage } from './reused-pages.ts'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Turns off script streaming in tests. A reused page keeps its compiled scripts, but it compiles streamed scripts again at each
 * load, which takes 0.1 s of processor time. Measurements use streaming, as users' browsers do.
 */
const TEST_FLAGS = ['--js-flags=--no-script-streaming']

type BrowserOptions = {
  /** Flags in addition to those that all tests use. */
  readonly flags?: readonly string[]
  /** Whether to open the full browser, for measurements. Tests use the headless shell. */
  readonly whole?: boolean
}

const launch = async ({ flags = [], whole = false }: BrowserOptions): Promise<Browser> =>
  driver.launch({
    executablePath: await find({ whole }),
    headless: true,
    args: [...FLAGS, ...(whole ? [] : TEST_FLAGS), ...flags],
  })

let shared: Promise<Browser> | undefined

/** The process's own browser. A crashed one is replaced. */
const sharedBrowser = async (): Promise<Browser> => {
  const known = await shared
  if (known?.isConnected()) return known
  shared = launch({})
  return shared
}

/** For each handle of the shared browser: the browser itself, and the contexts that were opened through the handle. */
const contextsOf = new WeakMap<Browser, { readonly target: Browser; readonly open: Set<BrowserContext> }>()

/**
 * Opens the system's Chromium without a window. All test files of a process share one browser, because each launch takes about a
 * second of processor time. If the browser is shared, `close` only closes the contexts that were opened through this handle. A
 * browser is not shared if the options contain `flags` or `whole`.
 */
export const openBrowser = async (options: BrowserOptions = {}): Promise<Browser> => {
  if (options.flags !== undefined || options.whole === true) return launch(options)
  const browser = await sharedBrowser()
  const open = new Set<BrowserContext>()
  const handle = new Proxy(browser, {
    get: (target, name) => {
      if (name === 'close') return () => Promise.all([...open].map((context) => context.close())).then(() => undefined)
      if (name === 'newContext')
        return async (contextOptions?: BrowserContextOptions) => {
          const context = await target.newContext(contextOptions)
          open.add(context)
          return context
        }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  contextsOf.set(handle, { target: browser, open })
  return handle
}

export const DESKTOP = { viewport: { width: 1440, height: 900 } } as const
export const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true } as const

export type Theme = 'system' | 'light' | 'dark' | 'high-contrast'
export const THEMES: readonly Theme[] = ['light', 'dark', 'high-contrast']

export type PageOptions = BrowserContextOptions & {
  readonly theme?: Theme
  readonly language?: Language
  /** Whether to open a new browser context with an empty cache. If false, an earlier test's context may be cleared and reused. */
  readonly isNew?: boolean
}

export type OpenPage = {
  readonly page: Page
  readonly context: BrowserContext
  /** Script errors and violations of the content security policy. */
  readonly complaints: () => readonly string[]
  readonly close: () => Promise<void>
}

/** Failed requests don't count as complaints. Tests that cause requests to fail check what the screen shows. */
const isComplaint = (text: string): boolean => !/^Failed to load resource/.test(text)

/** Loads the font of the page. `document.fonts.ready` alone is not enough, because it also resolves if no load has begun. */
const loadFonts = async (page: Page): Promise<void> => {
  await page.waitForFunction(async () => {
    const { fontFamily } = getComputedStyle(document.documentElement)
    await document.fonts.load(`16px ${fontFamily}`).catch(() => undefined)
    await document.fonts.ready
    return true
  })
}

/** Makes `goto` and `reload` wait for fonts, so that a test never measures the layout of a substitute font. */
const waitForFonts = (page: Page): Page => {
  const goto = page.goto.bind(page)
  const reload = page.reload.bind(page)
  page.goto = async (url, options) => {
    const response = await goto(url, options)
    if (options?.waitUntil !== 'commit') await loadFonts(page)
    return response
  }
  page.reload = async (options) => {
    const response = await reload(options)
    if (options?.waitUntil !== 'commit') await loadFonts(page)
    return response
  }
  return page
}

/** Prepares a new page. */
const prepare = async (
  context: BrowserContext,
  page: Page,
  chosen: { readonly theme?: Theme; readonly language?: Language },
): Promise<void> => {
  waitForFonts(page)
  const newPage = context.newPage.bind(context)
  context.newPage = async () => waitForFonts(await newPage())
  await page.addInitScript((choice) => {
    if (window.top !== window || location.protocol === 'about:') return
    const known = JSON.parse(localStorage.getItem('postil') ?? '{}')
    localStorage.setItem('postil', JSON.stringify({ ...choice, ...known }))
  }, chosen)
}

/** Opens a page without cookies, storage or history, so that nothing remains from other tests. */
export const openPage = async (
  browser: Browser,
  baseURL: string,
  { theme, language, isNew = false, ...rest }: PageOptions = {},
): Promise<OpenPage> => {
  // Animations are off by default, because color checks would have to wait for every transition. Service workers are blocked,
  // because tests watch and stop requests to the server. Only the tests of the service worker allow them.
  const options = {
    baseURL,
    locale: 'en-US',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    ...DESKTOP,
    ...rest,
  } as const
  const chosen = { ...(theme && { theme }), ...(language && { language }) }
  const handle = contextsOf.get(browser)
  const complaints: string[] = []
  const listen = (page: Page) => {
    page.on('pageerror', (error) => complaints.push(`${error.name}: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error' && isComplaint(message.text())) complaints.push(message.text())
    })
  }
  if (handle === undefined || isNew || options.serviceWorkers === 'allow') {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    await prepare(context, page, chosen)
    listen(page)
    return { page, context, complaints: () => complaints, close: () => context.close() }
  }
  const { context, page, giveBack } = await reusablePage(handle.target, JSON.stringify(chosen), options, (...one) =>
    prepare(...one, chosen),
  )
  handle.open.add(context)
  listen(page)
  const close = async () => {
    await giveBack()
    handle.open.delete(context)
  }
  return { page, context, complaints: () => complaints, close }
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Sandboxed frames contain other people's content and can't be inspected. Axe would wait half a second for each of them. */
const own: RunOptions = { iframes: false, resultTypes: ['violations'] }

/** WCAG 2.0 to 2.2, levels A and AA, and best practices. */
const rules: RunOptions = { ...own, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }

const colourRules: RunOptions = { ...own, runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

/** Contrast of 7:1 for text and 4.5:1 for large text, as the high-contrast theme promises. */
const enhancedRules: RunOptions = { ...own, runOnly: { type: 'rule', values: ['color-contrast-enhanced', 'link-in-text-block'] } }

const rulesOf = { all: rules, colours: colourRules, enhanced: enhancedRules }

/** The rules to check in other themes after all rules have been checked in one theme. Themes differ only in their colors. */
export const checkedRules = (theme: Theme): 'colours' | 'enhanced' => (theme === 'high-contrast' ? 'enhanced' : 'colours')

export type Language = 'en' | 'de' | 'es'

/** Changes the setting as another tab would. */
const setPreference = (page: Page, choice: { readonly theme: Theme } | { readonly language: Language }): Promise<void> =>
  page.evaluate((chosen) => {
    if (location.protocol === 'about:') return
    localStorage.setItem('postil', JSON.stringify({ ...JSON.parse(localStorage.getItem('postil') ?? '{}'), ...chosen }))
    window.dispatchEvent(new StorageEvent('storage', { key: 'postil' }))
  }, choice)

export const applyTheme = (page: Page, theme: Theme): Promise<void> => setPreference(page, { theme })

/** Switches the page to a language. Resolves once it is active. */
export const switchLanguage = async (page: Page, language: Language): Promise<void> => {
  await setPreference(page, { language })
  await page.waitForFunction((spoken) => document.documentElement.lang === spoken, language)
}

const axe = readFileSync(axePath, 'utf8')

/** The axe-core violations on the current page, one line per element. Empty if there are none. */
export const findViolations = async (page: Page, ruleSet: keyof typeof rulesOf = 'all'): Promise<readonly string[]> => {
  // Waits for animations to finish, so that colors are final.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))))
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe)
  const found = await page.evaluate(
    (options) => (window as unknown as { axe: { run: (options: unknown) => Promise<AxeResults> } }).axe.run(options),
    rulesOf[ruleSet],
  )
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  )
}

export type Transfer = {
  readonly url: string
  readonly type: string /** The size on the network, including headers. */
  readonly bytes: number
}

/** Records what a page fetches from now on, with compressed sizes. */
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

export const scriptBytes = (transfers: readonly Transfer[]): number =>
  transfers.filter(({ type }) => type === 'Script').reduce((sum, { bytes }) => sum + bytes, 0)
