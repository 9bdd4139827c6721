import { detail } from '@postil/testkit/detail.ts'
import { variants } from '@postil/testkit/run-size.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../harness/browser.ts'
import { OWNER, type RunningServer, startServer } from '../../harness/server.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { callAsOwner, PASSWORD, seedDataset, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { createSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const signedIn = async (path: string, username: string = OWNER.username) => {
  const opened = await openPage(browser, server.url)
  await createSession(opened.page, server.url, username, username === OWNER.username ? OWNER.password : PASSWORD)
  await opened.page.goto(path)
  return opened
}

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
const menuOf = async (page: Page, username: string, item: string): Promise<void> => {
  await page.getByRole('button', { name: ui('features/administration:users.menu', { username }) }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const expectNotice = (page: Page, text: string) =>
  page
    .getByRole('region', { name: ui('common:toast.region') })
    .getByText(text)
    .waitFor()
const focused = (page: Page): Promise<string | null> => page.evaluate(() => document.activeElement?.textContent ?? null)

type Listed = { readonly id: string; readonly username: string; readonly role: string; readonly active: boolean }
const users = async (): Promise<Listed[]> => (await callAsOwner<{ items: Listed[] }>(server, 'GET', '/users')).items
const userNamed = async (name: string) => (await users()).find(({ username }) => username === name)
const canSignIn = async (username: string, password: string): Promise<boolean> => {
  const body = new URLSearchParams({ username, password })
  return (await fetch(`${server.url}/api/v1/token`, { method: 'POST', body })).ok
}

describe('users', () => {
  detail('are added as agents, lose the mark and get it back, and find the address to connect to', async () => {
    const { page, close, complaints } = await signedIn('/administration')
    await page.getByRole('button', { name: ui('features/administration:users.add') }).click()
    const dialog = page.getByRole('dialog', { name: ui('features/administration:users.add') })
    await dialog.getByRole('textbox', { name: ui('features/administration:users.username') }).fill('bot')
    await dialog.getByRole('textbox', { name: ui('features/administration:users.firstName') }).fill('Bot')
    await dialog.getByRole('switch', { name: ui('features/administration:users.agent') }).check()
    await dialog.getByRole('button', { name: ui('features/administration:users.addVerb'), exact: true }).click()
    const badge = row(page, 'bot').getByText(ui('features/administration:users.agent'), { exact: true })
    await badge.waitFor()
    const choose = async (item: string) => {
      await row(page, 'bot')
        .getByRole('button', { name: ui('features/administration:users.menu', { username: 'bot' }) })
        .click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose(ui('features/administration:users.makePerson'))
    await badge.waitFor({ state: 'detached' })
    expect(await userNamed('bot')).toMatchObject({ agent: false })
    await choose(ui('features/administration:users.makeAgent'))
    await badge.waitFor()
    expect(await userNamed('bot')).toMatchObject({ role: 'annotator', agent: true })
    await page.goto(`${server.url}/user-settings`)
    await page.getByText(`${server.url}/mcp`, { exact: true }).waitFor()
    await page.getByRole('button', { name: ui('features/profile:copyAddress') }).waitFor()
    expect(complaints()).toEqual([])
    await close()
  })

  test('are added with a password to hand over and with workspaces, and a taken name is reported', async () => {
    await seedWorkspace(server, 'arts')
    await seedWorkspace(server, 'letters')
    const { page, close, complaints } = await signedIn('/')
    await page.getByRole('button', { name: uiPattern('common:user.menu') }).click()
    await page.getByRole('menuitem', { name: ui('features/administration:title') }).click()
    await page.getByRole('button', { name: ui('features/administration:users.add') }).click()
    const dialog = page.getByRole('dialog', { name: ui('features/administration:users.add') })
    await dialog.getByRole('textbox', { name: ui('features/administration:users.username') }).fill('zoe')
    await dialog.getByRole('textbox', { name: ui('features/administration:users.firstName') }).fill(' Zoë ')
    const password = await dialog.getByRole('textbox', { name: ui('features/administration:users.password') }).inputValue()
    await expect.poll(() => dialog.getByRole('checkbox', { name: 'default' }).isChecked()).toBe(true)
    await dialog.getByRole('checkbox', { name: 'default' }).uncheck()
    await dialog.getByText(ui('features/administration:users.noWorkspace')).waitFor()
    await dialog.getByRole('checkbox', { name: 'letters' }).check()
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/users'))
    await page.keyboard.press('Enter')
    expect((await sent).postDataJSON()).toMatchObject({ first_name: 'Zoë' })
    await expectNotice(page, ui('features/administration:users.added', { username: 'zoe' }))
    await row(page, 'zoe').waitFor()
    expect(await userNamed('zoe')).toMatchObject({ role: 'annotator', active: true })
    expect(await canSignIn('zoe', password)).toBe(true)
    const zoe = await userNamed('zoe')
    const { items } = await callAsOwner<{ items: { name: string }[] }>(server, 'GET', `/users/${zoe?.id}/workspaces`)
    expect(items.map(({ name }) => name)).toEqual(['letters'])
    await page.getByRole('button', { name: ui('features/administration:users.add') }).click()
    await dialog.getByRole('textbox', { name: ui('features/administration:users.username') }).fill('zoe')
    await dialog.getByRole('textbox', { name: ui('features/administration:users.firstName') }).fill('Another')
    expect(complaints()).toEqual([])
    // On a phone, the form is taller than the screen.
    await page.setViewportSize({ width: 390, height: 844 })
    await dialog.getByRole('button', { name: ui('features/administration:users.addVerb'), exact: true }).click()
    const username = dialog.getByRole('textbox', { name: ui('features/administration:users.username'), description: /zoe/ })
    await expect.poll(() => username.evaluate((input) => input === document.activeElement)).toBe(true)
    await expect
      .poll(async () => {
        const message = await dialog.getByText(/zoe/).boundingBox()
        return message !== null && message.y > 0 && message.y < 500
      })
      .toBe(true)
    expect(await dialog.getByRole('textbox', { name: ui('features/administration:users.firstName') }).inputValue()).toBe(
      'Another',
    )
    await username.fill('zoe2')
    await dialog.getByText(/`?zoe`? /).waitFor({ state: 'detached' })
    await close()
  })

  detail('get another role, other names, a new password and other workspaces', async () => {
    const arts = await seedWorkspace(server, 'music')
    await seedUser(server, 'carl', 'annotator', [arts])
    const { page, close } = await signedIn('/administration')
    await page
      .getByRole('combobox', { name: ui('features/administration:users.roleOf', { username: 'carl' }) })
      .selectOption('admin')
    await page.getByRole('button', { name: ui('features/administration:users.roleVerb') }).click()
    await expect.poll(async () => (await userNamed('carl'))?.role).toBe('admin')
    await menuOf(page, 'carl', ui('features/administration:users.newPassword'))
    await page.getByRole('textbox', { name: ui('features/administration:users.password') }).fill('short')
    await page.getByText(ui('features/administration:users.passwordShort', { min: '8', max: '100' })).waitFor()
    await page.getByRole('textbox', { name: ui('features/administration:users.password') }).fill('long enough now')
    await page.getByRole('button', { name: ui('features/administration:users.setPassword') }).click()
    await expectNotice(page, ui('features/administration:users.hasNewPassword', { username: 'carl' }))
    expect([await canSignIn('carl', 'long enough now'), await canSignIn('carl', PASSWORD)]).toEqual([true, false])
    await menuOf(page, 'carl', ui('features/administration:section.workspaces'))
    const dialog = page.getByRole('dialog', { name: ui('features/administration:users.workspacesTitle', { username: 'carl' }) })
    await expect.poll(() => dialog.getByRole('checkbox', { name: 'music' }).isChecked()).toBe(true)
    await dialog.getByRole('checkbox', { name: 'music' }).uncheck()
    await dialog.getByRole('checkbox', { name: 'default' }).check()
    await dialog.getByRole('button', { name: ui('features/administration:save') }).click()
    await dialog.waitFor({ state: 'detached' })
    const carl = await userNamed('carl')
    const { items } = await callAsOwner<{ items: { name: string }[] }>(server, 'GET', `/users/${carl?.id}/workspaces`)
    expect(items.map(({ name }) => name)).toEqual(['default'])
    await menuOf(page, 'carl', ui('features/administration:users.edit'))
    await page.getByRole('textbox', { name: ui('features/administration:users.username') }).fill('carla')
    await page.getByRole('button', { name: ui('features/administration:save') }).click()
    await row(page, 'carla').waitFor()
    await close()
  })

  detail('are signed out everywhere', async () => {
    await seedUser(server, 'emil', 'annotator')
    const body = new URLSearchParams({ username: 'emil', password: PASSWORD })
    const token = await fetch(`${server.url}/api/v1/token`, { method: 'POST', body })
    const { access_token } = (await token.json()) as { access_token: string }
    const me = async () =>
      (await fetch(`${server.url}/api/v1/me`, { headers: { authorization: `Bearer ${access_token}` } })).status
    expect(await me()).toBe(200)
    const { page, close } = await signedIn('/administration')
    await menuOf(page, 'emil', ui('features/administration:users.signOut'))
    const dialog = page.getByRole('dialog', { name: ui('features/administration:users.signOutTitle', { username: 'emil' }) })
    await dialog.getByRole('button', { name: ui('features/administration:users.signOut') }).click()
    await expectNotice(page, ui('features/administration:users.isSignedOut', { username: 'emil' }))
    expect(await me()).toBe(401)
    await close()
  })

  detail('are deactivated and reactivated, and are deleted by typing their name', async () => {
    await seedUser(server, 'dora', 'annotator')
    const { page, close } = await signedIn('/administration')
    await menuOf(page, 'dora', ui('features/administration:users.deactivate'))
    await page.getByRole('button', { name: ui('features/administration:users.deactivateVerb') }).click()
    await row(page, 'dora').getByText(ui('features/administration:users.deactivated')).waitFor()
    expect(await canSignIn('dora', PASSWORD)).toBe(false)
    await menuOf(page, 'dora', ui('features/administration:users.activate'))
    await row(page, 'dora').getByText(ui('features/administration:users.deactivated')).waitFor({ state: 'detached' })
    expect(await canSignIn('dora', PASSWORD)).toBe(true)
    await menuOf(page, 'dora', ui('features/administration:users.delete'))
    const dialog = page.getByRole('dialog', { name: ui('features/administration:users.deleteTitle', { username: 'dora' }) })
    const yes = dialog.getByRole('button', { name: ui('features/administration:users.deleteVerb') })
    expect(await yes.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByRole('textbox').fill('dora')
    await yes.click()
    await expectNotice(page, ui('features/administration:users.isDeleted', { username: 'dora' }))
    expect(await userNamed('dora')).toBeUndefined()
    await close()
  })

  detail("can't change their own role or lock themselves out here", async () => {
    const { page, close } = await signedIn('/administration')
    await row(page, OWNER.username).getByText(ui('features/administration:users.you')).waitFor()
    expect(
      await page
        .getByRole('combobox', { name: ui('features/administration:users.roleOf', { username: OWNER.username }) })
        .count(),
    ).toBe(0)
    await page.getByRole('button', { name: ui('features/administration:users.menu', { username: OWNER.username }) }).click()
    await page.getByRole('menuitem', { name: ui('features/administration:users.edit') }).waitFor()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      ui('features/administration:users.edit'),
      ui('features/administration:users.newPassword'),
    ])
    await close()
  })
})

describe('workspaces', () => {
  detail('are added, gain and lose members, and are deleted when empty', async () => {
    await seedUser(server, 'emil', 'annotator')
    const { page, close } = await signedIn('/administration?tab=workspaces')
    await page.getByRole('button', { name: ui('features/administration:workspaces.add') }).click()
    await page.getByRole('textbox', { name: ui('features/administration:workspaces.name') }).fill('not good')
    expect(
      await page
        .getByRole('button', { name: ui('features/administration:workspaces.addVerb'), exact: true })
        .getAttribute('aria-disabled'),
    ).toBe('true')
    await page.getByRole('textbox', { name: ui('features/administration:workspaces.name') }).fill('new-one ')
    await page.getByRole('button', { name: ui('features/administration:workspaces.addVerb'), exact: true }).click()
    const one = row(page, 'new-one')
    await one.getByRole('button', { name: ui('features/administration:workspaces.members', { count: 0 }) }).click()
    await one.getByRole('combobox').selectOption('emil')
    await one.getByRole('button', { name: ui('features/administration:workspaces.addMember') }).click()
    await one.getByRole('button', { name: ui('features/administration:workspaces.members', { count: 1 }) }).waitFor()
    await one
      .getByRole('button', { name: ui('features/administration:workspaces.remove', { username: 'emil', name: 'new-one' }) })
      .click()
    await one.getByRole('button', { name: ui('features/administration:workspaces.members', { count: 0 }) }).waitFor()
    await one.getByRole('button', { name: ui('features/administration:workspaces.delete', { name: 'new-one' }) }).click()
    await page.getByRole('button', { name: ui('features/administration:workspaces.deleteVerb') }).click()
    await expectNotice(page, ui('features/administration:workspaces.isDeleted', { name: 'new-one' }))
    await expect.poll(() => row(page, 'new-one').count()).toBe(0)
    await expect.poll(() => focused(page)).toMatch(new RegExp(`^${ui('features/administration:section.workspaces')}`))
    const full = await seedWorkspace(server, 'full')
    await seedDataset(server, { name: 'in it', workspaceId: full })
    await page.reload()
    await page.getByRole('button', { name: ui('features/administration:workspaces.delete', { name: 'full' }) }).click()
    await page.getByRole('button', { name: ui('features/administration:workspaces.deleteVerb') }).click()
    await page
      .getByRole('alert')
      .getByText(ui('features/refusals:refusal.workspaceHasDatasets', { name: 'full', dataset: 'in it' }))
      .waitFor()
    await close()
  })
})

describe('access to the administration', () => {
  test.each(variants(1, ['admin', 'annotator'] as const))('is denied to an %s, except for members to an admin', async (role) => {
    await seedUser(server, `a ${role}`, role)
    const { page, close } = await signedIn('/administration?tab=audit', `a ${role}`)
    const shown = role === 'admin' ? ui('features/administration:people.title') : ui('common:error.notFound')
    await page.getByText(shown).waitFor()
    await page.getByRole('button', { name: uiPattern('common:user.menu') }).click()
    await page.getByRole('menuitem', { name: ui('features/profile:title') }).waitFor()
    expect(await page.getByRole('menuitem', { name: ui('features/administration:title') }).count()).toBe(0)
    await close()
  })
})

describe('my settings', () => {
  test('change the password with the old one, typed or pasted, and sign out other browsers only', async () => {
    await seedUser(server, 'gerda', 'annotator')
    const { page, close } = await signedIn('/user-settings', 'gerda')
    const other = await signedIn('/user-settings', 'gerda')
    const current = page.getByLabel(ui('features/profile:passwordCurrent'))
    const next = page.getByLabel(ui('features/profile:passwordNew'))
    for (const [field, purpose] of [
      [current, 'current-password'],
      [next, 'new-password'],
    ] as const) {
      expect([await field.getAttribute('type'), await field.getAttribute('autocomplete')]).toEqual(['password', purpose])
    }
    const change = page.getByRole('button', { name: ui('features/profile:passwordChange') })
    const paste = (field: typeof current, text: string) =>
      field.evaluate((input: HTMLInputElement, pasted) => {
        input.focus()
        input.select()
        return document.execCommand('insertText', false, pasted)
      }, text)
    await paste(current, 'not the old one')
    await paste(next, 'a new password of hers')
    await change.click()
    await page.getByText(ui('features/profile:passwordWrong')).waitFor()
    await current.fill(PASSWORD)
    await next.fill('password123')
    await change.click()
    await page.getByText(ui('features/profile:passwordWeak')).waitFor()
    await paste(next, 'a new password of hers')
    await change.click()
    await expectNotice(page, ui('features/profile:passwordChanged'))
    expect((await page.request.get('/api/v1/me')).status()).toBe(200)
    expect((await other.page.request.get('/api/v1/me')).status()).toBe(401)
    await other.close()
    await close()
  })

  detail('show active sessions, and end a session elsewhere', async () => {
    await seedUser(server, 'irma', 'annotator')
    const other = await signedIn('/user-settings', 'irma')
    const { page, close } = await signedIn('/user-settings', 'irma')
    const listed = page.getByRole('region', { name: ui('features/profile:sessionsList') }).getByRole('listitem')
    await expect.poll(() => listed.count()).toBe(2)
    expect(
      await listed
        .filter({ hasText: ui('features/profile:sessionCurrent') })
        .getByRole('button')
        .count(),
    ).toBe(0)
    await listed.getByRole('button', { name: ui('features/profile:sessionEndOf', { name: 'Chrome' }) }).press('Enter')
    await expect.poll(() => listed.count()).toBe(1)
    await expectNotice(page, ui('features/profile:sessionEnded', { name: 'Chrome' }))
    await expect.poll(() => focused(page)).toMatch(new RegExp(`^${ui('features/profile:sessionsList')}`))
    expect((await other.page.request.get('/api/v1/me')).status()).toBe(401)
    expect((await page.request.get('/api/v1/me')).status()).toBe(200)
    await other.close()
    await close()
  })

  detail('replace the API key and end all sessions', async () => {
    await seedUser(server, 'frieda', 'annotator')
    const { page, close } = await signedIn('/user-settings', 'frieda')
    const me = async () => (await (await page.request.get('/api/v1/me')).json()) as { api_key: string }
    const { api_key: old } = await me()
    await page.getByRole('button', { name: ui('features/profile:newKey') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: ui('features/profile:newKey') })
      .click()
    await expectNotice(page, ui('features/profile:hasNewKey'))
    const { api_key } = await me()
    expect(api_key).not.toBe(old)
    await page.getByRole('button', { name: ui('features/profile:showKey'), exact: true }).click()
    await page.getByText(api_key).waitFor()
    const status = async (key: string) =>
      (await fetch(`${server.url}/api/v1/me`, { headers: { 'x-argilla-api-key': key } })).status
    expect([await status(old), await status(api_key)]).toEqual([401, 200])
    await page.getByRole('button', { name: ui('features/profile:sessions') }).click()
    await page.waitForURL(/sign-in/)
    expect((await page.request.get('/api/v1/me')).status()).toBe(401)
    await close()
  })
})

test('the audit log speaks in sentences, shows sign-ins, and can be filtered by kind, person and day', async () => {
  const logged = await seedUser(server, 'logged', 'annotator')
  await seedWorkspace(server, 'logged-workspace')
  await fetch(`${server.url}/api/v1/token`, { method: 'POST', body: new URLSearchParams({ username: 'logged', password: 'no' }) })
  expect(await canSignIn('logged', PASSWORD)).toBe(true)
  const { page, close, complaints } = await signedIn('/administration?tab=audit')
  const list = page.getByRole('list', { name: ui('features/administration:section.audit') })
  const sentence = (key: 'workspaces-create' | 'users-create' | 'sign-ins-succeeded' | 'sign-ins-failed', names: object) =>
    list.getByText(ui(`features/administration:audit.sentence.${key}`, { ...names }), { exact: true }).first()
  await sentence('workspaces-create', { actor: OWNER.username, target: 'logged-workspace' }).waitFor()
  await sentence('sign-ins-succeeded', { actor: 'logged' }).waitFor()
  await sentence('sign-ins-failed', { actor: 'logged' }).waitFor()
  const choose = (name: 'audit.show' | 'audit.person', label: string) =>
    page.getByRole('combobox', { name: ui(`features/administration:${name}`) }).selectOption({ label })
  await choose('audit.show', ui('features/administration:audit.area.users'))
  const created = sentence('users-create', { actor: OWNER.username, target: 'logged' })
  await created.waitFor()
  await sentence('sign-ins-failed', { actor: 'logged' }).waitFor({ state: 'detached' })
  await list.getByText(ui('features/administration:audit.details')).first().click()
  expect(await list.innerText()).toContain('role: annotator')
  expect(await page.locator('main').innerText()).not.toContain(PASSWORD)
  await choose('audit.show', ui('features/administration:audit.all'))
  await choose('audit.person', 'logged')
  await sentence('workspaces-create', { actor: OWNER.username, target: 'logged-workspace' }).waitFor({ state: 'detached' })
  await created.waitFor()
  await page.getByLabel(ui('features/administration:audit.to')).fill('2020-01-01')
  await page.getByText(ui('features/administration:audit.noMatches')).waitFor()
  expect(complaints()).toEqual([])
  expect(logged).toBeDefined()
  await close()
})
