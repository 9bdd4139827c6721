import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findViolations, openPage, PHONE } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { callAsOwner, PASSWORD, seedUser } from '../fixtures/seed.ts'
import { formNamed, openSettings, seedSettingsDataset } from '../fixtures/settings.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'
import { roundedBox, stableBox } from '../support/stable-box.ts'

const team = setUpSharedTeam()
beforeAll(async () => {
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
})

/** Collects the read requests for a dataset from now on. */
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
      ...[
        'active-time-settings',
        'fields',
        'label-colours',
        'questions',
        'queue-settings',
        'search-settings',
        'snapshots',
        'suggestion-settings',
        'users/progress',
        'vectors-settings',
      ].map((part) => `/api/v1/datasets/${id}/${part}`),
      `/api/v1/me/datasets/${id}/metadata-properties`,
    ].sort()

  test('loads each part of the dataset once, and no part again shortly after', async () => {
    const id = await seedSettingsDataset(team, 'read once')
    const opened = await openPage(team.browser, team.server.url)
    await createSession(opened.page, team.server.url, 'adam', PASSWORD)
    const reads = countReads(opened.page, id)
    // Stops the clock, so that the data doesn't expire if the page is slow.
    await opened.page.clock.setFixedTime(Date.now())
    await opened.page.goto(`/dataset/${id}/settings`)
    await formNamed(opened.page, ui('features/settings:handingOut.title')).waitFor()
    await expect.poll(() => [...new Set(reads())]).toEqual(partsOf(id))
    await opened.page.waitForLoadState('networkidle')
    await opened.page.waitForTimeout(300)
    expect(reads()).toEqual(partsOf(id))
    await opened.close()
  })

  test('reloads what the previous page had loaded, and shows what changed since', async () => {
    const id = await seedSettingsDataset(team, 'read again')
    const opened = await openPage(team.browser, team.server.url)
    const { page } = opened
    await createSession(page, team.server.url, 'adam', PASSWORD)
    const opening = Date.now()
    await page.clock.setFixedTime(opening)
    await page.goto(`/dataset/${id}/annotation-mode`)
    await page.getByRole('button', { name: ui('features/annotate:action.submit') }).waitFor()
    await page.waitForLoadState('networkidle')
    // Data that is only a moment old is still fresh.
    await page.clock.setFixedTime(opening + 1100)
    const { items } = await callAsOwner<{ items: { id: string }[] }>(team.server, 'GET', `/datasets/${id}/fields`)
    await callAsOwner(team.server, 'PATCH', `/fields/${items[0]?.id}`, { title: 'Another title' })
    const reads = countReads(page, id)
    await page.getByRole('link', { name: ui('features/annotate:settings') }).click()
    await formNamed(page, ui('features/settings:handingOut.title')).waitFor()
    await expect.poll(() => [...new Set(reads())]).toEqual(partsOf(id))
    // A duplicate request would come immediately.
    await page.waitForTimeout(300)
    expect(reads()).toEqual(partsOf(id))
    await page.getByRole('link', { name: ui('features/settings:section.fields') }).click()
    await formNamed(page, 'Another title').waitFor()
    await opened.close()
  })
})

describe('the settings sections on a phone', () => {
  const nav = (page: Page) => page.getByRole('navigation', { name: ui('features/settings:sections') })
  const arrow = (page: Page, side: '::before' | '::after') =>
    nav(page).evaluate((element, name) => getComputedStyle(element, name).content !== 'none', side)
  /** Whether a link is fully visible in the row, outside the faded edges. */
  const isClear = (page: Page, name: string) =>
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
  ] as const)('show that there are more, on which side, and which is open (%s)', async (dir, more, less, sign) => {
    const id = await seedSettingsDataset(team, `narrow ${dir}`)
    const { page, close, complaints } = await openSettings(team, id, 'general', 'adam', { ...PHONE, forcedColors: 'active' })
    await page.evaluate((direction) => document.documentElement.setAttribute('dir', direction), dir)
    // Also changes the size of the window, because the arrows aren't updated if only the direction changes. In practice, the
    // direction never changes alone.
    await page.setViewportSize({ width: 360, height: 780 })
    await expect.poll(async () => [await arrow(page, less), await arrow(page, more)]).toEqual([false, true])
    await scroll(page, sign * 60)
    await expect.poll(async () => [await arrow(page, less), await arrow(page, more)]).toEqual([true, true])
    await scroll(page, sign * 2000)
    await expect.poll(async () => [await arrow(page, less), await arrow(page, more)]).toEqual([true, false])
    await expect.poll(() => isClear(page, ui('features/settings:section.danger'))).toBe(true)
    await page.waitForLoadState('networkidle')
    await page.goto(`/dataset/${id}/settings?tab=vectors`)
    await expect.poll(() => isClear(page, ui('features/settings:section.vectors'))).toBe(true)
    expect(await findViolations(page)).toEqual([])
    expect(complaints()).toEqual([])
    await close()
  })

  test("don't move the page while typing", async () => {
    const id = await seedSettingsDataset(team, 'unmoved')
    const { page, close } = await openSettings(team, id, 'general', 'adam', PHONE)
    const guidelines = page.getByRole('textbox', { name: ui('features/settings:general.guidelines') })
    await page.waitForLoadState('networkidle')
    await guidelines.scrollIntoViewIfNeeded()
    await guidelines.focus()
    await stableBox(guidelines)
    const before = await page.evaluate(() => window.scrollY)
    expect(before).toBeGreaterThan(100)
    await page.keyboard.type('x')
    await formNamed(page, ui('features/settings:general.guidelines')).getByText(ui('features/settings:unsaved')).waitFor()
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(await page.evaluate(() => window.scrollY)).toBe(before)
    await close()
  })

  test('have no arrows if all of them fit', async () => {
    const id = await seedSettingsDataset(team, 'wide')
    const { page, close } = await openSettings(team, id, 'general', 'adam')
    await stableBox(nav(page))
    await expect.poll(async () => [await arrow(page, '::before'), await arrow(page, '::after')]).toEqual([false, false])
    await close()
  })
})

