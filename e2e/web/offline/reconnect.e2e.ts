import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import {
  expectLeft,
  LABEL_AND_NOTE,
  openAnnotation,
  question,
  rangeText,
  records,
  recordText,
  seedAnnotationDataset,
  storedRecords,
} from '../fixtures/annotation.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { expectStoredAnswers } from '../support/device.ts'
import { saveForOffline } from '../support/offline.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()

let datasets = 0
/** Opens a dataset with 30 records, 10 of which are saved on the device, and goes offline. */
const openOffline = async ({ keepsFiles = true } = {}) => {
  const id = await seedAnnotationDataset(team.server, {
    name: `again ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    records: Array.from({ length: 30 }, (_, i) => ({ fields: { text: `Record ${i + 1}` } })),
  })
  const opened = await openPage(team.browser, team.server.url, { serviceWorkers: 'allow' })
  const { page, context } = opened
  // Intercepting requests turns off the browser's HTTP cache.
  if (!keepsFiles) await context.route('**/*', (route) => route.fallback())
  await createSession(page, team.server.url)
  await openAnnotation(page, id)
  await saveForOffline(page, 10)
  await context.setOffline(true)
  return { id, ...opened }
}
const answer = async (page: Page, times: number): Promise<void> => {
  for (let i = 0; i < times; i += 1) {
    const before = await recordText(page)
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    // At the end, there is no record. Before that, the next record may appear at any time, so all records are read at once.
    await expect.poll(async () => (await records(page).allInnerTexts()).join()).not.toBe(before)
  }
}
/** Reloads the page. Keys act on the record once the first question has the focus. */
const reload = async (page: Page): Promise<void> => {
  await page.reload()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-question'))).toBe('label')
}
const answered = (id: string, count: number) =>
  expect
    .poll(async () => (await storedRecords(team.server, id)).filter(({ responses }) => responses.length > 0).length)
    .toBe(count)
/** Collects the headings that the page shows from now on, such as the heading at the end of the list. */
const headings = async (page: Page): Promise<() => Promise<readonly string[]>> => {
  await page.evaluate(() => {
    const headingTexts = new Set<string>()
    Object.assign(window, { headingTexts })
    const look = (): void => {
      for (const { textContent } of document.querySelectorAll('main h2')) if (textContent) headingTexts.add(textContent)
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  return () => page.evaluate(() => [...(window as unknown as { headingTexts: Set<string> }).headingTexts])
}
const pendingCount = (page: Page, count: number) =>
  expect
    .poll(() =>
      page
        .locator(`section[aria-label="${ui('features/annotate:progress.name')}"] dd`)
        .first()
        .innerText(),
    )
    .toBe(String(count))

test.each([
  ['without', false],
  ['with', true],
] as const)(
  'after all saved offline records are answered, the rest loads on reconnect, %s a reload in between',
  async (_, reloads) => {
    const { id, page, context, complaints, close } = await openOffline()
    if (reloads) {
      await reload(page)
      await expectLeft(page, 10)
      await page.locator('#main').focus()
    }
    await answer(page, reloads ? 4 : 10)
    if (reloads) {
      await expectStoredAnswers(page, 4)
      await reload(page)
      await expectLeft(page, 6)
      await page.locator('#main').focus()
      await answer(page, 6)
    }
    await expectStoredAnswers(page, 10)
    await page.getByRole('heading', { name: ui('features/annotate:end.offline') }).waitFor()
    const shownHeadings = await headings(page)
    await context.setOffline(false)
    await expectLeft(page, 20)
    await question(page, 'label').waitFor()
    await answered(id, 10)
    await pendingCount(page, 20)
    const endings = (['noPending', 'completed', 'failed'] as const).map((end) => ui(`features/annotate:end.${end}`))
    expect((await shownHeadings()).filter((text) => endings.includes(text))).toEqual([])
    await page.locator('#main').focus()
    await answer(page, 20)
    await page.getByRole('heading', { name: ui('features/annotate:end.completed') }).waitFor()
    await answered(id, 30)
    expect(complaints()).toEqual([])
    await close()
  },
)

test('a page with saved offline records can finish them, even if the browser stored none of its files', async () => {
  const { page, complaints, close } = await openOffline({ keepsFiles: false })
  await answer(page, 10)
  await page.getByRole('heading', { name: ui('features/annotate:end.offline') }).waitFor()
  expect(complaints()).toEqual([])
  await close()
})

test('the current record and its typed text stay on reconnect, and the remaining count comes from the server', async () => {
  const { id, page, context, complaints, close } = await openOffline()
  await reload(page)
  await expectLeft(page, 10)
  await answer(page, 3)
  await expectLeft(page, 7)
  const record = await recordText(page)
  await question(page, 'note').locator('textarea').fill('typed on the way')
  await page.getByText(ui('features/annotate:save.edited')).waitFor()
  await context.setOffline(false)
  await expectLeft(page, 27)
  await answered(id, 3)
  await expectLeft(page, 27)
  await pendingCount(page, 27)
  expect(await recordText(page)).toBe(record)
  expect(await question(page, 'note').locator('textarea').inputValue()).toBe('typed on the way')
  await question(page, 'label').focus()
  const seen = new Set<string>()
  for (let i = 0; i < 27; i += 1) {
    seen.add(await recordText(page))
    await answer(page, 1)
  }
  expect(seen.size).toBe(27)
  await answered(id, 30)
  expect(complaints()).toEqual([])
  await close()
})

test('lists by status and bulk view also refresh on reconnect', async () => {
  const { id, page, context, complaints, close } = await openOffline()
  await answer(page, 2)
  await expectStoredAnswers(page, 2)
  await page.goto(`/dataset/${id}/annotation-mode?page=1~10`)
  await expectLeft(page, rangeText(1, 8, 8))
  await context.setOffline(false)
  await expectLeft(page, rangeText(1, 10, 28))
  await answered(id, 2)
  await expectLeft(page, rangeText(1, 10, 28))
  await context.setOffline(true)
  await page.goto(`/dataset/${id}/annotation-mode?status=draft`)
  await page.getByText(ui('common:validations.businessLogic.not_on_device.message')).waitFor()
  await context.setOffline(false)
  await page.getByRole('heading', { name: ui('features/annotate:end.none.draft') }).waitFor()
  expect(complaints()).toEqual([])
  await close()
})
