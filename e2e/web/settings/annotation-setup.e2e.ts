import { detail } from '@postil/testkit/detail.ts'
import { beforeAll, expect, test } from 'vitest'
import { type OpenPage, openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { seedDataset } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()
let datasetId: string
beforeAll(async () => {
  datasetId = await seedDataset(team.server, { name: 'reviews', workspaceId: team.workspaceId, records: 30 })
})

type Visit = OpenPage & {
  /** The requests about the dataset and its workspace. Each is given as the last part of its path. */
  readonly requests: () => readonly string[]
}

const visit = async (): Promise<Visit> => {
  const opened = await openPage(team.browser, team.server.url)
  await createSession(opened.page, team.server.url)
  // Stops the clock, because prefetched data expires within seconds and a slow machine takes longer to render it.
  await opened.page.addInitScript(() => {
    const now = Date.now()
    Date.now = () => now
  })
  const requests: string[] = []
  opened.page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/api\/v1\/(me\/)?(datasets|workspaces)\//.test(pathname)) requests.push(pathname.split('/').at(-1) ?? '')
  })
  return { ...opened, requests: () => [...requests] }
}

const annotation = () => `/dataset/${datasetId}/annotation-mode`
const recordIsShown = ({ page }: OpenPage) => page.locator('[data-question]').first().waitFor()

test('everything shown next to the records is loaded with one request', async () => {
  const opened = await visit()
  await opened.page.goto(annotation())
  await recordIsShown(opened)
  await opened.page.getByRole('link', { name: team.workspaceName, exact: true }).waitFor()
  expect(opened.requests().toSorted()).toEqual(['annotation', 'queue'])
  expect(opened.complaints()).toEqual([])
  await opened.close()
})

detail('parts of the combined request expire separately: counts are requested again, and known settings are not', async () => {
  const opened = await visit()
  await opened.page.goto(annotation())
  await recordIsShown(opened)
  await opened.page.keyboard.press('1')
  await opened.page.keyboard.press('Enter')
  await expect.poll(opened.requests).toEqual(expect.arrayContaining(['metrics', 'progress']))
  await opened.page.getByRole('link', { name: ui('common:nav.toHome') }).click()
  await opened.page.locator(`a[href*="${annotation()}"]`).first().click()
  await recordIsShown(opened)
  const requests = opened.requests()
  expect(requests.filter((part) => part === 'annotation')).toHaveLength(1)
  for (const part of [datasetId, 'fields', 'questions', 'label-colours', 'vectors-settings']) expect(requests).not.toContain(part)
  await opened.close()
})

detail('parts are requested one by one if the combined request fails', async () => {
  const opened = await visit()
  await opened.page.route(/\/annotation$/, (route) => route.fulfill({ status: 500, json: { detail: 'broken' } }))
  await opened.page.goto(annotation())
  await recordIsShown(opened)
  await expect
    .poll(opened.requests)
    .toEqual(expect.arrayContaining([datasetId, 'fields', 'questions', 'label-colours', 'progress', 'metrics']))
  await opened.close()
})
