import { variants } from '@postil/testkit/run-size.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { openAnnotation } from '../fixtures/annotation.ts'
import { seedFilterable } from '../fixtures/filterable.ts'
import { seedWorkspace } from '../fixtures/seed.ts'
import { createSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser
let team: string

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  team = await seedWorkspace(server, 'team')
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

type FocusStop = { readonly name: string; readonly isSeen: boolean; readonly isLast: boolean }

const focusedElement = (page: Page): Promise<FocusStop> =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body
    const { x, y, width, height } = element.getBoundingClientRect()
    const parts = [0.2, 0.5, 0.8]
    const isSeen = parts.some((across) =>
      parts.some((down) => {
        const hit = document.elementFromPoint(x + width * across, y + height * down)
        return hit !== null && (element.contains(hit) || element.closest('label')?.contains(hit) === true)
      }),
    )
    const name = `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 40)}`
    return { name, isSeen, isLast: element === document.body || element.matches('[type=submit]') }
  })

/** Tabs to the button that creates the dataset, and back to the top. @returns the elements that were not visible */
const findHiddenStops = async (page: Page): Promise<readonly string[]> => {
  const found: string[] = []
  for (const key of ['Tab', 'Shift+Tab'] as const) {
    for (let presses = 0; presses < 80; presses += 1) {
      await page.keyboard.press(key)
      const { name, isSeen, isLast } = await focusedElement(page)
      if (isLast) break
      if (!isSeen) found.push(`${key}: ${name}`)
    }
  }
  return found
}

test.each(
  variants(1, [
    ['on a desktop', { width: 1280, height: 720 }],
    ['on a phone', { width: 390, height: 844 }],
    ['at 400 %', { width: 320, height: 256 }],
  ] as const),
)('the focused element is never hidden below the bars of the new dataset page, %s', async (_, viewport) => {
  const { page, close } = await openPage(browser, server.url, { viewport })
  await createSession(page, server.url)
  await page.goto('/new')
  const buffer = Buffer.from('id,text,label\na,One text.,yes\nb,Another.,no\n')
  await page.locator('input[type=file]').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer })
  await page.locator('main form li select').first().waitFor()
  await page.locator('main form [aria-busy=false]').first().waitFor()
  await page.locator('#main').focus()
  expect(await findHiddenStops(page)).toEqual([])
  await close()
})

test('a panel closes when Tab leaves it and never covers the focused element, and its button and Escape still work', async () => {
  const id = await seedFilterable(server, { name: 'filterable', workspaceId: team })
  const { page, close } = await openPage(browser, server.url, { viewport: { width: 390, height: 844 } })
  await createSession(page, server.url)
  await openAnnotation(page, id, '?metadata=source.web')
  const panel = page.getByRole('dialog', { name: ui('features/annotate:views') })
  const button = page.getByRole('button', { name: ui('features/annotate:views') })
  await button.press('Enter')
  await panel.getByRole('button', { name: ui('features/saved-views:saveShown') }).press('Tab')
  await expect.poll(() => panel.isVisible()).toBe(false)
  const { name, isSeen } = await focusedElement(page)
  expect([name, isSeen]).toEqual([`BUTTON ${ui('features/annotate:filters.reset')}`, true])

  await button.press('Enter')
  await panel.waitFor()
  // Clicking the button moves the focus out of the panel. This must not open the panel again.
  await button.click()
  await expect.poll(() => panel.isVisible()).toBe(false)
  await button.press('Enter')
  await panel.waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => panel.isVisible()).toBe(false)
  expect((await focusedElement(page)).name).toBe(`BUTTON ${ui('features/annotate:views')}`)
  await close()
})
