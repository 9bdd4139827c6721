import { detail } from '@postil/testkit/detail.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ui } from '../../harness/ui-text.ts'
import { callAsOwner, seedUser } from '../fixtures/seed.ts'
import { expectSaved, openSettings, seedSettingsDataset, updateButton } from '../fixtures/settings.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'

const team = setUpSharedTeam()

detail('the settings of the queue offer the most different records first if there are vectors', async () => {
  const id = await seedSettingsDataset(team, 'spread')
  await seedUser(team.server, 'adam', 'admin', [team.workspaceId])
  const title = ui('features/settings:handingOut.title')
  const label = ui('features/settings:handingOut.spread', { title: 'Words' })
  const orders = (page: Page) => page.getByRole('combobox', { name: ui('features/settings:handingOut.order') })
  const needsVectors = (page: Page) =>
    orders(page).locator('option', { hasText: ui('features/settings:handingOut.spreadNeedsVectors') })
  const { page, close, complaints } = await openSettings(team, id, 'general', 'adam')
  await orders(page).selectOption({ label })
  expect(await needsVectors(page).count()).toBe(0)
  await updateButton(page, title).click()
  await expectSaved(page, title)
  expect(await callAsOwner(team.server, 'GET', `/datasets/${id}/queue-settings`)).toMatchObject({
    order: [{ scope: { entity: 'spread', vector: 'words' }, order: 'asc' }],
  })
  const path = `/datasets/${id}/vectors-settings`
  const { items } = await callAsOwner<{ items: { id: string }[] }>(team.server, 'GET', path)
  await callAsOwner(team.server, 'DELETE', `/vectors-settings/${items[0]?.id}`)
  await page.reload()
  await orders(page).waitFor()
  expect(await needsVectors(page).isDisabled()).toBe(true)
  await expect
    .poll(() => orders(page).locator('option:checked').textContent())
    .toBe(ui('features/settings:handingOut.insertionOrder'))
  expect(complaints()).toEqual([])
  await close()
})
