import { parquetWriteBuffer } from 'hyparquet-writer'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { setUpTeamWithHub } from '../fixtures/hub.ts'
import { callAsOwner, seedDataset } from '../fixtures/seed.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeamWithHub()
beforeAll(() => {
  const text = { name: 'text', data: ['One.', 'Two.'], type: 'STRING' as const }
  const files = [new Uint8Array(parquetWriteBuffer({ columnData: [text] }))]
  team.hub.put('team/slow', [
    {
      subset: 'default',
      split: 'train',
      features: { text: { dtype: 'string', _type: 'Value' } },
      files,
    },
  ])
  // The import keeps running while the Hub doesn't respond.
  team.hub.intercept(() => true)
})

/** Opens the import page of a dataset with this number of records and a running import. */
const importing = async (records: number) => {
  const { server, browser } = team
  const id = await seedDataset(server, { name: `with ${records}`, workspaceId: team.workspaceId, records })
  const mapping = { fields: [{ source: 'text', target: 'text' }] }
  await callAsOwner(server, 'POST', `/datasets/${id}/import`, { name: 'team/slow', subset: 'default', split: 'train', mapping })
  const opened = await openPage(browser, server.url)
  const { page } = opened
  await createSession(page, server.url)
  await page.clock.install()
  await page.addInitScript(() => {
    const [send, polls] = [window.fetch, [] as number[]]
    window.fetch = (input, init) => {
      if (String(input instanceof Request ? input.url : input).endsWith('/progress')) polls.push(Date.now())
      return send(input, init)
    }
    Object.assign(window, { polls })
  })
  await page.goto(`/dataset/${id}/import`)
  await page.getByRole('button', { name: ui('features/create:cancel') }).waitFor()
  /** The times at which the page requested records, on the page's clock. */
  const polls = () => page.evaluate(() => (window as unknown as { polls: number[] }).polls)
  /** Advances the page's clock until the condition holds. */
  const until = (isSo: () => Promise<boolean>) =>
    expect
      .poll(async () => {
        await page.clock.runFor(500)
        return isSo()
      })
      .toBe(true)
  return { ...opened, polls, until }
}
const waiting = (page: Page) => page.getByText(ui('features/create:imports.waiting'))
const background = (page: Page) => page.getByText(ui('features/create:imports.background'))

test('the page polls ten times every three seconds for the first records, then the import continues in the background', async () => {
  const { page, polls, until, close, complaints } = await importing(0)
  await waiting(page).waitFor()
  await until(() => background(page).isVisible())
  await page.clock.runFor(60_000)
  const asked = await polls()
  expect(asked).toHaveLength(10)
  for (const [i, at] of asked.slice(1).entries()) expect(at - (asked[i] ?? at)).toBeGreaterThanOrEqual(3000)
  expect(await waiting(page).count()).toBe(0)
  await page.getByRole('button', { name: ui('features/create:cancel') }).click()
  await until(async () => (await background(page).count()) === 0)
  expect(complaints()).toEqual([])
  await close()
})

test('the page doesn’t wait if there are ten records', async () => {
  const { page, polls, close } = await importing(10)
  await background(page).waitFor()
  await page.clock.runFor(60_000)
  expect(await polls()).toHaveLength(1)
  await close()
})

test('the page doesn’t wait if the import has ended', async () => {
  const { page, polls, close } = await importing(1)
  await waiting(page).waitFor()
  await page.getByRole('button', { name: ui('features/create:cancel') }).click()
  // Uses real time: with a faster clock, the page would stop waiting before the import has ended.
  await waiting(page).waitFor({ state: 'detached' })
  expect(await background(page).count()).toBe(0)
  const before = (await polls()).length
  await page.clock.runFor(60_000)
  expect(await polls()).toHaveLength(before)
  await close()
})
