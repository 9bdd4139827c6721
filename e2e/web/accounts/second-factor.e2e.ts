import { codeOf } from '@postil/server/wire/testing/second-factor.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, violations } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { givenUser, PASSWORD } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { haveSession, signIn } from '../support/sign-in.ts'

const team = setUpTeam()

const open = async (path: string, username?: string) => {
  const opened = await openPage(team.browser, team.server.url)
  if (username !== undefined) await haveSession(opened.page, team.server.url, username, PASSWORD)
  await opened.page.goto(path)
  // What comes later moves what is there, and a press in between is none.
  await opened.page.waitForLoadState('networkidle')
  return opened
}
const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()

/** Sets a second step up in the page. @returns what the app knows, and the recovery codes */
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
  expect(await violations(page)).toEqual([])
  const secret = (await dialog(page).locator('code').innerText()).replaceAll(/\s/g, '')
  await dialog(page).getByLabel(ui('features/second-factor:code')).fill('000000')
  await press(page, ui('features/second-factor:turnOn'))
  await dialog(page).getByText('The code is wrong').waitFor()
  await dialog(page).getByLabel(ui('features/second-factor:code')).fill(codeOf({ secret }))
  await press(page, ui('features/second-factor:turnOn'))
  await dialog(page).getByText('Each lets you in once').waitFor()
  const codes = await dialog(page).locator('li').allInnerTexts()
  expect(codes).toHaveLength(10)
  // They are shown this one time: only a button takes them away.
  for (let times = 0; times < 2; times += 1) await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  expect(await dialog(page).locator('li').count()).toBe(10)
  await press(page, ui('features/second-factor:kept'))
  await page.getByText(ui('features/second-factor:left', { count: 10 })).waitFor()
  return { secret, codes }
}

test('is set up with an app, asked for at the next sign-in, and turned off again', async () => {
  await givenUser(team.server, 'gerda', 'annotator', [team.workspaceId])
  const { page, close, complaints } = await open('/user-settings', 'gerda')
  const { secret, codes } = await setUp(page)

  const other = await open('/sign-in')
  await other.page.getByLabel(ui('features/auth:username')).fill('gerda')
  await other.page.getByLabel(ui('features/auth:password')).fill(PASSWORD)
  await other.page.keyboard.press('Enter')
  const code = other.page.getByLabel(ui('features/second-factor:atSignIn.code'))
  await code.waitFor()
  await expect.poll(() => code.evaluate((input) => input === document.activeElement)).toBe(true)
  expect(await violations(other.page)).toEqual([])
  await code.fill('000000')
  await other.page.keyboard.press('Enter')
  await other.page.getByText('The code is wrong').waitFor()
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

test('is removed by an owner for somebody whose phone is lost', async () => {
  await givenUser(team.server, 'frieda', 'annotator', [team.workspaceId])
  const { page, close } = await open('/user-settings', 'frieda')
  await setUp(page)
  await close()
  const owner = await openPage(team.browser, team.server.url)
  await haveSession(owner.page, team.server.url)
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

test('who has tried too often is told for how long to wait', async () => {
  await givenUser(team.server, 'hanna', 'annotator', [team.workspaceId])
  const { page, close } = await open('/sign-in')
  await page.getByLabel(ui('features/auth:username')).fill('hanna')
  for (let tries = 1; tries <= 10; tries += 1) {
    await page.getByLabel(ui('features/auth:password')).fill(`not it ${tries}`)
    const refused = page.waitForResponse('**/api/v1/session')
    await page.keyboard.press('Enter')
    expect((await refused).status()).toBe(401)
    // Until the page has read it, the form is not sent again.
    await page.locator('form [aria-busy]').waitFor({ state: 'detached' })
  }
  await page.getByLabel(ui('features/auth:password')).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText(/^Too many tries\. You can try again in 1[0-5] minutes\.$/).waitFor()
  await close()
})
