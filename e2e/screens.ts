/**
 * `npm run screens [-- FOLDER] [--only TEXT] [--language de]`: takes screenshots of every screen for review, in every theme and
 * at a desktop and a phone width. The default folder is `.cache/screens`. `--only` selects the screens whose name contains the
 * text.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Page, Request } from 'playwright-core'
import { prepare } from '../scripts/prepare.mjs'
import { applyTheme, openBrowser, openPage, THEMES } from './harness/browser.ts'
import { startServer } from './harness/server.ts'
import { screens } from './web/screens/screens.ts'
import { SIZES, type Size, seedScreens } from './web/screens/visit.ts'

const root = resolve(import.meta.dirname, '..')
const own = join(root, '.cache', 'screens')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, language: { type: 'string', default: 'en' } },
})
const folder = resolve(positionals[0] ?? own)
const language = (['en', 'de', 'es'] as const).find((code) => code === values.language)
if (language === undefined) throw new Error(`--language is one of en, de and es, not ${values.language}`)
const wanted = Object.entries(screens).filter(([name]) => name.includes(values.only))

/**
 * The network counts as quiet when no request has started or ended for `QUIET_TIME`. `LONGEST` is the maximum time to wait for
 * this. Both are in milliseconds.
 */
const QUIET_TIME = 200
const LONGEST = 10_000

const fileOf = (name: string, theme: string, size: Size): string =>
  join(folder, `${name.replaceAll(/[^a-z]+/gi, '-')}.${theme}.${size}.png`)

/** Waits until no request has been in progress for a while, because parts of a screen load later. */
const waitUntilQuiet = (page: Page): (() => Promise<void>) => {
  const pendingRequests = new Set<Request>()
  let changed = performance.now()
  const note = (change: (request: Request) => unknown) => (request: Request) => {
    change(request)
    changed = performance.now()
  }
  page.on(
    'request',
    note((request) => pendingRequests.add(request)),
  )
  page.on(
    'requestfinished',
    note((request) => pendingRequests.delete(request)),
  )
  page.on(
    'requestfailed',
    note((request) => pendingRequests.delete(request)),
  )
  return async () => {
    const until = performance.now() + LONGEST
    while ((pendingRequests.size > 0 || performance.now() - changed < QUIET_TIME) && performance.now() < until)
      await sleep(QUIET_TIME / 4)
  }
}

await prepare()
if (folder === own) rmSync(own, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const [server, browser] = await Promise.all([startServer({ engine: 'sqlite' }), openBrowser()])
let written = 0
try {
  const show = await seedScreens(server)
  for (const size of [1440, 390] as const) {
    const { page, close } = await openPage(browser, server.url, { theme: 'light', language, ...SIZES[size] })
    const quiet = waitUntilQuiet(page)
    for (const [name, screen] of wanted) {
      await show(page, screen)
      await quiet()
      await page.evaluate(() => document.fonts.ready)
      for (const theme of THEMES) {
        await applyTheme(page, theme)
        await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))))
        await page.screenshot({ path: fileOf(name, theme, size), caret: 'hide' })
        written += 1
      }
    }
    await close()
  }
} finally {
  await browser.close()
  await server.stop()
}
process.stdout.write(`${written} pictures are in ${folder}\n`)
