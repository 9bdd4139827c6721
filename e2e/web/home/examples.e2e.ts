import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { recordText } from '../ground/annotation.ts'
import { asOwner, givenUser, givenWorkspace, PASSWORD } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'
import { keysAct } from '../support/keys-act.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeam()

type Found = {
  readonly datasets: readonly {
    readonly dataset: { readonly id: string; readonly name: string }
    readonly progress: { readonly total: number }
  }[]
}
const made = async (): Promise<readonly [string, number][]> =>
  (await asOwner<Found>(team.server, 'GET', '/me/home')).datasets.map(({ dataset, progress }) => [dataset.name, progress.total])

test.each([
  [ui('features/examples:title.support'), 'example-support-messages', 15],
  [ui('features/examples:title.replies'), 'example-assistant-replies', 10],
  [ui('features/examples:title.names'), 'example-names-in-news', 10],
] as const)('%s: is made with one press and answered from suggestions', async (title, name, records) => {
  const { page, close, complaints } = await openPage(team.browser, team.server.url)
  await haveSession(page, team.server.url)
  await page.goto('/new')
  const example = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) })
  await example.getByRole('button', { name: ui('features/examples:open') }).click()
  await page.waitForURL(/annotation-mode/)
  await page.locator('[data-question]').first().waitFor()
  await expect.poll(() => recordText(page)).not.toBe('')
  await expect.poll(made).toContainEqual([name, records])
  expect(complaints()).toEqual([])
  await close()
})

test('a second one of the same kind gets a name of its own', async () => {
  const { page, close } = await openPage(team.browser, team.server.url)
  await haveSession(page, team.server.url)
  for (const expected of ['example-names-in-news', 'example-names-in-news-2']) {
    const before = (await made()).filter(([name]) => name === expected).length
    if (before > 0) continue
    await page.goto('/new')
    const example = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: ui('features/examples:title.names') }) })
    await example.getByRole('button', { name: ui('features/examples:open') }).click()
    await page.waitForURL(/annotation-mode/)
    await page.locator('[data-question]').first().waitFor()
  }
  expect((await made()).map(([name]) => name)).toEqual(
    expect.arrayContaining(['example-names-in-news', 'example-names-in-news-2']),
  )
  await close()
})

test('from the empty home to the first answer it is one click and three keys', async () => {
  const { page, close, complaints } = await openPage(team.browser, team.server.url)
  // Only owners see the datasets of every workspace.
  const newcomer = await givenUser(team.server, 'newcomer', 'admin', [await givenWorkspace(team.server, 'newcomers')])
  const { api_key: apiKey } = await asOwner<{ readonly api_key: string }>(team.server, 'GET', `/users/${newcomer}`)
  const asNewcomer = { ...team.server, apiKey }
  await haveSession(page, team.server.url, 'newcomer', PASSWORD)
  await page.goto('/')
  const example = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: ui('features/examples:title.support') }) })
  await example.getByRole('button', { name: ui('features/examples:open') }).click()
  await page.waitForURL(/annotation-mode/)
  const id = new URL(page.url()).pathname.split('/')[2] ?? ''
  await keysAct(page)
  for (const key of ['1', '3', ui('features/guides:keys.key.enter')]) await page.keyboard.press(key)
  type Metrics = { readonly responses: { readonly submitted: number } }
  await expect
    .poll(async () => (await asOwner<Metrics>(asNewcomer, 'GET', `/me/datasets/${id}/metrics`)).responses.submitted)
    .toBe(1)
  expect(complaints()).toEqual([])
  await close()
})
