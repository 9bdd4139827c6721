import { codeOf } from '@postil/server/tests/api/testing/second-factor.ts'
import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, openPage } from '../../harness/browser.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { createSession, signIn } from '../support/sign-in.ts'

const team = setUpTeam()

const open = async (path: string, username?: string) => {
  const opened = await openPage(team.browser, team.server.url)
  if (username !== undefined) await createSession(opened.page, team.server.url, username, PASSWORD)
  await opened.page.goto(path)
  // Content that is still loading can push a button away, so that a click misses it.
  await opened.page.waitForLoadState('networkidle')
  return opened
}
const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()

/** Sets up two-factor authentication in the page. @returns the app's secret and the recovery codes */
const setUp = async (page: Page) => {
  await page.getByRole('button', { name: ui('features/second-factor:setUp') }).click()
  await dialog(page).getByLabel(ui('features/second-factor:password')).fill('not it')
  await press(page, ui('features/second-factor:next'))
  await dialog(page).getByText(ui('features/second-factor:passwordWrong')).waitFor()
  await dialog(page).getByLabel(ui('features/second-factor:password')).fill(PASSWORD)
  await press(page, ui('features/second-factor:next'))
  await dialog(page)
    .getByRole('img', { name: ui('features/second-factor:qr') })
    .waitFor()
  expect(await findViolations(page)).toEqual([])
  const secret = (await dialog(page).locator('code').innerText()).replaceAll(/\s/g, '')
  await dialog(page).getByLabel(ui('features/second-factor:code')).fill('000000')
  await press(page, ui('features/second-factor:turnOn'))
  await dialog(page).getByText(ui('features/second-factor:wrong')).waitFor()
  await dialog(page).getByLabel(ui('features/second-factor:code')).fill(codeOf({ secret }))
  await press(page, ui('features/second-factor:turnOn'))
  await dialog(page).getByText(ui('features/second-factor:codesHint')).waitFor()
  const codes = await dialog(page).locator('li').allInnerTexts()
  expect(codes).toHaveLength(10)
  // The codes are shown only once, so only a button closes the dialog.
  for (let times = 0; times < 2; times += 1) await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  expect(await dialog(page).locator('li').count()).toBe(10)
  await press(page, ui('features/second-factor:kept'))
  await page.getByText(ui('features/second-factor:left', { count: 10 })).waitFor()
  return { secret, codes }
}

test('a second factor is set up with an app, required at the next sign-in, and turned off again', async () => {
  await seedUser(team.server, 'gerda', 'annotator', [team.workspaceId])
  const { page, close, complaints } = await open('/user-settings', 'gerda')
  const { secret, codes } = await setUp(page)

  const other = await open('/sign-in')
  await other.page.getByLabel(ui('features/auth:username')).fill('gerda')
  await other.page.getByLabel(ui('features/auth:password')).fill(PASSWORD)
  await other.page.keyboard.press('Enter')
  const code = other.page.getByLabel(ui('features/second-factor:atSignIn.code'))
  await code.waitFor()
  await expect.poll(() => code.evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await findViolations(other.page)).toEqual([])
  await code.fill('000000')
  await other.page.keyboard.press('Enter')
  await other.page.getByText(ui('features/second-factor:wrong')).waitFor()
  await code.fill(codeOf({ secret }, 1))
  await other.page.keyboard.press('Enter')
  await other.page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
  await other.close()

  await page.getByRole('button', { name: ui('features/second-factor:remove') }).click()
  await dialog(page).getByLabel(ui('features/second-factor:password')).fill(PASSWORD)
  await dialog(page)
    .getByLabel(ui('features/second-factor:code'))
    .fill(codes[0] ?? '')
  await press(page, ui('features/second-factor:remove'))
  await page.getByRole('button', { name: ui('features/second-factor:setUp') }).waitFor()
  expect(complaints()).toEqual([])
  await close()
  const last = await open('/sign-in')
  await signIn(last.page, 'gerda', PASSWORD)
  await last.close()
})

detail('a second factor is removed by an owner for a user who lost their phone', async () => {
  await seedUser(team.server, 'frieda', 'annotator', [team.workspaceId])
  const { page, close } = await open('/user-settings', 'frieda')
  await setUp(page)
  await close()
  const owner = await openPage(team.browser, team.server.url)
  await createSession(owner.page, team.server.url)
  await owner.page.goto('/administration')
  await owner.page.getByRole('button', { name: ui('features/administration:users.menu', { username: 'frieda' }) }).click()
  await owner.page.getByRole('menuitem', { name: ui('features/administration:users.removeFactor') }).click()
  await press(owner.page, ui('features/administration:users.removeFactor'))
  await owner.page
    .getByText(ui('features/administration:users.factorRemoved', { username: 'frieda' }))
    .first()
    .waitFor()
  await owner.close()
  const last = await open('/sign-in')
  await signIn(last.page, 'frieda', PASSWORD)
  await last.close()
})

detail('too many attempts show how long to wait', async () => {
  await seedUser(team.server, 'hanna', 'annotator', [team.workspaceId])
  const { page, close } = await open('/sign-in')
  await page.getByLabel(ui('features/auth:username')).fill('hanna')
  for (let tries = 1; tries <= 10; tries += 1) {
    await page.getByLabel(ui('features/auth:password')).fill(`not it ${tries}`)
    const refused = page.waitForResponse('**/api/v1/session')
    await page.keyboard.press('Enter')
    expect((await refused).status()).toBe(401)
    // The form can't be submitted again until the page has processed the response.
    await page.locator('form [aria-busy]').waitFor({ state: 'detached' })
  }
  await page.getByLabel(ui('features/auth:password')).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText(uiPattern('common:validations.http.429.wait', { when: /in 1[0-5] minutes/ })).waitFor()
  await close()
})
