import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, violations } from '../../harness/browser.ts'
import { OWNER } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { asOwner, givenUser, givenWorkspace, PASSWORD } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()

const signedIn = async (path: string, username: string = OWNER.username) => {
  const opened = await openPage(team.browser, team.server.url)
  await haveSession(opened.page, team.server.url, username, username === OWNER.username ? OWNER.password : PASSWORD)
  // Nothing that is told goes by itself, however long it takes to begin something else.
  await opened.page.addInitScript(() => {
    const later = window.setTimeout.bind(window)
    const setTimeout = (work: () => void, wait = 0, ...given: unknown[]) => later(work, wait < 7000 ? wait : 3_600_000, ...given)
    Object.assign(window, { setTimeout })
  })
  await opened.page.goto(path)
  // What comes later moves what is there, and a press in between is none.
  await opened.page.waitForLoadState('networkidle')
  return opened
}
const notices = (page: Page) => page.getByRole('region', { name: ui('common:toast.region') }).getByRole('listitem')
const told = (page: Page, text: string) => notices(page).getByText(text).waitFor()
const gone = (page: Page, text: string) => notices(page).getByText(text).waitFor({ state: 'detached' })
const menuOf = async (page: Page, username: string, item: string): Promise<void> => {
  await page.getByRole('button', { name: ui('features/administration:users.menu', { username }) }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const blanks = ' '.repeat(8)

test('a password of blanks alone is refused at its field, for oneself and for others', async () => {
  await givenUser(team.server, 'blank', 'annotator')
  const mine = await signedIn('/user-settings', 'blank')
  await mine.page.getByLabel(ui('features/second-factor:password')).fill(PASSWORD)
  const next = mine.page.getByRole('textbox', { name: ui('features/profile:passwordNew') })
  await next.fill(blanks)
  await mine.page.getByRole('button', { name: ui('features/profile:passwordChange') }).click()
  await mine.page.getByText(ui('features/profile:passwordBlank')).waitFor()
  expect(await next.getAttribute('aria-invalid')).toBe('true')
  // What is said of a text goes with the text.
  await next.fill(`${blanks}x`)
  await mine.page.getByText(/blanks alone/).waitFor({ state: 'detached' })
  await mine.close()

  const { page, close, complaints } = await signedIn('/administration')
  await menuOf(page, 'blank', ui('features/administration:users.newPassword'))
  await page.getByRole('textbox', { name: ui('features/auth:password') }).fill(blanks)
  await page.getByText("It can't be blanks alone").waitFor()
  expect(
    await page.getByRole('button', { name: ui('features/administration:users.setPassword') }).getAttribute('aria-disabled'),
  ).toBe('true')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: ui('features/administration:users.add') }).click()
  const dialog = page.getByRole('dialog', { name: ui('features/administration:users.add') })
  await dialog.getByRole('textbox', { name: ui('features/auth:username') }).fill('nobody')
  await dialog.getByRole('textbox', { name: ui('features/administration:users.firstName') }).fill('Nobody')
  await dialog.getByRole('textbox', { name: ui('features/auth:password') }).fill(blanks)
  await page.keyboard.press('Enter')
  await dialog.getByText("It can't be blanks alone").waitFor()
  expect(complaints()).toEqual([])
  await close()
  const { items } = await asOwner<{ items: { username: string }[] }>(team.server, 'GET', '/users')
  expect(items.map(({ username }) => username)).not.toContain('nobody')
  const body = new URLSearchParams({ username: 'blank', password: PASSWORD })
  expect((await fetch(`${team.server.url}/api/v1/token`, { method: 'POST', body })).ok).toBe(true)
})

