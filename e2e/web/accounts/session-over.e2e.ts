import { expect, test } from 'vitest'
import { lookedAt, openPage, type PageOptions, PHONE, THEMES, violations, wearTheme } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { answers, left, openAnnotation } from '../ground/annotation.ts'
import { givenDataset, givenUser, PASSWORD } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { onDisk } from '../support/device.ts'
import { hold } from '../support/hold.ts'
import { haveSession, signIn } from '../support/sign-in.ts'

const team = setUpTeam()

let datasets = 0
const SEARCH = '?search=Record~all'
/** Somebody at work on records that were found, so that no other call soon finds out about the session. */
const open = async (options: PageOptions = {}) => {
  const id = await givenDataset(team.server, { name: `over ${++datasets}`, workspaceId: team.workspaceId, records: 20 })
  const opened = await openPage(team.browser, team.server.url, options)
  const { page } = opened
  await haveSession(page, team.server.url)
  await openAnnotation(page, id, SEARCH)
  await left(page, '20 left')
  await page.getByRole('button', { name: 'settings and sign-out' }).waitFor()
  await page.waitForLoadState('networkidle')
  const answer = async (rest: number): Promise<void> => {
    await page.keyboard.press('1')
    await page.keyboard.press('Enter')
    await left(page, ui('features/annotate:pager.pending', { formatted: rest }))
  }
  const isBack = ({ pathname, searchParams }: URL): boolean =>
    pathname === `/dataset/${id}/annotation-mode` && searchParams.get('search') === 'Record~all'
  return { ...opened, id, answer, isBack }
}
const OVER = ui('features/auth:leftOff.over')
const REFUSED = ui('common:validations.http.401.message')

test('a session that ends while one answers is told at once, and the answer is sent after signing in, where one was', async () => {
  const { page, context, complaints, close, id, isBack } = await open()
  await context.clearCookies()
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/sign-in')
  await page.getByText(OVER).waitFor()
  await page.getByText(ui('features/auth:leftOff.kept', { count: 1 })).waitFor()
  const refused = page.locator('li:not([data-closing])').filter({ hasText: REFUSED })
  // Once, and here.
  expect(await refused.count()).toBe(0)
  expect((await answers(team.server, id)).size).toBe(0)
  await signIn(page)
  await page.waitForURL(isBack)
  await left(page, '19 left')
  expect(await refused.count()).toBe(0)
  await expect.poll(async () => (await answers(team.server, id)).size).toBe(1)
  expect(await page.locator('header').getByText('not sent yet').count()).toBe(0)
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await answers(team.server, id)).size).toBe(2)
  expect(complaints()).toEqual([])
  await close()
})

test('a session that ends is told once also where another call than that of the answer finds out', async () => {
  const { page, context, complaints, close, answer } = await open()
  await context.setOffline(true)
  await answer(19)
  await page
    .locator('header')
    .getByText(ui('common:unsent.state', { count: 1 }))
    .waitFor()
  await context.clearCookies()
  // The outbox waits for its turn meanwhile.
  await context.route('**/api/v1/me', (route) => route.abort())
  await context.setOffline(false)
  await page.getByRole('button', { name: /^Status/ }).click()
  await page.getByRole('menuitemradio', { name: ui('common:status.discarded') }).click()
  await page.waitForURL('**/sign-in')
  await page.getByText(OVER).waitFor()
  await expect.poll(() => page.locator('li:not([data-closing])').filter({ hasText: REFUSED }).count()).toBe(0)
  expect(complaints()).toEqual([])
  await close()
})

test('who comes in instead is not led to the page of who was there, and sends nothing of theirs', async () => {
  await givenUser(team.server, 'ben', 'annotator', [team.workspaceId])
  const { page, context, complaints, close, id, isBack } = await open()
  await context.clearCookies()
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await page.getByText('1 answer is kept on this device').waitFor()
  await signIn(page, 'ben', PASSWORD)
  await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  expect(await page.locator('header').getByText('not sent yet').count()).toBe(0)
  await context.clearCookies()
  await page.goto('/user-settings')
  await page.waitForURL('**/sign-in')
  expect((await answers(team.server, id)).size).toBe(0)
  await signIn(page)
  await expect.poll(async () => (await answers(team.server, id)).size).toBe(1)
  // An address that is opened without a session is where whoever comes in wants to go.
  await page.waitForURL('**/user-settings')
  await context.clearCookies()
  await page.goto(`/dataset/${id}/annotation-mode${SEARCH}`)
  await page.waitForURL('**/sign-in')
  await signIn(page, 'ben', PASSWORD)
  await page.waitForURL(isBack)
  expect(complaints()).toEqual([])
  await close()
})

test('an answer that is given when one has gone in another tab, before the page makes way, is kept and sent by its user', async () => {
  const { page, context, complaints, close, id } = await open()
  const other = await context.newPage()
  await other.goto('/')
  const { sent, go } = await hold(page, 'GET', (url) => url.endsWith('/settings'))
  await other.getByRole('button', { name: 'settings and sign-out' }).click()
  await other.getByRole('menuitem', { name: ui('common:user.signOut') }).click()
  await sent
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await onDisk(page, 1)
  go()
  await page.getByLabel(ui('features/auth:username')).waitFor()
  expect((await answers(team.server, id)).size).toBe(0)
  await signIn(page)
  await expect.poll(async () => (await answers(team.server, id)).size).toBe(1)
  expect(complaints()).toEqual([])
  await close()
})

test('a session that ends while there is no network is told when there is one again', async () => {
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
  await page.getByText('2 answers are kept on this device').waitFor()
  // The same after the page is loaded again.
  await page.reload()
  await page.getByText(OVER).waitFor()
  await page.getByText('2 answers are kept on this device').waitFor()
  await signIn(page)
  await page.waitForURL(isBack)
  await expect.poll(async () => (await answers(team.server, id)).size).toBe(2)
  await close()
})

test('a page that is opened after its session has ended says what is kept, too', async () => {
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
  await page.getByText('1 answer is kept on this device').waitFor()
  await context.unroute(/\/responses\/mine/)
  await signIn(page)
  await page.waitForURL(isBack)
  await expect.poll(async () => (await answers(team.server, id)).size).toBe(1)
  await close()
})

test('the word about it is clean on a phone, in every theme', async () => {
  const { page, context, close } = await open(PHONE)
  await context.clearCookies()
  await page.keyboard.press('1')
  await page.keyboard.press('Enter')
  await page.getByText('1 answer is kept on this device').waitFor()
  for (const theme of THEMES) {
    await wearTheme(page, theme)
    expect(await violations(page, theme === 'light' ? 'all' : lookedAt(theme))).toEqual([])
  }
  await close()
})
