import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { PageOptions } from '../../harness/browser.ts'
import { openBrowser, openPage } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { expectLeft, openAnnotation, placeText } from '../fixtures/annotation.ts'
import { RECORDS, seedFilterable } from '../fixtures/filterable.ts'
import { callAsOwner, PASSWORD, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { createSession } from './sign-in.ts'

export const PENDING = RECORDS / 2
export const SUBMITTED = RECORDS / 2

type Json = { readonly [key: string]: unknown }
const statusCondition = (status: string): Json => ({
  type: 'terms',
  scope: { entity: 'response', property: 'status' },
  values: [status],
})
export const metadata = (name: string): Json => ({ entity: 'metadata', metadata_property: name })
export const suggestion = (question: string, property: string): Json => ({ entity: 'suggestion', question, property })
export const response = (question: string): Json => ({ entity: 'response', question })
export const terms = (scope: Json, ...values: readonly string[]): Json => ({ type: 'terms', scope, values })
export const range = (scope: Json, bounds: Json): Json => ({ type: 'range', scope, ...bounds })

/** The titles of the records that the API returns to the owner, in order. */
const searchRecords = async (
  server: RunningServer,
  dataset: string,
  status: string,
  filters: readonly Json[],
  sort?: readonly Json[],
): Promise<readonly string[]> => {
  const body = { filters: { and: [statusCondition(status), ...filters] }, ...(sort && { sort }) }
  const { items, total } = await callAsOwner<{ total: number; items: { record: { fields: { title: string } } }[] }>(
    server,
    'POST',
    `/me/datasets/${dataset}/records/search?limit=100`,
    body,
  )
  expect(items).toHaveLength(total)
  return items.map(({ record }) => record.fields.title)
}

const answerHalf = async (server: RunningServer, dataset: string): Promise<void> => {
  const { items } = await callAsOwner<{ items: { id: string; external_id: string }[] }>(
    server,
    'GET',
    `/datasets/${dataset}/records?limit=100`,
  )
  for (const { id, external_id } of items) {
    const index = Number(external_id.slice(1))
    if (index >= RECORDS / 2) continue
    const values = {
      tone: { value: index % 4 === 0 ? 'calm' : 'angry' },
      topics: { value: index % 3 === 0 ? ['price', 'quality'] : ['price'] },
      quality: { value: 1 + (index % 5) },
    }
    await callAsOwner(server, 'POST', `/records/${id}/responses`, { values, status: 'submitted' })
  }
}

export const openFiltering = async () => {
  const [server, browser]: [RunningServer, Browser] = await Promise.all([startServer(), openBrowser()])
  const workspaceId = await seedWorkspace(server, 'team')
  const dataset = await seedFilterable(server, { name: 'filterable', workspaceId })
  await seedUser(server, 'ann', 'annotator', [workspaceId])
  await answerHalf(server, dataset)
  return {
    /** The titles of the records that the API returns to the owner, in order. */
    found: (status: string, filters: readonly Json[], sort?: readonly Json[]) =>
      searchRecords(server, dataset, status, filters, sort),
    open: async (query = '', options: PageOptions = {}, user?: string) => {
      const opened = await openPage(browser, server.url, options)
      await createSession(opened.page, server.url, user, user && PASSWORD)
      await openAnnotation(opened.page, dataset, query)
      return {
        page: opened.page,
        done: async () => {
          expect(opened.complaints()).toEqual([])
          await opened.close()
        },
      }
    },
    close: async () => {
      await browser.close()
      await server.stop()
    },
  }
}

export const panel = (page: Page, name: string) => page.getByRole('dialog', { name })
export const openPanel = async (page: Page, name: string) => {
  await page.getByRole('button', { name: new RegExp(`^${name}( \\d+)?$`) }).click()
  const opened = panel(page, name)
  await opened.getByRole('button').first().waitFor()
  return opened
}
/** Opens a filter by its title. The number selects one of several filters with the same title, from the top. */
export const openItem = async (page: Page, title: string, number = 0) => {
  const button = panel(page, ui('features/annotate:filters.title'))
    .getByRole('heading', { level: 3, name: title })
    .nth(number)
    .getByRole('button')
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  return panel(page, ui('features/annotate:filters.title')).locator('li[data-open]')
}
export const chips = (page: Page) =>
  page.getByRole('list', { name: ui('features/annotate:filters.active') }).getByRole('listitem')
export const chipTexts = async (page: Page): Promise<readonly string[]> => {
  await chips(page).first().waitFor()
  return chips(page).allInnerTexts()
}
/** Visits `count` records of the list, starting at the current one. @returns their titles */
export const walkRecords = async (page: Page, count: number): Promise<readonly string[]> => {
  const titles: string[] = []
  for (let step = 0; step < count; step += 1) {
    const title = page.getByText(/^Review \d+$/)
    if (step > 0) {
      await page.getByRole('button', { name: uiPattern('features/annotate:pager.next') }).click()
      await expect.poll(() => title.innerText()).not.toBe(titles.at(-1))
    }
    titles.push(await title.innerText())
  }
  return titles
}
export const expectShown = async (
  page: Page,
  wanted: readonly string[],
  status: 'pending' | 'submitted' = 'pending',
): Promise<void> => {
  const { length } = wanted
  expect(length).toBeGreaterThan(0)
  const atEnd = uiPattern('features/annotate:pager.submitted', { formatted: length })
  await expectLeft(page, status === 'pending' ? length : new RegExp(`^${placeText(1, length)}$|${atEnd.source}`))
  // The length doesn't show that the new list is loaded, because the previous list may have the same length.
  await expect.poll(() => page.getByText(/^Review \d+$/).innerText()).toBe(wanted[0])
  expect(await walkRecords(page, length)).toEqual(wanted)
}
