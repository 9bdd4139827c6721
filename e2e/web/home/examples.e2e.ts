import { variants } from '@postil/testkit/run-size.ts'
import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { recordText } from '../fixtures/annotation.ts'
import { callAsOwner, PASSWORD, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'
import { waitForKeyFocus } from '../support/wait-for-key-focus.ts'

const team = setUpTeam()

type Found = {
  readonly datasets: readonly {
    readonly dataset: { readonly id: string; readonly name: string }
    readonly progress: { readonly total: number }
  }[]
}
const made = async (): Promise<readonly [string, number][]> =>
  (await callAsOwner<Found>(team.server, 'GET', '/me/home')).datasets.map(({ dataset, progress }) => [
    dataset.name,
    progress.total,
  ])

test.each(
  variants(1, [
    [ui('features/examples:title.support'), 'example-support-messages', 15],
    [ui('features/examples:title.replies'), 'example-assistant-replies', 10],
    [ui('features/examples:title.names'), 'example-names-in-news', 10],
  ] as const),
)('%s: is created with one click and answered from suggestions', async (title, name, records) => {
  const { page, close, complaints } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
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

test('a second example of the same kind gets its own name', async () => {
  const { page, close } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url)
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

test('the first answer is one click and three keys away from an empty home page', async () => {
  const { page, close, complaints } = await openPage(team.browser, team.server.url)
  // Signs in as a new admin instead of the owner, because owners see the datasets of every workspace.
  const newcomer = await seedUser(team.server, 'newcomer', 'admin', [await seedWorkspace(team.server, 'newcomers')])
  const { api_key: apiKey } = await callAsOwner<{ readonly api_key: string }>(team.server, 'GET', `/users/${newcomer}`)
  const asNewcomer = { ...team.server, apiKey }
  await createSession(page, team.server.url, 'newcomer', PASSWORD)
  await page.goto('/')
  const example = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: ui('features/examples:title.support') }) })
  await example.getByRole('button', { name: ui('features/examples:open') }).click()
  await page.waitForURL(/annotation-mode/)
  const id = new URL(page.url()).pathname.split('/')[2] ?? ''
  await waitForKeyFocus(page)
  for (const key of ['1', '3', 'Enter']) await page.keyboard.press(key)
  type Metrics = { readonly responses: { readonly submitted: number } }
  await expect
    .poll(async () => (await callAsOwner<Metrics>(asNewcomer, 'GET', `/me/datasets/${id}/metrics`)).responses.submitted)
    .toBe(1)
  expect(complaints()).toEqual([])
  await close()
})
