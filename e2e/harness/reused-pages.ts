import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/* Opening a web app in a new context takes a second of processor time, half of which prepares the process of the page and
   compiles scripts. A page to which a test made no lasting changes is therefore given to the next test with the same options. Its
   cookies, storage, listeners, history and document are removed first. */

export type ReusablePage = {
  readonly context: BrowserContext
  readonly page: Page
  /** Gives the page to later tests if nothing but the document and the storage has changed. Otherwise, closes it. */
  readonly giveBack: () => Promise<void>
}

type Kept = Omit<ReusablePage, 'giveBack'> & { readonly key: string; readonly empty: () => Promise<void>; isChanged: boolean }

/**
 * Maximum number of pages that are kept for reuse. Tests use only a few kinds of pages at a time. If there are more pages, the
 * oldest is closed, because its server may have ended.
 */
const MAX_KEPT = 4
const kept: Kept[] = []

/** Methods whose effects outlast the document and the storage. Methods whose effects `restoreNetwork` undoes are not listed. */
const LASTING_CHANGES = {
  page: [
    'addInitScript',
    'emulateMedia',
    'exposeBinding',
    'exposeFunction',
    'routeFromHAR',
    'routeWebSocket',
    'setDefaultNavigationTimeout',
    'setDefaultTimeout',
    'setExtraHTTPHeaders',
    'setViewportSize',
  ],
  context: [
    'addInitScript',
    'exposeBinding',
    'exposeFunction',
    'grantPermissions',
    'newCDPSession',
    'newPage',
    'on',
    'routeFromHAR',
    'routeWebSocket',
    'setDefaultNavigationTimeout',
    'setDefaultTimeout',
    'setExtraHTTPHeaders',
    'setGeolocation',
  ],
} as const

const watchChanges = (target: object, methods: readonly string[], changed: () => void): void => {
  for (const name of [...methods, 'clock']) {
    const value = Reflect.get(target, name)
    const watched = (...args: readonly unknown[]) => {
      changed()
      return value.apply(target, args)
    }
    Object.defineProperty(target, name, {
      configurable: true,
      get: () => {
        if (typeof value === 'function') return watched
        changed()
        return value
      },
    })
  }
}

/** Undoes a test's changes to the network: offline mode and intercepted requests. */
const restoreNetwork = async (context: BrowserContext, page: Page): Promise<void> => {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
}

/**
 * Leaves the web app, but stays on its origin, because another origin would get a new process. No request reaches the server, so
 * this works even if the test has disconnected the network.
 */
const leave = (page: Page, baseURL: string): (() => Promise<void>) => {
  const goto = page.goto.bind(page)
  const address = `${baseURL}/manifest.webmanifest`
  return async () => {
    page.removeAllListeners()
    // Moves the pointer out of the page, because a new page has no element below the pointer.
    await page.mouse.move(-1, -1)
    await page.route(address, (route) => route.fulfill({ json: {} }))
    await goto(address, { waitUntil: 'commit', timeout: 10_000 })
  }
}

const open = async (
  browser: Browser,
  key: string,
  options: BrowserContextOptions & { readonly baseURL: string },
  prepare: (context: BrowserContext, page: Page) => Promise<void>,
): Promise<Kept> => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const leaveApp = leave(page, options.baseURL)
  await prepare(context, page)
  const { origin } = new URL(options.baseURL)
  const empty = async () => {
    // Leaves the web app before the network is restored. Otherwise, the web app would send unsent answers immediately.
    await leaveApp()
    await restoreNetwork(context, page)
    await page.evaluate(() => sessionStorage.clear())
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
    await session.send('Page.resetNavigationHistory')
    await context.clearCookies()
  }
  const one: Kept = { key, context, page, empty, isChanged: false }
  const changed = () => {
    one.isChanged = true
  }
  watchChanges(page, LASTING_CHANGES.page, changed)
  watchChanges(context, LASTING_CHANGES.context, changed)
  return one
}

/**
 * Returns a page that was opened with these options and prepared by `prepare`. If an earlier test no longer needs such a page, it
 * is reused. Otherwise, a new page is opened.
 * @param key identifies what `prepare` does
 * @param prepare sets up a new page
 */
export const reusablePage = async (
  browser: Browser,
  key: string,
  options: BrowserContextOptions & { readonly baseURL: string },
  prepare: (context: BrowserContext, page: Page) => Promise<void>,
): Promise<ReusablePage> => {
  const whole = JSON.stringify([key, options])
  const index = kept.findIndex((one) => one.key === whole && one.context.browser()?.isConnected() && !one.page.isClosed())
  const one = kept.splice(index, index < 0 ? 0 : 1)[0] ?? (await open(browser, whole, options, prepare))
  const { context, page } = one
  const isUsable = () => !one.isChanged && !page.isClosed() && context.pages().length === 1
  let isGivenBack = false
  return {
    context,
    page,
    giveBack: async () => {
      if (isGivenBack) return
      isGivenBack = true
      const isEmpty =
        isUsable() &&
        (await one.empty().then(
          () => true,
          () => false,
        ))
      if (!isEmpty) return context.close()
      kept.push(one)
      if (kept.length > MAX_KEPT) await kept.shift()?.context.close()
    },
  }
}
