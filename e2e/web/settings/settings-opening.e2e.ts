import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openPage, PHONE, violations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { asOwner, givenUser, PASSWORD } from '../ground/given.ts'
import { form, givenSettings, openSettings } from '../ground/settings.ts'
import { setUpTeam } from '../ground/team.ts'
import { boxAtRest } from '../support/at-rest.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()
beforeAll(async () => {
  await givenUser(team.server, 'adam', 'admin', [team.workspaceId])
})

/** What is read of a dataset from now on. */
const countReads = (page: Page, id: string): (() => readonly string[]) => {
  const reads: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET' && pathname.includes(id) && pathname.startsWith('/api/')) reads.push(pathname)
  })
  return () => [...reads].sort()
}

describe('opening the settings', () => {
  const partsOf = (id: string) =>
    [
      `/api/v1/datasets/${id}`,
      ...['fields', 'label-colours', 'questions', 'queue-settings', 'users/progress', 'vectors-settings'].map(
        (part) => `/api/v1/datasets/${id}/${part}`,
      ),
      `/api/v1/me/datasets/${id}/metadata-properties`,
    ].sort()

  test('reads each part of the dataset once, and no part of it again in the next moment', async () => {
    const id = await givenSettings(team, 'read once')
    const opened = await openPage(team.browser, team.server.url)
    await haveSession(opened.page, team.server.url, 'adam', PASSWORD)
    const reads = countReads(opened.page, id)
    // What is read grows no older than a moment, however long the page takes.
    await opened.page.clock.setFixedTime(Date.now())
    await opened.page.goto(`/dataset/${id}/settings`)
    await form(opened.page, ui('features/settings:handingOut.title')).waitFor()
    await expect.poll(() => [...new Set(reads())]).toEqual(partsOf(id))
    await opened.page.waitForLoadState('networkidle')
    await opened.page.waitForTimeout(300)
    expect(reads()).toEqual(partsOf(id))
    await opened.close()
  })

  test('reads once more what the page before it had read, and shows what has changed since', async () => {
    const id = await givenSettings(team, 'read anew')
    const opened = await openPage(team.browser, team.server.url)
    const { page } = opened
    await haveSession(page, team.server.url, 'adam', PASSWORD)
    const opening = Date.now()
    await page.clock.setFixedTime(opening)
    await page.goto(`/dataset/${id}/annotation-mode`)
    await page.getByRole('button', { name: /Submit/ }).waitFor()
    await page.waitForLoadState('networkidle')
    // What is a moment old is as good as new.
    await page.clock.setFixedTime(opening + 1100)
    const { items } = await asOwner<{ items: { id: string }[] }>(team.server, 'GET', `/datasets/${id}/fields`)
    await asOwner(team.server, 'PATCH', `/fields/${items[0]?.id}`, { title: 'Another title' })
    const reads = countReads(page, id)
    await page.getByRole('link', { name: ui('features/settings:title') }).click()
    await form(page, ui('features/settings:handingOut.title')).waitFor()
    await expect.poll(() => [...new Set(reads())]).toEqual(partsOf(id))
    // What is asked for twice is so at once.
    await page.waitForTimeout(300)
    expect(reads()).toEqual(partsOf(id))
    await page.getByRole('link', { name: /^Fields/ }).click()
    await form(page, 'Another title').waitFor()
    await opened.close()
  })
})

describe('the parts of the settings on a phone', () => {
  const nav = (page: Page) => page.getByRole('navigation', { name: ui('features/settings:sections') })
  const arrow = (page: Page, side: '::before' | '::after') =>
    nav(page).evaluate((element, name) => getComputedStyle(element, name).content !== 'none', side)
  /** Whether a part is in the row as a whole, where nothing of it fades. */
  const isClear = (page: Page, name: RegExp) =>
    nav(page)
      .getByRole('link', { name })
      .evaluate((link) => {
        const box = link.closest('nav')?.getBoundingClientRect()
        const { left, right } = link.getBoundingClientRect()
        return box !== undefined && left >= box.left - 1 && right <= box.right + 1
      })
  const scroll = (page: Page, by: number) =>
    nav(page)
      .getByRole('list')
      .evaluate((list, left) => list.scrollBy({ left, behavior: 'instant' }), by)

  test.each([
    ['ltr', '::after', '::before', 1],
    ['rtl', '::before', '::after', -1],
  ] as const)('show that there are more of them, to which side, and the one that is open (%s)', async (dir, more, less, sign) => {
    const id = await givenSettings(team, `narrow ${dir}`)
    const { page, close, complaints } = await openSettings(team, id, 'general', 'adam', { ...PHONE, forcedColors: 'active' })
    await page.evaluate((direction) => document.documentElement.setAttribute('dir', direction), dir)
    // The page never turns around by itself: what it is turned in has another size.
    await page.setViewportSize({ width: 360, height: 780 })
    await expect.poll(async () => [await arrow(page, less), await arrow(page, more)]).toEqual([false, true])
    await scroll(page, sign * 60)
    await expect.poll(async () => [await arrow(page, less), await arrow(page, more)]).toEqual([true, true])
    await scroll(page, sign * 2000)
    await expect.poll(async () => [await arrow(page, less), await arrow(page, more)]).toEqual([true, false])
    await expect.poll(() => isClear(page, /^Danger/)).toBe(true)
    await page.waitForLoadState('networkidle')
    await page.goto(`/dataset/${id}/settings?tab=vectors`)
    await expect.poll(() => isClear(page, /^Vectors/)).toBe(true)
    expect(await violations(page)).toEqual([])
    expect(complaints()).toEqual([])
    await close()
  })

  test('do not move the page while one writes', async () => {
    const id = await givenSettings(team, 'unmoved')
    const { page, close } = await openSettings(team, id, 'general', 'adam', PHONE)
    const guidelines = page.getByRole('textbox', { name: ui('features/settings:general.guidelines') })
    await page.waitForLoadState('networkidle')
    await guidelines.scrollIntoViewIfNeeded()
    await guidelines.focus()
    await boxAtRest(guidelines)
    const before = await page.evaluate(() => window.scrollY)
    expect(before).toBeGreaterThan(100)
    await page.keyboard.type('x')
    await form(page, ui('features/settings:general.guidelines')).getByText(ui('features/settings:unsaved')).waitFor()
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(await page.evaluate(() => window.scrollY)).toBe(before)
    await close()
  })

  test('have no arrows where there is room for all', async () => {
    const id = await givenSettings(team, 'wide')
    const { page, close } = await openSettings(team, id, 'general', 'adam')
    await boxAtRest(nav(page))
    await expect.poll(async () => [await arrow(page, '::before'), await arrow(page, '::after')]).toEqual([false, false])
    await close()
  })
})

