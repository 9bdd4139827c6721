import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { ui } from '../../harness/ui-text.ts'
import { asOwner, givenDataset, givenUser } from '../ground/given.ts'
import { form, givenSettings, openSettings, update } from '../ground/settings.ts'
import { setUpTeam } from '../ground/team.ts'

const team = setUpTeam()
beforeAll(async () => {
  await givenUser(team.server, 'adam', 'admin', [team.workspaceId])
})

/** What is asked for again on opening must not find out early. */
const atRest = async (id: string, tab: string, username = 'adam') => {
  const opened = await openSettings(team, id, tab, username)
  await opened.page.waitForLoadState('networkidle')
  return opened
}
const told = (page: Page, text: string) =>
  page
    .getByRole('region', { name: ui('common:toast.region') })
    .getByText(text)
    .waitFor()
const isHome = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
}
const guidelines = (page: Page) => page.getByRole('textbox', { name: ui('features/settings:general.guidelines') })

describe('a dataset that somebody else has deleted', () => {
  test('leads home from a save, with a notice, and is not in the list there', async () => {
    const id = await givenSettings(team, 'gone at a save')
    const { page, close, complaints } = await atRest(id, 'general')
    await asOwner(team.server, 'DELETE', `/datasets/${id}`)
    await guidelines(page).fill('Be kind.')
    await update(page, ui('features/settings:general.guidelines')).click()
    await told(page, ui('features/settings:gone', { name: 'gone at a save' }))
    await isHome(page)
    expect(await page.getByRole('link', { name: 'gone at a save' }).count()).toBe(0)
    // Its page is not where one comes back to.
    expect(await page.getByText('404').count()).toBe(0)
    expect(complaints()).toEqual([])
    await close()
  })

  test('leads home from a part that is opened, also with changes that are not saved', async () => {
    const id = await givenSettings(team, 'gone at a part')
    const { page, close } = await atRest(id, 'fields')
    await form(page, 'Text')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('Half done')
    await asOwner(team.server, 'DELETE', `/datasets/${id}`)
    await page.getByRole('link', { name: /^General/ }).click()
    await told(page, ui('features/settings:gone', { name: 'gone at a part' }))
    await isHome(page)
    await close()
  })

  test('is deleted: who deletes it then is told that it was, and goes home', async () => {
    const id = await givenSettings(team, 'gone before')
    const { page, close, complaints } = await atRest(id, 'danger')
    await page.getByRole('button', { name: ui('features/settings:danger.open'), exact: true }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('gone before')
    await asOwner(team.server, 'DELETE', `/datasets/${id}`)
    await page.getByRole('button', { name: ui('features/settings:danger.yes') }).click()
    await told(page, ui('features/settings:danger.already', { name: 'gone before' }))
    await isHome(page)
    expect(complaints()).toEqual([])
    await close()
  })

  test('leads home from its publication', async () => {
    const id = await givenDataset(team.server, { name: 'gone as a draft', workspaceId: team.workspaceId, publish: false })
    const { page, close } = await atRest(id, 'general')
    await asOwner(team.server, 'DELETE', `/datasets/${id}`)
    await page.getByRole('button', { name: ui('features/settings:general.publish') }).click()
    await told(page, ui('features/settings:gone', { name: 'gone as a draft' }))
    await isHome(page)
    await close()
  })
})

test('a part that somebody else has deleted goes from the page with a notice; the rest stays', async () => {
  const id = await givenSettings(team, 'a part less')
  const { page, close, complaints } = await atRest(id, 'metadata')
  const { items } = await asOwner<{ items: { id: string }[] }>(team.server, 'GET', `/me/datasets/${id}/metadata-properties`)
  await form(page, 'Source')
    .getByRole('textbox', { name: ui('features/settings:itemTitle') })
    .fill('Whence')
  await asOwner(team.server, 'DELETE', `/metadata-properties/${items[0]?.id}`)
  await update(page, 'Source').click()
  await told(page, ui('features/settings:partGone', { title: 'Source' }))
  await form(page, 'Source').waitFor({ state: 'detached' })
  await page.getByText(ui('features/settings:metadata.none')).waitFor()
  // Nothing is left of it that could be lost: nobody is asked.
  await page.getByRole('link', { name: ui('features/settings:seeDataset') }).click()
  await page.waitForURL(/annotation-mode/)
  expect(complaints()).toEqual([])
  await close()
})

describe('a right that somebody else has taken away', () => {
  test.each([
    ['the role', (user: string) => asOwner(team.server, 'PATCH', `/users/${user}`, { role: 'annotator' })],
    ['the workspace', (user: string) => asOwner(team.server, 'DELETE', `/workspaces/${team.workspaceId}/users/${user}`)],
  ] as const)('with %s: saving says so and keeps what was written, deleting says so', async (what, takeAway) => {
    const id = await givenSettings(team, `without ${what}`)
    const user = await givenUser(team.server, `without-${what.slice(4)}`, 'admin', [team.workspaceId])
    const { page, close, complaints } = await atRest(id, 'general', `without-${what.slice(4)}`)
    await takeAway(user)
    await guidelines(page).fill('Be kind.')
    await update(page, ui('features/settings:general.guidelines')).click()
    const notice = form(page, ui('features/settings:general.guidelines')).getByRole('alert')
    await notice.getByText('Not saved: you are not allowed to change this dataset any more.').waitFor()
    expect(await guidelines(page).inputValue()).toBe('Be kind.')
    await form(page, ui('features/settings:general.guidelines')).getByText(ui('features/settings:unsaved')).waitFor()
    await form(page, ui('features/settings:general.guidelines'))
      .getByRole('button', { name: ui('features/settings:cancel') })
      .click()
    await notice.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /^Danger/ }).click()
    await page.getByRole('button', { name: ui('features/settings:danger.open'), exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill(`without ${what}`)
    await page.getByRole('button', { name: ui('features/settings:danger.yes') }).click()
    await dialog.getByRole('alert').getByText(ui('features/settings:danger.notAllowed')).waitFor()
    expect(await dialog.getByRole('textbox').inputValue()).toBe(`without ${what}`)
    expect(complaints()).toEqual([])
    await close()
  })
})
