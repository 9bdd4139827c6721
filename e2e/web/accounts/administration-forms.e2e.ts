import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, openPage } from '../../harness/browser.ts'
import { OWNER } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, PASSWORD, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()

const signedIn = async (path: string, username: string = OWNER.username) => {
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url, username, username === OWNER.username ? OWNER.password : PASSWORD)
  // Keeps notices from disappearing automatically, however long the test takes.
  await opened.page.addInitScript(() => {
    const later = window.setTimeout.bind(window)
    const setTimeout = (work: () => void, wait = 0, ...given: unknown[]) => later(work, wait < 7000 ? wait : 3_600_000, ...given)
    Object.assign(window, { setTimeout })
  })
  await opened.page.goto(path)
  // Content that loads late can shift the layout. A click would then miss its target.
  await opened.page.waitForLoadState('networkidle')
  return opened
}
const notices = (page: Page) => page.getByRole('region', { name: ui('common:toast.region') }).getByRole('listitem')
const expectNotice = (page: Page, text: string) => notices(page).getByText(text).waitFor()
const expectGone = (page: Page, text: string) => notices(page).getByText(text).waitFor({ state: 'detached' })
const menuOf = async (page: Page, username: string, item: string): Promise<void> => {
  await page.getByRole('button', { name: ui('features/administration:users.menu', { username }) }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const blankNames = ' '.repeat(8)

test("a password of only spaces is refused at its input, for the user's own account and others", async () => {
  await seedUser(team.server, 'blank', 'annotator')
  const mine = await signedIn('/user-settings', 'blank')
  await mine.page.getByLabel(ui('features/profile:passwordCurrent')).fill(PASSWORD)
  const next = mine.page.getByRole('textbox', { name: ui('features/profile:passwordNew') })
  await next.fill(blankNames)
  await mine.page.getByRole('button', { name: ui('features/profile:passwordChange') }).click()
  await mine.page.getByText(ui('features/profile:passwordBlank')).waitFor()
  expect(await next.getAttribute('aria-invalid')).toBe('true')
  // The error disappears when the text changes.
  await next.fill(`${blankNames}x`)
  await mine.page.getByText(ui('features/profile:passwordBlank')).waitFor({ state: 'detached' })
  await mine.close()

  const { page, close, complaints } = await signedIn('/administration')
  await menuOf(page, 'blank', ui('features/administration:users.newPassword'))
  await page.getByRole('textbox', { name: ui('features/administration:users.password') }).fill(blankNames)
  await page.getByText(ui('features/administration:users.passwordBlank')).waitFor()
  expect(
    await page.getByRole('button', { name: ui('features/administration:users.setPassword') }).getAttribute('aria-disabled'),
  ).toBe('true')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: ui('features/administration:users.add') }).click()
  const dialog = page.getByRole('dialog', { name: ui('features/administration:users.add') })
  await dialog.getByRole('textbox', { name: ui('features/administration:users.username') }).fill('nobody')
  await dialog.getByRole('textbox', { name: ui('features/administration:users.firstName') }).fill('Nobody')
  await dialog.getByRole('textbox', { name: ui('features/administration:users.password') }).fill(blankNames)
  await page.keyboard.press('Enter')
  await dialog.getByText(ui('features/administration:users.passwordBlank')).waitFor()
  expect(complaints()).toEqual([])
  await close()
  const { items } = await callAsOwner<{ items: { username: string }[] }>(team.server, 'GET', '/users')
  expect(items.map(({ username }) => username)).not.toContain('nobody')
  const body = new URLSearchParams({ username: 'blank', password: PASSWORD })
  expect((await fetch(`${team.server.url}/api/v1/token`, { method: 'POST', body })).ok).toBe(true)
})

test('a common password is refused at its input, with the reason', async () => {
  await seedUser(team.server, 'common', 'annotator')
  const { page, close, complaints } = await signedIn('/administration')
  const why = ui('features/administration:users.passwordWeak')
  await menuOf(page, 'common', ui('features/administration:users.newPassword'))
  const password = page.getByRole('dialog').getByRole('textbox', { name: ui('features/administration:users.password') })
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
  await page.getByRole('textbox', { name: ui('features/administration:users.username') }).fill('newcomer')
  await page.getByRole('textbox', { name: ui('features/administration:users.firstName') }).fill('New')
  await password.fill('12345678')
  await page.getByRole('button', { name: ui('features/administration:users.addVerb'), exact: true }).click()
  await page.getByText(why).waitFor()
  expect(await page.getByRole('dialog').getByRole('alert').count()).toBe(0)
  expect(complaints()).toEqual([])
  await close()
})