describe('the settings say', () => {
  test('before anybody tries that what completes a record is settled once there are answers', async () => {
    const id = await givenSettings(team, 'settled')
    const { page, close, complaints } = await openSettings(team, id, 'general', 'adam')
    const number = page.getByRole('spinbutton', { name: ui('features/settings:general.minSubmitted') })
    await form(page, ui('features/settings:general.distribution'))
      .getByText(ui('features/create:work.minSubmittedHint'))
      .waitFor()
    await number.fill('99999999999')
    await form(page, ui('features/settings:general.distribution'))
      .getByText(ui('features/settings:fault.tooGreat', { max: '1,000,000' }))
      .waitFor()
    await form(page, ui('features/settings:general.distribution'))
      .getByRole('button', { name: ui('features/settings:cancel') })
      .click()
    const { items } = await asOwner<{ items: { id: string }[] }>(team.server, 'GET', `/datasets/${id}/records`)
    await asOwner(team.server, 'POST', `/records/${items[0]?.id}/responses`, { status: 'draft', values: {} })
    await page.reload()
    await form(page, ui('features/settings:general.distribution'))
      .getByText(ui('features/settings:general.minSubmittedSettled'))
      .waitFor()
    expect([await number.inputValue(), await number.getAttribute('readonly')]).toEqual(['1', ''])
    expect(await violations(page, 'all')).toEqual([])
    expect(complaints()).toEqual([])
    await close()
  })

  test('that something is not saved yet without moving what one is about to press', async () => {
    const id = await givenSettings(team, 'still')
    const { page, close } = await openSettings(team, id, 'general', 'adam')
    const guidelines = form(page, ui('features/settings:general.guidelines'))
    const place = async () =>
      (await guidelines.getByRole('button', { name: ui('features/settings:general.preview') }).boundingBox())?.x
    const before = await place()
    await guidelines.getByRole('textbox').fill('x')
    await guidelines.getByText(ui('features/settings:unsaved')).waitFor()
    expect(await place()).toBe(before)
    await close()
  })

  test('what a question is about from right to left where it is written so, as the annotation screen does', async () => {
    const id = await givenSettings(team, 'arabic')
    const { items } = await asOwner<{ items: { id: string; name: string }[] }>(team.server, 'GET', `/datasets/${id}/questions`)
    const description = 'اختر الموضوع الذي يصف النص، من فضلك.'
    for (const { id: question } of items) await asOwner(team.server, 'PATCH', `/questions/${question}`, { description })
    const { page, close } = await openSettings(team, id, 'questions', 'adam')
    const directionOf = (text: ReturnType<Page['locator']>) => text.evaluate((element) => getComputedStyle(element).direction)
    expect(await directionOf(page.locator('p').getByText(description).first())).toBe('rtl')
    await page.goto(`/dataset/${id}/annotation-mode`)
    await page
      .getByRole('button', { name: /^About/ })
      .first()
      .hover()
    const tooltip = page.locator('[role=tooltip]:popover-open')
    await tooltip.waitFor()
    expect([await tooltip.innerText(), await directionOf(tooltip)]).toEqual([description, 'rtl'])
    await close()
  })

  test('nothing to who has no access, but whom to ask', async () => {
    const id = await givenSettings(team, 'closed')
    await givenUser(team.server, 'otto', 'admin')
    const { page, close } = await openPage(team.browser, team.server.url)
    await haveSession(page, team.server.url, 'otto', PASSWORD)
    for (const path of ['settings', 'annotation-mode']) {
      await page.goto(`/dataset/${id}/${path}`)
      await page.getByRole('heading', { name: ui('features/home:count', { number: '403 You have no access to this' }) }).waitFor()
      await page.getByText(ui('common:error.noDatasetAccessHint')).waitFor()
      expect(await page.getByText(/Something went wrong|ERROR_|Try again/).count()).toBe(0)
      expect(await violations(page)).toEqual([])
    }
    await page.getByRole('link', { name: ui('common:error.backHome') }).click()
    await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
    await close()
  })
})
