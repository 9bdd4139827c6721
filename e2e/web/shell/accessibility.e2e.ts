import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Language, lookedAt, openBrowser, openPage, speak, THEMES, violations, wearTheme } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { screens } from '../screens/screens.ts'
import { smallTargets } from '../screens/small-targets.ts'
import { givenScreens, SIZES } from '../screens/visiting.ts'

let server: RunningServer
let browser: Browser
let show: Awaited<ReturnType<typeof givenScreens>>

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  show = await givenScreens(server)
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

/**
 * What is wider than its place without a way to scroll to the rest of it: words of buttons, links, headings, labels and pills that are cut off, and words
 * of anything that stick out of it.
 */
const misfits = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const sticking = [...document.querySelectorAll('#root *')].filter((element) => {
      const { overflowX, display } = getComputedStyle(element)
      const hasWords = [...element.childNodes].some(
        ({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim(),
      )
      const isWide = element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1
      return hasWords && isWide && overflowX === 'visible' && display !== 'inline' && !element.closest('.visually-hidden')
    })
    const found = [...document.querySelectorAll('button, a, h1, h2, h3, label, legend, summary, dt, th')].filter((element) => {
      const { overflowX, textOverflow, display } = getComputedStyle(element)
      const isCut = (overflowX === 'hidden' || overflowX === 'clip') && textOverflow !== 'ellipsis'
      return (
        isCut &&
        display !== 'inline' &&
        !element.closest('.visually-hidden') &&
        element.clientWidth > 1 &&
        element.scrollWidth > element.clientWidth + 1
      )
    })
    const root = document.documentElement
    return [
      ...(root.scrollWidth > root.clientWidth ? ['the page'] : []),
      ...[...found, ...sticking].map((element) => `${element.tagName} ${element.textContent}`),
    ]
  })

/** At least what WCAG 2.2 asks for (2.5.8), without its exception of what has room around it; fingers have more. */
const LEAST = { 1440: { width: 24, height: 24 }, 390: { width: 24, height: 28 } } as const

/** English last, because the next screen is led to in it. */
const LANGUAGES: readonly Language[] = ['de', 'es', 'en']

test.each([1440, 390] as const)(
  'no violations at %i px in any theme, and nothing too small to be hit; on a phone everything fits in every language',
  // There are a hundred screens to look at, each several times.
  { timeout: 900_000 },
  async (size) => {
    const { page, close } = await openPage(browser, server.url, { theme: 'light', ...SIZES[size] })
    const found: { [screen: string]: readonly string[] } = {}
    const note = (where: string, all: readonly string[]): void => {
      if (all.length > 0) found[where] = all
    }
    for (const [name, screen] of Object.entries(screens)) {
      await show(page, screen)
      for (const theme of THEMES) {
        await wearTheme(page, theme)
        // A theme changes colours and nothing else.
        note(`${name}, ${theme}`, await violations(page, theme === 'light' ? 'all' : lookedAt(theme)))
      }
      for (const language of size === 390 ? LANGUAGES : []) {
        await speak(page, language)
        note(`${name}, ${language}`, await misfits(page))
      }
      note(`${name}, targets`, await smallTargets(page, LEAST[size]))
    }
    expect(found).toEqual({})
    await close()
  },
)
