import { isFullRun } from '@postil/testkit/run-size.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  applyTheme,
  checkedRules,
  findViolations,
  type Language,
  openBrowser,
  openPage,
  switchLanguage,
  THEMES,
  type Theme,
} from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { screens } from '../screens/screens.ts'
import { findSmallTargets } from '../screens/small-targets.ts'
import { SIZES, seedScreens } from '../screens/visit.ts'

let server: RunningServer
let browser: Browser
let show: Awaited<ReturnType<typeof seedScreens>>

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  show = await seedScreens(server)
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

/**
 * Content that is wider than its container and can't be scrolled: cut-off text in buttons, links, headings, labels and pills, and
 * overflowing text in any element.
 */
const layoutProblems = (page: Page): Promise<readonly string[]> =>
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

/** The minimum size of WCAG 2.2 (2.5.8), without its exception for spacing. Touch targets are taller. */
const MIN_TARGET = { 1440: { width: 24, height: 24 }, 390: { width: 24, height: 28 } } as const

/**
 * The screens to check at a size. Most screens consist of the same components, which work the same way on all of them. Daily runs
 * therefore check every eighth screen on a phone, and another eighth in a wide window.
 */
const screensAt = (size: 1440 | 390) =>
  Object.entries(screens).filter((_, index) => isFullRun || index % 8 === (size === 1440 ? 0 : 4))

/**
 * The themes in which a screen is checked. Daily runs check most screens only in the light theme, because all screens use the
 * same few colors.
 */
const themesOf = (index: number): readonly Theme[] => {
  if (isFullRun) return THEMES
  const other = index % 8 === 0 ? 'dark' : 'high-contrast'
  return index % 4 === 0 ? ['light', other] : ['light']
}

/** English is last, because the next screen is opened in English. */
const LANGUAGES: readonly Language[] = ['de', 'es', 'en']

test.each([1440, 390] as const)(
  'there are no violations at %i px, targets are large enough, and on a phone everything fits in every language',
  // A hundred screens are checked several times each.
  { timeout: 900_000 },
  async (size) => {
    const { page, close } = await openPage(browser, server.url, { theme: 'light', ...SIZES[size] })
    const found: { [screen: string]: readonly string[] } = {}
    const note = (where: string, all: readonly string[]): void => {
      if (all.length > 0) found[where] = all
    }
    for (const [index, [name, screen]] of screensAt(size).entries()) {
      await show(page, screen)
      for (const theme of themesOf(index)) {
        await applyTheme(page, theme)
        note(`${name}, ${theme}`, await findViolations(page, theme === 'light' ? 'all' : checkedRules(theme)))
      }
      for (const language of size === 390 ? LANGUAGES : []) {
        await switchLanguage(page, language)
        note(`${name}, ${language}`, await layoutProblems(page))
      }
      note(`${name}, targets`, await findSmallTargets(page, MIN_TARGET[size]))
    }
    expect(found).toEqual({})
    await close()
  },
)
