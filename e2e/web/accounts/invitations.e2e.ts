import { detail } from '@postil/testkit/detail.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage, PHONE } from '../../harness/browser.ts'
import { OWNER, type RunningServer, startServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, PASSWORD, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { createSession, signIn } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser
let team: string
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  team = await seedWorkspace(server, 'team')
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const NEW_PASSWORD = 'few others have it'

const administration = async (username: string = OWNER.username) => {
  const opened = await openPage(browser, server.url)
  await createSession(opened.page, server.url, username, username === OWNER.username ? OWNER.password : PASSWORD)
  await opened.page.goto('/administration')
  return opened
}
const field = (page: Page, key: Parameters<typeof ui>[0]) => page.getByRole('textbox', { name: ui(key) })
const link = (page: Page) => field(page, 'features/administration:links.link').inputValue()
const dead = (page: Page) => page.getByText(ui('features/auth:account.dead'))
const invite = async (body: object = {}) => {
  const invitation = { username: 'ada', first_name: 'Ada', workspace_ids: [team], ...body }
  const made = await callAsOwner<{ readonly id: string; readonly link: string }>(server, 'POST', '/invitations', invitation)
  return made
}
const users = async () =>
  (await callAsOwner<{ items: { id: string; username: string; role: string }[] }>(server, 'GET', '/users')).items

describe('an invitation', () => {
  test('is made and sent as a link, and the invited person chooses the password', async () => {
    const { page, close, complaints } = await administration()
    await page.getByRole('button', { name: ui('features/administration:invitations.add') }).click()
    const dialog = page.getByRole('dialog')
    await field(page, 'features/administration:users.username').fill('grace')
    await field(page, 'features/administration:users.firstName').fill('Grace')
    await dialog.getByRole('checkbox', { name: 'default' }).uncheck()
    await dialog.getByRole('checkbox', { name: 'team' }).check()
    await dialog.getByRole('button', { name: ui('features/administration:invitations.create') }).click()
    const sent = await link(page)
    expect(sent).toMatch(new RegExp(`^${server.url}/invitation#link=[\\w-]{43}$`))
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await dialog.getByRole('button', { name: ui('features/administration:links.copy') }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(sent)
    await dialog.getByRole('button', { name: ui('features/administration:links.done') }).click()
    const section = page.getByRole('region', { name: ui('features/administration:invitations.title') })
    await section.getByText('Grace', { exact: true }).waitFor()
    expect(await section.textContent()).toContain('team')
    expect((await users()).some(({ username }) => username === 'grace')).toBe(false)

    const invited = await openPage(browser, server.url)
    const token = sent.split('#link=')[1] ?? ''
    const told: string[] = []
    invited.page.on('request', (request) => told.push(request.url(), JSON.stringify(request.headers())))
    await invited.page.goto(sent)
    const password = invited.page.getByLabel(ui('features/auth:account.newPassword'))
    await password.waitFor()
    expect(await field(invited.page, 'features/auth:username').inputValue()).toBe('grace')
    expect(await invited.page.locator('main').textContent()).toContain('team')
    // From here on, only the keyboard is used.
    await password.focus()
    await invited.page.keyboard.type('short')
    await invited.page.keyboard.press('Enter')
    await expect.poll(() => password.getAttribute('aria-invalid')).toBe('true')
    await password.selectText()
    await invited.page.keyboard.type(NEW_PASSWORD)
    await invited.page.keyboard.press('Enter')
    await invited.page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
    expect(new URL(invited.page.url()).hash).toBe('')
    expect(told.filter((text) => text.includes(token))).toEqual([])
    expect((await users()).find(({ username }) => username === 'grace')?.role).toBe('annotator')
    expect([...complaints(), ...invited.complaints()]).toEqual([])

    // A second visitor opens the same link.
    const late = await openPage(browser, server.url)
    await late.page.goto(sent)
    await dead(late.page).waitFor()
    for (const opened of [{ close }, invited, late]) await opened.close()
  })

  detail('offers another username if the suggested one is taken', async () => {
    await seedUser(server, 'taken', 'annotator', [team])
    const { link: sent } = await invite({ username: 'free' })
    const { page, close } = await openPage(browser, server.url, PHONE)
    await page.goto(sent)
    const name = field(page, 'features/auth:username')
    await name.fill('taken')
    await page.getByLabel(ui('features/auth:account.newPassword')).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: ui('features/auth:account.accept') }).click()
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true')
    await name.fill('free')
    await page.getByRole('button', { name: ui('features/auth:account.accept') }).click()
    await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
    await close()
  })

  detail('is revoked, or gets a new link, in the list', async () => {
    const first = await invite({ username: 'mary', first_name: 'Mary' })
    const { page, close } = await administration()
    await page.getByRole('button', { name: ui('features/administration:invitations.renewOf', { name: 'Mary' }) }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: ui('features/administration:invitations.renew') })
      .click()
    const second = await link(page)
    expect(second).not.toBe(first.link)
    await page.getByRole('button', { name: ui('features/administration:links.done') }).click()
    const invited = await openPage(browser, server.url)
    await invited.page.goto(first.link)
    await dead(invited.page).waitFor()
    await invited.page.goto('about:blank')
    await invited.page.goto(second)
    await field(invited.page, 'features/auth:username').waitFor()
    await page.getByRole('button', { name: ui('features/administration:invitations.revokeOf', { name: 'Mary' }) }).click()
    await page.getByRole('button', { name: ui('features/administration:invitations.revokeVerb') }).click()
    await page.getByText('Mary', { exact: true }).waitFor({ state: 'detached' })
    // The page was open while the invitation was revoked.
    await invited.page.getByLabel(ui('features/auth:account.newPassword')).fill(NEW_PASSWORD)
    await invited.page.getByRole('button', { name: ui('features/auth:account.accept') }).click()
    await dead(invited.page).waitFor()
    await invited.close()
    await close()
  })

  detail('warns a user who is signed in that their session ends', async () => {
    const { link: sent } = await invite({ username: 'warned' })
    const { page, close } = await administration()
    await page.goto(sent)
    await page.getByText(ui('features/auth:account.signedInAs', { username: OWNER.username })).waitFor()
    await close()
  })
})