test('changing a role or deactivating a user requires confirmation', async () => {
  const id = await seedUser(team.server, 'rosa', 'admin')
  const rosa = () => callAsOwner<{ role: string; active: boolean }>(team.server, 'GET', `/users/${id}`)
  const { page, close, complaints } = await signedIn('/administration')
  const role = page.getByRole('combobox', { name: ui('features/administration:users.roleOf', { username: 'rosa' }) })
  await role.focus()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('dialog', { name: ui('features/administration:users.roleTitle.owner', { username: 'rosa' }) }).waitFor()
  expect(await findViolations(page, 'all')).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect([await role.inputValue(), (await rosa()).role]).toEqual(['admin', 'admin'])
  await role.selectOption('owner')
  await page.getByRole('button', { name: ui('features/administration:users.roleVerb') }).click()
  await expectNotice(page, ui('features/administration:users.hasRole', { username: 'rosa', role: ui('common:user.role.owner') }))
  expect((await rosa()).role).toBe('owner')
  await role.selectOption('annotator')
  await page
    .getByRole('dialog', { name: ui('features/administration:users.roleTitle.annotator', { username: 'rosa' }) })
    .getByText(ui('features/administration:users.roleTaken', { username: 'rosa' }))
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

test('the confirmation in my settings stays until another action starts or the page is left', async () => {
  await seedUser(team.server, 'told', 'annotator')
  const { page, close } = await signedIn('/user-settings', 'told')
  const current = page.getByLabel(ui('features/profile:passwordCurrent'))
  const next = page.getByLabel(ui('features/profile:passwordNew'))
  const change = async (from: string, to: string): Promise<void> => {
    await current.fill(from)
    await next.fill(to)
    await page.getByRole('button', { name: ui('features/profile:passwordChange') }).click()
    await expectNotice(page, ui('features/profile:passwordChanged'))
  }
  await change(PASSWORD, 'one more password')
  await current.fill('o')
  await expectGone(page, ui('features/profile:passwordChanged'))
  await change('one more password', 'the next password')
  await page.getByRole('button', { name: ui('features/profile:newKey') }).click()
  await expectGone(page, ui('features/profile:passwordChanged'))
  await page.keyboard.press('Escape')
  await change('the next password', PASSWORD)
  await page.getByRole('link', { name: ui('common:nav.toHome') }).click()
  await expectGone(page, ui('features/profile:passwordChanged'))
  await close()
})

test('the confirmation in the administration stays until another action starts or the section is left', async () => {
  await seedUser(team.server, 'otto', 'annotator')
  await seedWorkspace(team.server, 'short-lived')
  await seedWorkspace(team.server, 'kept')
  const { page, close } = await signedIn('/administration')
  const setPassword = async (): Promise<void> => {
    await menuOf(page, 'otto', ui('features/administration:users.newPassword'))
    await page.getByRole('button', { name: ui('features/administration:users.setPassword') }).click()
    await expectNotice(page, ui('features/administration:users.hasNewPassword', { username: 'otto' }))
  }
  await setPassword()
  await menuOf(page, 'otto', ui('features/administration:users.edit'))
  await expectGone(page, ui('features/administration:users.hasNewPassword', { username: 'otto' }))
  await page.keyboard.press('Escape')
  await setPassword()
  await page
    .getByRole('combobox', { name: ui('features/administration:users.roleOf', { username: 'otto' }) })
    .selectOption('admin')
  await expectGone(page, ui('features/administration:users.hasNewPassword', { username: 'otto' }))
  await page.getByRole('button', { name: ui('features/administration:users.roleVerb') }).click()
  await expectNotice(page, ui('features/administration:users.hasRole', { username: 'otto', role: ui('common:user.role.admin') }))
  await setPassword()
  await page.getByRole('link', { name: ui('features/administration:section.workspaces') }).click()
  await expectGone(page, ui('features/administration:users.hasNewPassword', { username: 'otto' }))
  await page.getByRole('button', { name: ui('features/administration:workspaces.delete', { name: 'short-lived' }) }).click()
  await page.getByRole('button', { name: ui('features/administration:workspaces.deleteVerb') }).click()
  await expectNotice(page, ui('features/administration:workspaces.isDeleted', { name: 'short-lived' }))
  await page.getByRole('link', { name: ui('common:nav.toHome') }).click()
  await expectGone(page, ui('features/administration:workspaces.isDeleted', { name: 'short-lived' }))
  // The error of a form disappears when another form opens.
  await page.goto('/administration?tab=workspaces')
  await page.getByRole('button', { name: ui('features/administration:workspaces.add') }).click()
  const name = page.getByRole('textbox', { name: ui('features/administration:workspaces.name') })
  await name.fill('kept')
  await page.getByRole('button', { name: ui('features/administration:workspaces.addVerb'), exact: true }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await name.fill('kept-2')
  await page.getByRole('dialog').getByRole('alert').waitFor({ state: 'detached' })
  await close()
})

test('spaces around a typed username are removed, and an unchanged username keeps them', async () => {
  // The user is created through the API, which keeps the space in the name.
  const id = await seedUser(team.server, 'ida ', 'annotator')
  const names = async () =>
    (await callAsOwner<{ items: { username: string }[] }>(team.server, 'GET', '/users')).items.map(({ username }) => username)
  const { page, close, complaints } = await signedIn('/administration')
  await page.getByRole('button', { name: ui('features/administration:users.add') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: ui('features/administration:users.username') }).fill(' kim ')
  await dialog.getByRole('textbox', { name: ui('features/administration:users.firstName') }).fill('Kim')
  await dialog.getByRole('button', { name: ui('features/administration:users.addVerb'), exact: true }).click()
  await expectNotice(page, ui('features/administration:users.added', { username: 'kim' }))
  expect(await names()).toContain('kim')
  await menuOf(page, 'ida', ui('features/administration:users.edit'))
  await dialog.getByRole('textbox', { name: ui('features/administration:users.firstName') }).fill('Ida')
  await dialog.getByRole('button', { name: ui('features/administration:save') }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await callAsOwner(team.server, 'GET', `/users/${id}`)).toMatchObject({ username: 'ida ', first_name: 'Ida' })
  await menuOf(page, 'ida', ui('features/administration:users.edit'))
  await dialog.getByRole('textbox', { name: ui('features/administration:users.username') }).fill('ida  ')
  await dialog.getByRole('button', { name: ui('features/administration:save') }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await callAsOwner(team.server, 'GET', `/users/${id}`)).toMatchObject({ username: 'ida' })
  expect(complaints()).toEqual([])
  await close()
})
