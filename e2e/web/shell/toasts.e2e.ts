import { variants } from '@postil/testkit/run-size.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyTheme, DESKTOP, findViolations, openBrowser, openPage, PHONE, THEMES } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { stableBox } from '../support/stable-box.ts'
import { serveTestPage } from '../support/test-page.ts'

let served: Awaited<ReturnType<typeof serveTestPage>>
let browser: Browser
let url: string
beforeAll(async () => {
  ;[served, browser] = await Promise.all([serveTestPage('ui/testing/toast-page.tsx', ui('common:toast.region')), openBrowser()])
  url = served.url
})
afterAll(async () => {
  await browser?.close()
  served?.close()
})

const positions = ['top-left', 'top', 'top-right', 'bottom-left', 'bottom', 'bottom-right'] as const
type Options = {
  readonly text: string
  readonly position?: (typeof positions)[number]
  readonly permanent?: boolean
  readonly mode?: 'queue' | 'replace'
}
const show = (page: Page, options: Options): Promise<void> =>
  page.evaluate((asked) => {
    ;(window as unknown as { showToast: (options: unknown) => number }).showToast(asked)
  }, options)
const item = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })

const open = async (settings: Parameters<typeof openPage>[2] = {}) => {
  const opened = await openPage(browser, url, settings)
  await opened.page.goto('/')
  await opened.page.waitForFunction(() => 'showToast' in window)
  return opened
}

/** The position of a notification on the screen. It must be fully visible. */
const placeOf = async (page: Page, text: string): Promise<readonly [vertical: string, horizontal: string]> => {
  const box = await stableBox(item(page, text))
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  if (box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height)
    throw new Error(`${text} is not on the screen: ${JSON.stringify(box)}`)
  const [x, y] = [box.x + box.width / 2 - width / 2, box.y + box.height / 2 - height / 2]
  return [y < 0 ? 'top' : 'bottom', Math.abs(x) < 2 ? 'middle' : x < 0 ? 'left' : 'right']
}

describe.each(
  variants(1, [
    ['a desk', DESKTOP],
    ['a phone', PHONE],
  ] as const),
)('notifications on %s', (name, settings) => {
  test('are fully visible at each of the six positions, in every theme', async () => {
    const { page, close, complaints } = await open(settings)
    for (const position of positions) {
      const text = `Something was said ${position}.`
      await show(page, { text, position, permanent: true })
      const [vertical, horizontal = 'middle'] = position.split('-')
      // On a phone, notifications differ only in their vertical position.
      const wanted = name === 'a desk' ? [vertical, horizontal] : [vertical]
      await expect.poll(async () => (await placeOf(page, text)).slice(0, wanted.length)).toEqual(wanted)
      for (const theme of THEMES) {
        await applyTheme(page, theme)
        expect(await findViolations(page, theme === 'light' ? 'all' : 'colours')).toEqual([])
      }
      await item(page, text)
        .getByRole('button', { name: ui('common:action.close') })
        .click()
      await item(page, text).waitFor({ state: 'detached' })
    }
    expect(complaints()).toEqual([])
    await close()
  })
})

test('a notification disappears automatically, but not while the pointer is over it', async () => {
  const { page, close } = await open()
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await show(page, { text: 'Short.' })
  await page.clock.runFor(100)
  await item(page, 'Short.').hover()
  await page.locator('li:hover').waitFor()
  await page.clock.runFor(60_000)
  expect(await item(page, 'Short.').count()).toBe(1)
  await page.mouse.move(0, 0)
  await page.locator('li:hover').waitFor({ state: 'detached' })
  await page.clock.runFor(6990)
  expect(await item(page, 'Short.').count()).toBe(1)
  await page.clock.runFor(200)
  await expect.poll(() => item(page, 'Short.').count()).toBe(0)
  await close()
})

test('a notification waits for the current one, or replaces it', async () => {
  const { page, close } = await open()
  await show(page, { text: 'First.', permanent: true })
  await item(page, 'First.').waitFor()
  await show(page, { text: 'Second.', permanent: true, mode: 'queue' })
  await page.waitForTimeout(600)
  expect(await item(page, 'Second.').count()).toBe(0)
  await item(page, 'First.')
    .getByRole('button', { name: ui('common:action.close') })
    .click()
  await item(page, 'Second.').waitFor()
  await show(page, { text: 'Third.', permanent: true, mode: 'replace' })
  await item(page, 'Third.').waitFor()
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1)
  await close()
})