test('a password that many people have is refused at its field, with why', async () => {
  await givenUser(team.server, 'common', 'annotator')
  const { page, close, complaints } = await signedIn('/administration')
  const why = 'Choose another one: many people have this password'
  await menuOf(page, 'common', ui('features/administration:users.newPassword'))
  const password = page.getByRole('dialog').getByRole('textbox', { name: ui('features/auth:password') })
  await password.fill('password')
  await page.getByRole('button', { name: ui('features/administration:users.setPassword') }).click()
  await page.getByText(why).waitFor()
  expect([await password.getAttribute('aria-invalid'), await page.getByRole('dialog').getByRole('alert').count()]).toEqual([
    'true',
    0,
  ])
  await expect.poll(() => password.evaluate((input) => input === document.activeElement)).toBe(true)
  await password.fill('password that is longer')
  await page.getByText(why).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: ui('features/administration:users.add') }).click()
  await page.getByRole('textbox', { name: ui('features/auth:username') }).fill('newcomer')
  await page.getByRole('textbox', { name: ui('features/administration:users.firstName') }).fill('New')
  await password.fill('12345678')
  await page.getByRole('button', { name: ui('features/administration:users.addVerb'), exact: true }).click()
  await page.getByText(why).waitFor()
  expect(await page.getByRole('dialog').getByRole('alert').count()).toBe(0)
  expect(complaints()).toEqual([])
  await close()
})

test('a role is changed, and somebody deactivated, only once it was said twice', async () => {
  const id = await givenUser(team.server, 'rosa', 'admin')
  const rosa = () => asOwner<{ role: string; active: boolean }>(team.server, 'GET', `/users/${id}`)
  const { page, close, complaints } = await signedIn('/administration')
  const role = page.getByRole('combobox', { name: ui('features/administration:users.roleOf', { username: 'rosa' }) })
  await role.focus()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('dialog', { name: ui('features/administration:users.roleTitle.owner', { username: 'rosa' }) }).waitFor()
  expect(await violations(page, 'all')).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect([await role.inputValue(), (await rosa()).role]).toEqual(['admin', 'admin'])
  await role.selectOption('owner')
  await page.getByRole('button', { name: ui('features/administration:users.roleVerb') }).click()
  await told(page, ui('features/administration:users.hasRole', { username: 'rosa', role: 'Owner' }))
  expect((await rosa()).role).toBe('owner')
  await role.selectOption('annotator')
  await page
    .getByRole('dialog', { name: ui('features/administration:users.roleTitle.annotator', { username: 'rosa' }) })
    .getByText('loses what only owners may do')
    .waitFor()
  await page.keyboard.press('Escape')
  await menuOf(page, 'rosa', ui('features/administration:users.deactivate'))
  await page.getByRole('dialog', { name: ui('features/administration:users.deactivateTitle', { username: 'rosa' }) }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await rosa()).toMatchObject({ role: 'owner', active: true })
  expect(complaints()).toEqual([])
  await close()
})

test('what was done in my settings is told until something else is begun, or the page is left', async () => {
  await givenUser(team.server, 'told', 'annotator')
  const { page, close } = await signedIn('/user-settings', 'told')
  const current = page.getByLabel(ui('features/second-factor:password'))
  const next = page.getByLabel(ui('features/profile:passwordNew'))
  const change = async (from: string, to: string): Promise<void> => {
    await current.fill(from)
    await next.fill(to)
    await page.getByRole('button', { name: ui('features/profile:passwordChange') }).click()
    await told(page, ui('features/profile:passwordChanged'))
  }
  await change(PASSWORD, 'one more password')
  await current.fill('o')
  await gone(page, ui('features/profile:passwordChanged'))
  await change('one more password', 'the next password')
  await page.getByRole('button', { name: ui('features/profile:newKey') }).click()
  await gone(page, ui('features/profile:passwordChanged'))
  await page.keyboard.press('Escape')
  await change('the next password', PASSWORD)
  await page.getByRole('link', { name: ui('common:nav.toHome') }).click()
  await gone(page, ui('features/profile:passwordChanged'))
  await close()
})

