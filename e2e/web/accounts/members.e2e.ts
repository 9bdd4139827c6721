import { detail } from '@postil/testkit/detail.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage, PHONE } from '../../harness/browser.ts'
import { OWNER, type RunningServer, startServer } from '../../harness/server.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { callAsOwner, PASSWORD, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { createSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser
let team: string
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  team = await seedWorkspace(server, 'team')
  const other = await seedWorkspace(server, 'other')
  await seedUser(server, 'lead', 'admin', [team])
  await seedUser(server, 'both', 'annotator', [team, other])
  await seedUser(server, 'stranger', 'annotator', [other])
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const as = async (username: string, options = {}) => {
  const opened = await openPage(browser, server.url, options)
  await createSession(opened.page, server.url, username, username === OWNER.username ? OWNER.password : PASSWORD)
  return opened
}
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })

describe('an admin', () => {
  test('opens the members of their workspaces from the user menu, and sees nobody else', async () => {
    const { page, close, complaints } = await as('lead')
    await page.goto('/')
    await page.getByRole('button', { name: uiPattern('common:user.menu') }).click()
    await page.getByRole('menuitem', { name: ui('common:user.members') }).click()
    await page.getByRole('heading', { name: ui('features/administration:section.members'), level: 1 }).waitFor()
    await row(page, 'both').waitFor()
    const shown = (await page.locator('main').textContent()) ?? ''
    expect(shown).toContain('lead')
    expect(shown).not.toContain('stranger')
    expect(await row(page, 'both').textContent()).not.toContain('other')
    expect(await row(page, 'both').textContent()).toContain(ui('features/administration:people.neverActive'))
    await row(page, 'lead').getByText(uiPattern('features/administration:people.active')).waitFor()
    expect(complaints()).toEqual([])
    await close()
  })

  test('invites an annotator into their workspace, and revokes it', async () => {
    const { page, close } = await as('lead', PHONE)
    await page.goto('/administration')
    await page.getByRole('button', { name: ui('features/administration:invitations.add') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'team', checked: true }).waitFor()
    expect(await dialog.getByRole('checkbox').count()).toBe(1)
    await dialog.getByRole('textbox', { name: ui('features/administration:users.username') }).fill('invited')
    await dialog.getByRole('textbox', { name: ui('features/administration:users.firstName') }).fill('Invited')
    await page.keyboard.press('Enter')
    await dialog.getByRole('textbox', { name: ui('features/administration:links.link') }).waitFor()
    await dialog.getByRole('button', { name: ui('features/administration:links.done') }).click()
    await page.getByRole('button', { name: ui('features/administration:invitations.revokeOf', { name: 'Invited' }) }).click()
    await page.getByRole('button', { name: ui('features/administration:invitations.revokeVerb') }).click()
    await page.getByRole('region', { name: ui('features/administration:invitations.title') }).waitFor({ state: 'detached' })
    await close()
  })

  detail('removes a member from a workspace', async () => {
    const { page, close } = await as('lead')
    await page.goto('/administration')
    await page.getByRole('button', { name: ui('features/administration:users.menu', { username: 'both' }) }).click()
    await page.getByRole('menuitem', { name: ui('features/administration:people.remove', { name: 'team' }) }).click()
    await page.getByRole('button', { name: ui('features/administration:people.removeVerb') }).click()
    await row(page, 'both').waitFor({ state: 'detached' })
    const { items } = await callAsOwner<{ items: { username: string }[] }>(server, 'GET', `/workspaces/${team}/users`)
    expect(items.map(({ username }) => username)).toEqual(['lead'])
    await close()
  })
})

detail('an owner sees the workspaces, last activity and second factor of every user', async () => {
  const { page, close } = await as(OWNER.username)
  await page.goto('/administration')
  const stranger = row(page, 'stranger')
  await stranger.getByText('other').waitFor()
  await stranger.getByText(ui('features/administration:people.noFactor')).waitFor()
  await row(page, OWNER.username).getByText(uiPattern('features/administration:people.active')).first().waitFor()
  await close()
})
