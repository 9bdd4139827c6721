import { detail } from '@postil/testkit/detail.ts'
import { expect, test } from 'vitest'
import { applyTheme, checkedRules, findViolations, openPage, type PageOptions, PHONE, THEMES } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { expectLeft, openAnnotation, storedAnswers } from '../fixtures/annotation.ts'
import { PASSWORD, seedDataset, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { expectStoredAnswers } from '../support/device.ts'
import { holdRequest } from '../support/hold-request.ts'
import { createSession, signIn } from '../support/sign-in.ts'

const team = setUpTeam()

let datasets = 0
const SEARCH = '?search=Record~all'
/** Opens search results and waits for all requests, so that no late request discovers that the session is over. */
const open = async (options: PageOptions = {}) => {
  const id = await seedDataset(team.server, { name: `over ${++datasets}`, workspaceId: team.workspaceId, records: 20 })
  const opened = await openPage(team.browser, team.server.url, options)
  const { page } = opened
  await createSession(page, team.server.url)
  await openAnnotation(page, id, SEARCH)
  await expectLeft(page, 20)
  await page.getByRole('button', { name: uiPattern('common:user.menu') }).waitFor()
  await page.waitForLoadState('networkidle')
  const answer = async (rest: number): Promise<void> => {
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await expectLeft(page, rest)
  }
  const isBack = ({ pathname, searchParams }: URL): boolean =>
    pathname === `/dataset/${id}/annotation-mode` && searchParams.get('search') === 'Record~all'
  return { ...opened, id, answer, isBack }
}
const OVER = ui('features/auth:leftOff.over')
const REFUSED = ui('common:validations.http.401.message')

test('a session that ends while annotating is reported immediately, and the answer is sent after signing in at the same place', async () => {
  const { page, context, complaints, close, id, isBack } = await open()
  await context.clearCookies()
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/sign-in')
  await page.getByText(OVER).waitFor()
  await page.getByText(ui('features/auth:leftOff.kept', { count: 1 })).waitFor()
  const refused = page.locator('li:not([data-closing])').filter({ hasText: REFUSED })
  // The sign-in page already reports the end of the session, so there is no additional notice.
  expect(await refused.count()).toBe(0)
  expect((await storedAnswers(team.server, id)).size).toBe(0)
  await signIn(page)
  await page.waitForURL(isBack)
  await expectLeft(page, 19)
  expect(await refused.count()).toBe(0)
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(1)
  expect(
    await page
      .locator('header')
      .getByText(uiPattern('common:unsent.state', {}, { whole: false }))
      .count(),
  ).toBe(0)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(2)
  expect(complaints()).toEqual([])
  await close()
})

detail('the end of a session is reported once, even if a request other than the answer discovers it', async () => {
  const { page, context, complaints, close, answer } = await open()
  await context.setOffline(true)
  await answer(19)
  await page
    .locator('header')
    .getByText(ui('common:unsent.state', { count: 1 }))
    .waitFor()
  await context.clearCookies()
  // Keeps the outbox waiting, so that another request is the first one to discover that the session is over.
  await context.route('**/api/v1/me', (route) => route.abort())
  await context.setOffline(false)
  await page.getByRole('button', { name: ui('features/annotate:toolbar.status') }).click()
  await page.getByRole('menuitemradio', { name: ui('common:status.discarded') }).click()
  await page.waitForURL('**/sign-in')
  await page.getByText(OVER).waitFor()
  await expect.poll(() => page.locator('li:not([data-closing])').filter({ hasText: REFUSED }).count()).toBe(0)
  expect(complaints()).toEqual([])
  await close()
})

detail("another user who signs in is not sent to the previous user's page and sends none of their answers", async () => {
  await seedUser(team.server, 'ben', 'annotator', [team.workspaceId])
  const { page, context, complaints, close, id, isBack } = await open()
  await context.clearCookies()
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await page.getByText(ui('features/auth:leftOff.kept', { count: 1 })).waitFor()
  await signIn(page, 'ben', PASSWORD)
  await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  expect(
    await page
      .locator('header')
      .getByText(uiPattern('common:unsent.state', {}, { whole: false }))
      .count(),
  ).toBe(0)
  await context.clearCookies()
  await page.goto('/user-settings')
  await page.waitForURL('**/sign-in')
  expect((await storedAnswers(team.server, id)).size).toBe(0)
  await signIn(page)
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(1)
  await page.waitForURL('**/user-settings')
  await context.clearCookies()
  await page.goto(`/dataset/${id}/annotation-mode${SEARCH}`)
  await page.waitForURL('**/sign-in')
  await signIn(page, 'ben', PASSWORD)
  await page.waitForURL(isBack)
  expect(complaints()).toEqual([])
  await close()
})

test('an answer given just as another tab signs out is kept and sent by its user', async () => {
  const { page, context, complaints, close, id } = await open()
  const other = await context.newPage()
  await other.goto('/')
  const { sent, go } = await holdRequest(page, 'GET', (url) => url.endsWith('/settings'))
  await other.getByRole('button', { name: uiPattern('common:user.menu') }).click()
  await other.getByRole('menuitem', { name: ui('common:user.signOut') }).click()
  await sent
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expectStoredAnswers(page, 1)
  go()
  await page.getByLabel(ui('features/auth:username')).waitFor()
  expect((await storedAnswers(team.server, id)).size).toBe(0)
  await signIn(page)
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(1)
  expect(complaints()).toEqual([])
  await close()
})

detail('a session that ends while offline is reported once the network is back', async () => {
  const { page, context, close, id, answer, isBack } = await open()
  await context.setOffline(true)
  await answer(19)
  await answer(18)
  await page
    .locator('header')
    .getByText(ui('common:unsent.state', { count: 2 }))
    .waitFor()
  await context.clearCookies()
  await context.setOffline(false)
  await page.waitForURL('**/sign-in')
  await page.getByText(ui('features/auth:leftOff.kept', { count: 2 })).waitFor()
  // After a reload, the page shows both messages again.
  await page.reload()
  await page.getByText(OVER).waitFor()
  await page.getByText(ui('features/auth:leftOff.kept', { count: 2 })).waitFor()
  await signIn(page)
  await page.waitForURL(isBack)
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(2)
  await close()
})

detail('a page opened after its session ended also reports unsent answers', async () => {
  const { page, context, close, id, answer, isBack } = await open()
  await context.route(/\/responses\/mine/, (route) => route.abort())
  await answer(19)
  await page
    .locator('header')
    .getByText(ui('common:unsent.state', { count: 1 }))
    .waitFor()
  await context.clearCookies()
  await page.reload()
  await page.waitForURL('**/sign-in')
  await page.getByText(ui('features/auth:leftOff.kept', { count: 1 })).waitFor()
  await context.unroute(/\/responses\/mine/)
  await signIn(page)
  await page.waitForURL(isBack)
  await expect.poll(async () => (await storedAnswers(team.server, id)).size).toBe(1)
  await close()
})

detail('the notice is accessible on a phone in every theme', async () => {
  const { page, context, close } = await open(PHONE)
  await context.clearCookies()
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await page.getByText(ui('features/auth:leftOff.kept', { count: 1 })).waitFor()
  for (const theme of THEMES) {
    await applyTheme(page, theme)
    expect(await findViolations(page, theme === 'light' ? 'all' : checkedRules(theme))).toEqual([])
  }
  await close()
})
