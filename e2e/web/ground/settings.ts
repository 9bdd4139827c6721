import type { Page } from 'playwright-core'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { haveSession } from '../support/sign-in.ts'
import { givenAnnotation } from './annotation.ts'
import { asOwner, PASSWORD } from './given.ts'
import type { setUpTeam } from './team.ts'

type Team = ReturnType<typeof setUpTeam>

/** A dataset with every kind of question, a metadata property and a vector. @returns its id */
export const givenSettings = async ({ server, workspaceId }: Team, name: string, more: object = {}): Promise<string> => {
  const id = await givenAnnotation(server, { name, workspaceId, records: [{ fields: { text: 'A text.' } }], ...more })
  await asOwner(server, 'POST', `/datasets/${id}/metadata-properties`, {
    name: 'source',
    title: 'Source',
    settings: { type: 'terms', values: null },
  })
  await asOwner(server, 'POST', `/datasets/${id}/vectors-settings`, { name: 'words', title: 'Words', dimensions: 3 })
  return id
}

export const openSettings = async ({ server, browser }: Team, id: string, tab: string, username: string, options = {}) => {
  const opened = await openPage(browser, server.url, options)
  await haveSession(opened.page, server.url, username, PASSWORD)
  await opened.page.goto(`/dataset/${id}/settings?tab=${tab}`)
  await opened.page.locator('main h2').first().waitFor()
  return opened
}

export const form = (page: Page, title: string) => page.getByRole('form', { name: title, exact: true })
export const update = (page: Page, title: string) =>
  form(page, title).getByRole('button', { name: ui('features/settings:update') })
export const saved = async (page: Page, title: string): Promise<void> => {
  // NOTE: a new title is the form's name once it is stored; until then nothing of that name is unsaved either
  await form(page, title).waitFor()
  await form(page, title).getByText(ui('features/settings:unsaved')).waitFor({ state: 'detached' })
}