describe('the settings show', () => {
  test('in advance that the number of required answers is fixed once there are answers', async () => {
    const id = await seedSettingsDataset(team, 'settled')
    const { page, close, complaints } = await openSettings(team, id, 'general', 'adam')
    const number = page.getByRole('spinbutton', { name: ui('features/settings:general.minSubmitted') })
    await formNamed(page, ui('features/settings:general.distribution'))
      .getByText(ui('features/settings:general.minSubmittedHint'))
      .waitFor()
    await number.fill('99999999999')
    await formNamed(page, ui('features/settings:general.distribution'))
      .getByText(ui('features/settings:fault.tooGreat', { max: '1,000,000' }))
      .waitFor()
    await formNamed(page, ui('features/settings:general.distribution'))
      .getByRole('button', { name: ui('features/settings:cancel') })
      .click()
    const { items } = await callAsOwner<{ items: { id: string }[] }>(team.server, 'GET', `/datasets/${id}/records`)
    await callAsOwner(team.server, 'POST', `/records/${items[0]?.id}/responses`, { status: 'draft', values: {} })
    await page.reload()
    await formNamed(page, ui('features/settings:general.distribution'))
      .getByText(ui('features/settings:general.minSubmittedSettled'))
      .waitFor()
    expect([await number.inputValue(), await number.getAttribute('readonly')]).toEqual(['1', ''])
    expect(await findViolations(page, 'all')).toEqual([])
    expect(complaints()).toEqual([])
    await close()
  })

  test('unsaved changes without moving the button about to be clicked', async () => {
    const id = await seedSettingsDataset(team, 'still')
    const { page, close } = await openSettings(team, id, 'general', 'adam')
    const guidelines = formNamed(page, ui('features/settings:general.guidelines'))
    const place = async () =>
      (await roundedBox(guidelines.getByRole('button', { name: ui('features/settings:general.preview') }))).x
    const before = await place()
    await guidelines.getByRole('textbox').fill('x')
    await guidelines.getByText(ui('features/settings:unsaved')).waitFor()
    expect(await place()).toBe(before)
    await close()
  })

  test('right-to-left question text like the annotation page', async () => {
    const id = await seedSettingsDataset(team, 'arabic')
    const { items } = await callAsOwner<{ items: { id: string; name: string }[] }>(
      team.server,
      'GET',
      `/datasets/${id}/questions`,
    )
    const description = 'اختر الموضوع الذي يصف النص، من فضلك.'
    for (const { id: question } of items) await callAsOwner(team.server, 'PATCH', `/questions/${question}`, { description })
    const { page, close } = await openSettings(team, id, 'questions', 'adam')
    const directionOf = (text: ReturnType<Page['locator']>) => text.evaluate((element) => getComputedStyle(element).direction)
    expect(await directionOf(page.locator('p').getByText(description).first())).toBe('rtl')
    await page.goto(`/dataset/${id}/annotation-mode`)
    await page
      .getByRole('button', { name: uiPattern('features/annotate:question.about') })
      .first()
      .hover()
    const tooltip = page.locator('[role=tooltip]:popover-open')
    await tooltip.waitFor()
    expect([await tooltip.innerText(), await directionOf(tooltip)]).toEqual([description, 'rtl'])
    await close()
  })

  test('nothing to users without access, except whom to ask', async () => {
    const id = await seedSettingsDataset(team, 'closed')
    await seedUser(team.server, 'otto', 'admin')
    const { page, close } = await openPage(team.browser, team.server.url)
    await createSession(page, team.server.url, 'otto', PASSWORD)
    for (const path of ['settings', 'annotation-mode']) {
      await page.goto(`/dataset/${id}/${path}`)
      await page.getByRole('heading', { name: `403 ${ui('common:error.noDatasetAccess')}` }).waitFor()
      await page.getByText(ui('common:error.noDatasetAccessHint')).waitFor()
      for (const text of [ui('common:error.somethingWrong'), ui('common:error.tryAgain'), 'ERROR_'])
        expect(await page.getByText(text).count()).toBe(0)
      expect(await findViolations(page)).toEqual([])
    }
    await page.getByRole('link', { name: ui('common:error.backHome') }).click()
    await page.getByRole('heading', { name: ui('features/home:title') }).waitFor()
    await close()
  })
})
