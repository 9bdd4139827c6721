import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { expectLeft } from '../fixtures/annotation.ts'
import { chipTexts, openFiltering, PENDING, panel } from '../support/filtering.ts'

let filtering: Awaited<ReturnType<typeof openFiltering>>
beforeAll(async () => {
  filtering = await openFiltering()
})
afterAll(async () => {
  await filtering?.close()
})

const views = async (page: Page) => {
  await page.getByRole('button', { name: ui('features/annotate:views'), exact: true }).click()
  const opened = panel(page, ui('features/annotate:views'))
  await opened.getByRole('button', { name: ui('features/saved-views:saveShown') }).waitFor()
  return opened
}
const save = async (page: Page, name: string, shared = false): Promise<void> => {
  const opened = await views(page)
  await opened.getByRole('button', { name: ui('features/saved-views:saveShown') }).click()
  await opened.getByRole('textbox', { name: ui('features/saved-views:name') }).fill(name)
  if (shared) await opened.getByRole('switch', { name: ui('features/saved-views:share') }).check()
  await page.keyboard.press('Enter')
  // The focus moves to the new view, wherever it was before.
  const made = opened.getByRole('link', { name })
  await expect.poll(() => made.evaluate((element) => element === document.activeElement)).toBe(true)
}
const choose = async (page: Page, name: string, item: string): Promise<void> => {
  await panel(page, ui('features/annotate:views'))
    .getByRole('button', { name: ui('features/saved-views:more', { name }) })
    .click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const isAt = (page: Page, query: RegExp) => expect.poll(() => decodeURIComponent(new URL(page.url()).search)).toMatch(query)

test('the current view is saved under a name, and opened with one click at the first record', async () => {
  const { page, done } = await filtering.open('?page=2&metadata=source.web&sort=metadata.length.desc')
  await expectLeft(page, uiPattern('features/annotate:pager.pending', { formatted: /\d+/ }))
  await save(page, 'Long ones of the web')
  const opened = panel(page, ui('features/annotate:views'))
  const link = opened.getByRole('link', { name: 'Long ones of the web' })
  await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true)
  await expect.poll(() => link.getAttribute('aria-current')).toBe('true')
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: ui('features/annotate:filters.reset') }).click()
  await expectLeft(page, PENDING)
  const waitUntilNotCurrent = (await views(page)).getByRole('link')
  await expect.poll(() => waitUntilNotCurrent.getAttribute('aria-current')).toBe(null)
  await opened.getByRole('link', { name: 'Long ones of the web' }).click()
  await isAt(page, /^\?page=1(?=.*&metadata=source\.web)(?=.*&sort=metadata\.length\.desc)/)
  await expect.poll(() => chipTexts(page)).toEqual(['Source: web'])
  await opened.waitFor({ state: 'hidden' })
  await page.goBack()
  await expectLeft(page, PENDING)
  await done()
})

test('a view is renamed, updated to the current query and deleted, all by keyboard', async () => {
  const { page, done } = await filtering.open('?metadata=source.book')
  await expectLeft(page, uiPattern('features/annotate:pager.pending', { formatted: /\d+/ }))
  await save(page, 'Books')
  const opened = panel(page, ui('features/annotate:views'))
  const more = opened.getByRole('button', { name: ui('features/saved-views:more', { name: 'Books' }) })
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true })
  const hasFocus = (name: string) => expect.poll(() => item(name).evaluate((one) => one === document.activeElement)).toBe(true)
  await more.focus()
  await expect.poll(() => more.evaluate((one) => one === document.activeElement)).toBe(true)
  await press('Enter')
  await hasFocus(ui('features/saved-views:rename'))
  await press('Enter')
  await opened.getByRole('textbox', { name: ui('features/saved-views:name') }).fill('Long ones of the web')
  await press('Enter')
  await opened.getByText(ui('features/saved-views:taken')).waitFor()
  await opened.getByRole('textbox', { name: ui('features/saved-views:name') }).fill('Only books')
  await press('Enter')
  await expect
    .poll(() => opened.getByRole('link', { name: 'Only books' }).evaluate((one) => one === document.activeElement))
    .toBe(true)
  await press('Escape')
  await page.getByRole('button', { name: ui('features/annotate:filters.remove', { filter: 'Source: book' }) }).click()
  await expectLeft(page, PENDING)
  const link = (await views(page)).getByRole('link', { name: 'Only books' })
  await expect.poll(() => link.getAttribute('aria-current')).toBe(null)
  await choose(page, 'Only books', ui('features/saved-views:update'))
  await expect.poll(() => link.getAttribute('aria-current')).toBe('true')
  const expandedMenu = opened.getByRole('button', { name: ui('features/saved-views:more', { name: 'Only books' }) })
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  await expandedMenu.focus()
  await expect.poll(() => expandedMenu.evaluate((one) => one === document.activeElement)).toBe(true)
  await press('ArrowUp')
  await hasFocus(ui('features/saved-views:delete'))
  await press('Enter')
  await opened.getByText(ui('features/saved-views:deleteOwn', { name: 'Only books' })).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(ui('features/saved-views:cancel'))
  await press('Tab', 'Enter')
  await link.waitFor({ state: 'detached' })
  await done()
})

test('a missing name is reported at its input, for a new view and a renamed one', async () => {
  const { page, done } = await filtering.open('?metadata=source.web')
  await expectLeft(page, uiPattern('features/annotate:pager.pending', { formatted: /\d+/ }))
  const opened = await views(page)
  const name = opened.getByRole('textbox', { name: ui('features/saved-views:name') })
  const missing = opened.getByText(ui('features/saved-views:nameMissing'))
  const isTold = async (): Promise<void> => {
    await missing.waitFor()
    expect(await name.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => name.evaluate((input) => input === document.activeElement)).toBe(true)
  }
  await opened.getByRole('button', { name: ui('features/saved-views:saveShown') }).click()
  await opened.getByRole('button', { name: ui('features/saved-views:save'), exact: true }).click()
  await isTold()
  expect(await findViolations(page)).toEqual([])
  await name.fill('   ')
  await missing.waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await isTold()
  await name.fill('Named')
  await page.keyboard.press('Enter')
  await opened.getByRole('link', { name: 'Named' }).waitFor()
  await choose(page, 'Named', ui('features/saved-views:rename'))
  await name.fill('')
  await opened.getByRole('button', { name: ui('features/saved-views:rename') }).click()
  await isTold()
  await done()
})

test('others can use a shared view but not change it, and it can be made private again', async () => {
  const { page, done } = await filtering.open('?metadata=source.blog')
  await expectLeft(page, uiPattern('features/annotate:pager.pending', { formatted: /\d+/ }))
  await save(page, 'Blogs for all', true)
  const ann = await filtering.open('', {}, 'ann')
  const list = await views(ann.page)
  await expect
    .poll(() => list.getByRole('link').allInnerTexts())
    .toEqual([`Blogs for all\n${ui('features/saved-views:by', { name: 'owner' })}`])
  expect(await list.getByRole('button', { name: uiPattern('features/saved-views:more') }).count()).toBe(0)
  await list.getByRole('link').click()
  await isAt(ann.page, /metadata=source\.blog/)
  await expect.poll(() => chipTexts(ann.page)).toEqual(['Source: blog'])
  await choose(page, 'Blogs for all', ui('features/saved-views:unshare'))
  await panel(page, ui('features/annotate:views')).getByText(ui('features/saved-views:sharedByMe')).waitFor({ state: 'detached' })
  await ann.page.reload()
  await (await views(ann.page)).getByText(ui('features/saved-views:none')).waitFor()
  await ann.done()
  await done()
})
