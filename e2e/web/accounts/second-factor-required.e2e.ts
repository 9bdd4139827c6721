import { codeOf } from '@postil/server/tests/api/testing/second-factor.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations, openPage, PHONE } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { signInAtProvider, startServerWithProvider } from '../fixtures/providers.ts'
import { PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'

const team = setUpTeam({ POSTIL_SECOND_FACTOR: 'everyone' })
beforeAll(async () => {
  for (const name of ['gerda', 'frieda']) await seedUser(team.server, name, 'annotator', [team.workspaceId])
})

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent || document.activeElement?.getAttribute('name'))
const codeField = (page: Page) => page.getByLabel(ui('features/second-factor:code'))

const signInWithPassword = async (page: Page, username: string): Promise<void> => {
  await page.getByLabel(ui('features/auth:username')).fill(username)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
}

/**
 * Goes through the setup with the keyboard, from its first screen to the recovery codes. @returns the app's secret and the codes
 */
const setUp = async (page: Page) => {
  const begin = page.getByRole('button', { name: ui('features/second-factor:setUp') })
  await begin.waitFor()
  await begin.focus()
  await page.keyboard.press('Enter')
  await codeField(page).waitFor()
  await expect.poll(() => codeField(page).evaluate((input) => input === document.activeElement)).toBe(true)
  await page.getByRole('img', { name: ui('features/second-factor:qr') }).waitFor()
  const secret = (await page.locator('main code').innerText()).replaceAll(/\s/g, '')
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await page.getByText(ui('features/second-factor:wrong')).waitFor()
  await page.keyboard.type(codeOf({ secret }))
  await page.keyboard.press('Enter')
  await page.getByText(ui('features/second-factor:codesHint')).waitFor()
  await expect.poll(() => focused(page)).toBe(ui('features/second-factor:codes'))
  return { secret, codes: await page.locator('main li').allInnerTexts() }
}

test('a user without a second factor sets one up after signing in, by keyboard, and continues to the requested page', async () => {
  const { page, complaints, close } = await openPage(team.browser, team.server.url)
  await page.goto('/user-settings')
  await page.waitForURL('**/sign-in')
  await signInWithPassword(page, 'gerda')
  await page.waitForURL('**/second-factor')
  await expect.poll(() => page.title()).toBe(`${ui('features/second-factor:setUp')} · Postil`)
  expect(await findViolations(page)).toEqual([])
  // Every other page redirects here.
  await page.goto('/guides')
  await page.waitForURL('**/second-factor')
  await page.goto('/sign-in')
  await page.waitForURL('**/second-factor')
  await page.goto('/user-settings')
  await page.waitForURL('**/second-factor')
  const { codes } = await setUp(page)
  expect(codes).toHaveLength(10)
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/user-settings')
  await page.getByText(ui('features/second-factor:left', { count: 10 })).waitFor()
  await page.getByText(ui('features/second-factor:required')).waitFor()
  expect(await page.getByRole('button', { name: ui('features/second-factor:remove') }).count()).toBe(0)
  await page
    .getByRole('button', { name: ui('features/profile:showKey'), exact: true })
    .first()
    .click()
  await expect.poll(() => page.locator('#key ~ div code').innerText()).toHaveLength(107)
  expect(complaints()).toEqual([])
  await close()
})

test('the next sign-in asks only for a code, and removal by an owner requires setup again', async () => {
  const { page, close } = await openPage(team.browser, team.server.url)
  await page.goto('/sign-in')
  await signInWithPassword(page, 'frieda')
  const { codes } = await setUp(page)
  await page.getByRole('button', { name: ui('features/second-factor:kept') }).click()
  await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
  const again = await openPage(team.browser, team.server.url)
  await again.page.goto('/sign-in')
  await signInWithPassword(again.page, 'frieda')
  await again.page.getByLabel(ui('features/second-factor:atSignIn.code')).fill(codes[0] ?? '')
  await again.page.keyboard.press('Enter')
  await again.page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
  const users = `${team.server.url}/api/v1/users`
  const headers = { 'x-argilla-api-key': team.server.apiKey }
  const { items } = (await (await fetch(users, { headers })).json()) as { items: { id: string; username: string }[] }
  const id = items.find(({ username }) => username === 'frieda')?.id
  expect((await fetch(`${users}/${id}/second-factor`, { method: 'DELETE', headers })).status).toBe(204)
  await page.reload()
  await page.waitForURL('**/sign-in')
  await signInWithPassword(page, 'frieda')
  await page.getByRole('button', { name: ui('features/second-factor:setUp') }).waitFor()
  await again.close()
  await close()
})

test('the first-start link also requires setup, and another person can sign in instead', async () => {
  const link = /http\S+sign-in#link=\S+/.exec(team.server.printed())?.[0] ?? ''
  const { page, complaints, close } = await openPage(team.browser, team.server.url, PHONE)
  await page.goto(link)
  await page.waitForURL('**/second-factor')
  await page.getByRole('button', { name: ui('features/second-factor:atSignIn.back') }).click()
  await page.waitForURL('**/sign-in')
  await page.getByLabel(ui('features/auth:username')).waitFor()
  expect(complaints()).toEqual([])
  await close()
})

test('sign-in through a provider counts as one factor: it requires setup first, and a code from then on', async () => {
  const { server: open, close: end } = await startServerWithProvider({ POSTIL_SECOND_FACTOR: 'everyone' })
  const { page, complaints, close } = await openPage(team.browser, open.url)
  const signInWithCode = async (): Promise<void> => {
    await page.goto('/sign-in')
    await page.getByRole('link', { name: ui('features/auth:continueWith', { provider: 'The Company' }) }).click()
    await signInAtProvider(page, 'ann')
    await page.waitForURL('**/second-factor')
  }
  await signInWithCode()
  const { secret } = await setUp(page)
  await page.getByRole('button', { name: ui('features/second-factor:kept') }).click()
  await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
  await page.context().clearCookies()
  await signInWithCode()
  const code = page.getByLabel(ui('features/second-factor:atSignIn.code'), { exact: true })
  await expect.poll(() => code.evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await page.getByText(ui('features/second-factor:wrong')).waitFor()
  await page.keyboard.type(codeOf({ secret }, 1))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
  expect(complaints()).toEqual([])
  await close()
  await end()
})