describe('a reset link', () => {
  detail('is made in the user’s menu and sets a new password once', async () => {
    await seedUser(server, 'forgetful', 'annotator', [team])
    const { page, close, complaints } = await administration()
    const menu = async (item: string) => {
      await page.getByRole('button', { name: ui('features/administration:users.menu', { username: 'forgetful' }) }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    await menu(ui('features/administration:links.password'))
    await page
      .getByRole('dialog')
      .getByRole('button', { name: ui('features/administration:links.create') })
      .click()
    const sent = await link(page)
    await page.getByRole('button', { name: ui('features/administration:links.done') }).click()
    const user = await openPage(browser, server.url)
    await createSession(user.page, server.url, 'forgetful', PASSWORD)
    await user.page.goto(sent)
    await user.page.getByLabel(ui('features/auth:account.newPassword')).fill(NEW_PASSWORD)
    await user.page.keyboard.press('Enter')
    await user.page.getByText(ui('features/auth:account.passwordSet')).waitFor()
    await user.page.keyboard.press('Enter')
    await user.page.waitForURL('**/sign-in*')
    await signIn(user.page, 'forgetful', NEW_PASSWORD)
    await user.page.goto('about:blank')
    await user.page.goto(sent)
    await dead(user.page).waitFor()

    await menu(ui('features/administration:links.password'))
    await page
      .getByRole('dialog')
      .getByRole('button', { name: ui('features/administration:links.create') })
      .click()
    const next = await link(page)
    await page.getByRole('button', { name: ui('features/administration:links.done') }).click()
    await menu(ui('features/administration:links.revokeItem'))
    await page.getByRole('button', { name: ui('features/administration:links.revoke'), exact: true }).click()
    await user.page.goto('about:blank')
    await user.page.goto(next)
    await dead(user.page).waitFor()
    expect([...complaints(), ...user.complaints()]).toEqual([])
    await user.close()
    await close()
  })

  detail('is what the sign-in page tells users to ask for', async () => {
    const { page, close } = await openPage(browser, server.url)
    await page.goto('/sign-in')
    await page.getByText(ui('features/auth:forgotten')).waitFor()
    await close()
  })
})

detail('links that have expired say so', async () => {
  const quick = await startServer({ env: { POSTIL_INVITATION_EXPIRATION: '1', POSTIL_PASSWORD_LINK_EXPIRATION: '1' } })
  const { page, close } = await openPage(browser, quick.url)
  try {
    const user = await seedUser(quick, 'forgetful', 'annotator')
    const body = { username: 'late', first_name: 'Late', workspace_ids: [] }
    const invitation = await callAsOwner<{ link: string }>(quick, 'POST', '/invitations', body)
    const reset = await callAsOwner<{ link: string }>(quick, 'POST', `/users/${user}/password-link`)
    for (const { link: sent } of [invitation, reset]) {
      await expect
        .poll(async () => {
          await page.goto('about:blank')
          await page.goto(sent)
          await page.locator('main form, main [role=alert]').first().waitFor()
          return dead(page).isVisible()
        })
        .toBe(true)
    }
    await createSession(page, quick.url)
    await page.goto('/administration')
    await page.getByText(ui('features/administration:invitations.isExpired'), { exact: true }).waitFor()
  } finally {
    await close()
    await quick.stop()
  }
})
