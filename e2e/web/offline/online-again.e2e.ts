import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { givenAnnotation, LABEL_AND_NOTE, left, openAnnotation, question, recordText, stored } from '../ground/annotation.ts'
import { setUpTeam } from '../ground/team.ts'
import { onDisk } from '../support/device.ts'
import { haveSession } from '../support/sign-in.ts'
import { takeAlong } from '../support/taking-along.ts'

const team = setUpTeam()

let datasets = 0
/** A dataset of 30 records, of which 10 are on the device, and no network. */
const openOffline = async ({ keepsFiles = true } = {}) => {
  const id = await givenAnnotation(team.server, {
    name: `again ${++datasets}`,
    workspaceId: team.workspaceId,
    questions: LABEL_AND_NOTE,
    records: Array.from({ length: 30 }, (_, i) => ({ fields: { text: `Record ${i + 1}` } })),
  })
  const opened = await openPage(team.browser, team.server.url, { serviceWorkers: 'allow' })
  const { page, context } = opened
  // While requests are looked at the browser reads nothing from its cache.
  if (!keepsFiles) await context.route('**/*', (route) => route.fallback())
  await haveSession(page, team.server.url)
  await openAnnotation(page, id)
  await takeAlong(page, 10)
  await context.setOffline(true)
  return { id, ...opened }
}
const answer = async (page: Page, times: number): Promise<void> => {
  for (let i = 0; i < times; i += 1) {
    const before = await recordText(page)
    await page.keyboard.press('1')
    await page.keyboard.press(ui('features/guides:keys.key.enter'))
    // At the end there is none, and there may be one more until then: both are read at once.
    await expect.poll(async () => (await page.locator('section[aria-label="Record"]').allInnerTexts()).join()).not.toBe(before)
  }
}
/** Opens the page anew; keys act on the record once the first question has the focus. */
const reload = async (page: Page): Promise<void> => {
  await page.reload()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-question'))).toBe('label')
}
const answered = (id: string, count: number) =>
  expect.poll(async () => (await stored(team.server, id)).filter(({ responses }) => responses.length > 0).length).toBe(count)
/** Notes headings that say something of the list, from now on. */
const headings = async (page: Page): Promise<() => Promise<readonly string[]>> => {
  await page.evaluate(() => {
    const said = new Set<string>()
    Object.assign(window, { said })
    const look = (): void => {
      for (const { textContent } of document.querySelectorAll('main h2')) if (textContent) said.add(textContent)
    }
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  return () => page.evaluate(() => [...(window as unknown as { said: Set<string> }).said])
}
const pendingCount = (page: Page, count: number) =>
  expect.poll(() => page.locator('section[aria-label="Progress"] dd').first().innerText()).toBe(String(count))

test.each([
  ['without', false],
  ['with', true],
] as const)(
  'when all that was taken along is answered the rest comes with the connection, %s a reload between',
  async (_, reloads) => {
    const { id, page, context, complaints, close } = await openOffline()
    if (reloads) {
      await reload(page)
      await left(page, '10 left')
      await page.locator('#main').focus()
    }
    await answer(page, reloads ? 4 : 10)
    if (reloads) {
      await onDisk(page, 4)
      await reload(page)
      await left(page, '6 left')
      await page.locator('#main').focus()
      await answer(page, 6)
    }
    await onDisk(page, 10)
    await page.getByRole('heading', { name: ui('features/annotate:end.offline') }).waitFor()
    const said = await headings(page)
    await context.setOffline(false)
    await left(page, '20 left')
    await question(page, 'label').waitFor()
    await answered(id, 10)
    await pendingCount(page, 20)
    expect((await said()).filter((text) => /no pending|completed|could not/.test(text))).toEqual([])
    // What comes then is answered as ever, to the end.
    await page.locator('#main').focus()
    await answer(page, 20)
    await page.getByRole('heading', { name: ui('features/annotate:end.completed') }).waitFor()
    await answered(id, 30)
    expect(complaints()).toEqual([])
    await close()
  },
)

test('the page that took records along goes on with them to the end, also where the browser has kept none of its files', async () => {
  const { page, complaints, close } = await openOffline({ keepsFiles: false })
  await answer(page, 10)
  await page.getByRole('heading', { name: ui('features/annotate:end.offline') }).waitFor()
  expect(complaints()).toEqual([])
  await close()
})

test('the record that one is at stays when the connection is back, with what was typed, and the server says what is left', async () => {
  const { id, page, context, complaints, close } = await openOffline()
  await reload(page)
  await left(page, '10 left')
  await answer(page, 3)
  await left(page, '7 left')
  const record = await recordText(page)
  await question(page, 'note').locator('textarea').fill('typed on the way')
  await page.getByText(ui('features/annotate:save.edited')).waitFor()
  await context.setOffline(false)
  await left(page, '27 left')
  await answered(id, 3)
  await left(page, '27 left')
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

test('so do lists by status and pages of many', async () => {
  const { id, page, context, complaints, close } = await openOffline()
  await answer(page, 2)
  await onDisk(page, 2)
  await page.goto(`/dataset/${id}/annotation-mode?page=1~10`)
  await left(page, '1–8 of 8')
  await context.setOffline(false)
  await left(page, '1–10 of 28')
  await answered(id, 2)
  await left(page, '1–10 of 28')
  await context.setOffline(true)
  await page.goto(`/dataset/${id}/annotation-mode?status=draft`)
  await page.getByText(/these records are not on this device\./).waitFor()
  await context.setOffline(false)
  await page.getByRole('heading', { name: ui('features/annotate:end.none.draft') }).waitFor()
  expect(complaints()).toEqual([])
  await close()
})
