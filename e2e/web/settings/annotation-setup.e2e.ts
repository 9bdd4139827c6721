import { beforeAll, expect, test } from 'vitest'
import { type OpenPage, openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { givenDataset } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()
let datasetId: string
beforeAll(async () => {
  datasetId = await givenDataset(team.server, { name: 'reviews', workspaceId: team.workspaceId, records: 30 })
})

type Visit = OpenPage & {
  /** What was asked of the dataset and its workspace, each by the last part of its address. */
  readonly asked: () => readonly string[]
}

const visit = async (): Promise<Visit> => {
  const opened = await openPage(team.browser, team.server.url)
  await haveSession(opened.page, team.server.url)
  // What is asked for grows old within seconds, which a slow machine takes to draw it.
  await opened.page.addInitScript(() => {
    const now = Date.now()
    Date.now = () => now
  })
  const asked: string[] = []
  opened.page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/api\/v1\/(me\/)?(datasets|workspaces)\//.test(pathname)) asked.push(pathname.split('/').at(-1) ?? '')
  })
  return { ...opened, asked: () => [...asked] }
}

const annotation = () => `/dataset/${datasetId}/annotation-mode`
const recordIsShown = ({ page }: OpenPage) => page.locator('[data-question]').first().waitFor()

test('all that is shown beside the records comes with one request', async () => {
  const opened = await visit()
  await opened.page.goto(annotation())
  await recordIsShown(opened)
  await opened.page.getByRole('link', { name: 'team', exact: true }).waitFor()
  expect(opened.asked().toSorted()).toEqual(['annotation', 'queue'])
  expect(opened.complaints()).toEqual([])
  await opened.close()
})

test('its parts grow old by themselves: counts are asked for anew, and what is known is not', async () => {
  const opened = await visit()
  await opened.page.goto(annotation())
  await recordIsShown(opened)
  await opened.page.keyboard.press('1')
  await expect.poll(opened.asked).toEqual(expect.arrayContaining(['metrics', 'progress']))
  await opened.page.getByRole('link', { name: ui('common:nav.toHome') }).click()
  await opened.page.locator(`a[href*="${annotation()}"]`).first().click()
  await recordIsShown(opened)
  const asked = opened.asked()
  expect(asked.filter((part) => part === 'annotation')).toHaveLength(1)
  for (const part of [datasetId, 'fields', 'questions', 'label-colours', 'vectors-settings']) expect(asked).not.toContain(part)
  await opened.close()
})

test('where it does not come, the parts are asked for one by one', async () => {
  const opened = await visit()
  await opened.page.route(/\/annotation$/, (route) => route.fulfill({ status: 500, json: { detail: 'broken' } }))
  await opened.page.goto(annotation())
  await recordIsShown(opened)
  await expect
    .poll(opened.asked)
    .toEqual(expect.arrayContaining([datasetId, 'fields', 'questions', 'label-colours', 'progress', 'metrics']))
  await opened.close()
})