test('what was done in the administration is told until something else is begun, or the section is left', async () => {
  await givenUser(team.server, 'otto', 'annotator')
  await givenWorkspace(team.server, 'short-lived')
  await givenWorkspace(team.server, 'kept')
  const { page, close } = await signedIn('/administration')
  const setPassword = async (): Promise<void> => {
    await menuOf(page, 'otto', ui('features/administration:users.newPassword'))
    await page.getByRole('button', { name: ui('features/administration:users.setPassword') }).click()
    await told(page, ui('features/administration:users.hasNewPassword', { username: 'otto' }))
  }
  await setPassword()
  await menuOf(page, 'otto', ui('features/administration:users.edit'))
  await gone(page, ui('features/administration:users.hasNewPassword', { username: 'otto' }))
  await page.keyboard.press('Escape')
  await setPassword()
  await page
    .getByRole('combobox', { name: ui('features/administration:users.roleOf', { username: 'otto' }) })
    .selectOption('admin')
  await gone(page, ui('features/administration:users.hasNewPassword', { username: 'otto' }))
  await page.getByRole('button', { name: ui('features/administration:users.roleVerb') }).click()
  await told(page, ui('features/administration:users.hasRole', { username: 'otto', role: 'Admin' }))
  await setPassword()
  await page.getByRole('link', { name: ui('features/administration:section.workspaces') }).click()
  await gone(page, ui('features/administration:users.hasNewPassword', { username: 'otto' }))
  await page.getByRole('button', { name: ui('features/administration:workspaces.delete', { name: 'short-lived' }) }).click()
  await page.getByRole('button', { name: ui('features/administration:users.deleteVerb') }).click()
  await told(page, ui('features/administration:users.isDeleted', { username: 'short-lived' }))
  await page.getByRole('link', { name: ui('common:nav.toHome') }).click()
  await gone(page, ui('features/administration:users.isDeleted', { username: 'short-lived' }))
  // Why a form was refused goes when it is another form.
  await page.goto('/administration?tab=workspaces')
  await page.getByRole('button', { name: ui('features/administration:workspaces.add') }).click()
  const name = page.getByRole('textbox', { name: ui('features/administration:workspaces.name') })
  await name.fill('kept')
  await page.getByRole('button', { name: ui('features/administration:users.addVerb'), exact: true }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await name.fill('kept-2')
  await page.getByRole('dialog').getByRole('alert').waitFor({ state: 'detached' })
  await close()
})

test('blanks around a username that is typed are none of it, and one that stays as it was is kept', async () => {
  // Made elsewhere, where they count.
  const id = await givenUser(team.server, 'ida ', 'annotator')
  const names = async () =>
    (await asOwner<{ items: { username: string }[] }>(team.server, 'GET', '/users')).items.map(({ username }) => username)
  const { page, close, complaints } = await signedIn('/administration')
  await page.getByRole('button', { name: ui('features/administration:users.add') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: ui('features/auth:username') }).fill(' kim ')
  await dialog.getByRole('textbox', { name: ui('features/administration:users.firstName') }).fill('Kim')
  await dialog.getByRole('button', { name: ui('features/administration:users.addVerb'), exact: true }).click()
  await told(page, ui('features/administration:users.added', { username: 'kim' }))
  expect(await names()).toContain('kim')
  await menuOf(page, 'ida', ui('features/administration:users.edit'))
  await dialog.getByRole('textbox', { name: ui('features/administration:users.firstName') }).fill('Ida')
  await dialog.getByRole('button', { name: ui('features/administration:save') }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await asOwner(team.server, 'GET', `/users/${id}`)).toMatchObject({ username: 'ida ', first_name: 'Ida' })
  await menuOf(page, 'ida', ui('features/administration:users.edit'))
  await dialog.getByRole('textbox', { name: ui('features/auth:username') }).fill('ida  ')
  await dialog.getByRole('button', { name: ui('features/administration:save') }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await asOwner(team.server, 'GET', `/users/${id}`)).toMatchObject({ username: 'ida' })
  expect(complaints()).toEqual([])
  await close()
})
