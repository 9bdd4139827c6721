import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, seedDataset, seedUser } from '../fixtures/seed.ts'
import { formNamed, openSettings, seedSettingsDataset, updateButton } from '../fixtures/settings.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const team = setUpSharedTeam()
beforeAll(async () => {
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
})

/**
 * Opens the settings and waits until all requests of the page are complete. Otherwise, one of these requests could detect the
 * deletion too early.
 */
const settingsLoaded = async (id: string, tab: string, username = 'adam') => {
  const opened = await openSettings(team, id, tab, username)
  await opened.page.waitForLoadState('networkidle')
  return opened
}
const expectNotice = (page: Page, text: string) =>
  page
    .getByRole('region', { name: ui('common:toast.region') })
    .getByText(text)
    .waitFor()
/** Waits for the panel that replaces the screen, and follows the panel's link to the home page. */
const leaveDeleted = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('heading', { name: ui('features/deleted-dataset:title', { name }) }).waitFor()
  await page
    .getByRole('main')
    .getByRole('link', { name: ui('common:error.backHome') })
    .click()
}
const isHome = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
}
const guidelines = (page: Page) => page.getByRole('textbox', { name: ui('features/settings:general.guidelines') })

describe('a dataset deleted by someone else', () => {
  test('is reported on save, and is missing from the list on the home page', async () => {
    const id = await seedSettingsDataset(team, 'gone at a save')
    const { page, close, complaints } = await settingsLoaded(id, 'general')
    await callAsOwner(team.server, 'DELETE', `/datasets/${id}`)
    await guidelines(page).fill('Be kind.')
    await updateButton(page, ui('features/settings:general.guidelines')).click()
    await leaveDeleted(page, 'gone at a save')
    await isHome(page)
    expect(await page.getByRole('link', { name: 'gone at a save' }).count()).toBe(0)
    // The deleted dataset's page is not opened again.
    expect(await page.getByText('404').count()).toBe(0)
    expect(complaints()).toEqual([])
    await close()
  })

  test('is reported when a section is opened, even with unsaved changes', async () => {
    const id = await seedSettingsDataset(team, 'gone at a part')
    const { page, close } = await settingsLoaded(id, 'fields')
    await formNamed(page, 'Text')
      .getByRole('textbox', { name: ui('features/settings:itemTitle') })
      .fill('Half done')
    await callAsOwner(team.server, 'DELETE', `/datasets/${id}`)
    await page.getByRole('link', { name: ui('features/settings:section.general') }).click()
    await leaveDeleted(page, 'gone at a part')
    await isHome(page)
    await close()
  })

  test('leads home with a notice when it is deleted again', async () => {
    const id = await seedSettingsDataset(team, 'gone before')
    const { page, close, complaints } = await settingsLoaded(id, 'danger')
    await page.getByRole('button', { name: ui('features/settings:danger.open'), exact: true }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('gone before')
    await callAsOwner(team.server, 'DELETE', `/datasets/${id}`)
    await page.getByRole('button', { name: ui('features/settings:danger.yes') }).click()
    await expectNotice(page, ui('features/settings:danger.already', { name: 'gone before' }))
    await isHome(page)
    expect(complaints()).toEqual([])
    await close()
  })

  test('is reported when it is published', async () => {
    const id = await seedDataset(team.server, { name: 'gone as a draft', workspaceId: team.workspaceId, publish: false })
    const { page, close } = await settingsLoaded(id, 'general')
    await callAsOwner(team.server, 'DELETE', `/datasets/${id}`)
    await page.getByRole('button', { name: ui('features/settings:general.publish') }).click()
    await leaveDeleted(page, 'gone as a draft')
    await isHome(page)
    await close()
  })
})

test('a part deleted by someone else disappears with a notice, and the rest stays', async () => {
  const id = await seedSettingsDataset(team, 'a part less')
  const { page, close, complaints } = await settingsLoaded(id, 'metadata')
  const { items } = await callAsOwner<{ items: { id: string }[] }>(team.server, 'GET', `/me/datasets/${id}/metadata-properties`)
  await formNamed(page, 'Source')
    .getByRole('textbox', { name: ui('features/settings:itemTitle') })
    .fill('Whence')
  await callAsOwner(team.server, 'DELETE', `/metadata-properties/${items[0]?.id}`)
  await updateButton(page, 'Source').click()
  await expectNotice(page, ui('features/settings:partGone', { title: 'Source' }))
  await formNamed(page, 'Source').waitFor({ state: 'detached' })
  await page.getByText(ui('features/settings:metadata.none')).waitFor()
  // Nothing is left that could be lost, so the page doesn't ask before the user leaves.
  await page.getByRole('link', { name: ui('features/settings:seeDataset') }).click()
  await page.waitForURL(/annotation-mode/)
  expect(complaints()).toEqual([])
  await close()
})

describe('access removed by someone else', () => {
  test.each([
    ['the role', (user: string) => callAsOwner(team.server, 'PATCH', `/users/${user}`, { role: 'annotator' })],
    ['the workspace', (user: string) => callAsOwner(team.server, 'DELETE', `/workspaces/${team.workspaceId}/users/${user}`)],
  ] as const)('through %s: saving reports it and keeps the typed text, deleting reports it', async (what, removeAccess) => {
    const id = await seedSettingsDataset(team, `without ${what}`)
    const user = await seedUser(team.server, `without-${what.slice(4)}`, 'admin', [team.workspaceId])
    const { page, close, complaints } = await settingsLoaded(id, 'general', `without-${what.slice(4)}`)
    await removeAccess(user)
    await guidelines(page).fill('Be kind.')
    await updateButton(page, ui('features/settings:general.guidelines')).click()
    const notice = formNamed(page, ui('features/settings:general.guidelines')).getByRole('alert')
    await notice.getByText(ui('features/settings:notAllowed')).waitFor()
    expect(await guidelines(page).inputValue()).toBe('Be kind.')
    await formNamed(page, ui('features/settings:general.guidelines')).getByText(ui('features/settings:unsaved')).waitFor()
    await formNamed(page, ui('features/settings:general.guidelines'))
      .getByRole('button', { name: ui('features/settings:cancel') })
      .click()
    await notice.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: ui('features/settings:section.danger') }).click()
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
