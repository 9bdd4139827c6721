import { parquetWriteBuffer } from 'hyparquet-writer'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { asOwner, givenDataset } from '../ground/given.ts'
import { setUpTeamWithHub } from '../ground/hub.ts'
import { haveSession } from '../support/sign-in.ts'

const team = setUpTeamWithHub()
beforeAll(() => {
  const text = { name: 'text', data: ['One.', 'Two.'], type: 'STRING' as const }
  const files = [new Uint8Array(parquetWriteBuffer({ columnData: [text] }))]
  team.hub.put('team/slow', [
    {
      subset: 'default',
      split: 'train',
      features: { text: { dtype: 'string', _type: ui('features/annotate:filters.part.value') } },
      files,
    },
  ])
  // The import goes on for as long as the hub says nothing.
  team.hub.meddle(() => true)
})

/** The import page of a dataset of so many records, with an import that goes on. */
const importing = async (records: number) => {
  const { server, browser } = team
  const id = await givenDataset(server, { name: `with ${records}`, workspaceId: team.workspaceId, records })
  const mapping = { fields: [{ source: 'text', target: 'text' }] }
  await asOwner(server, 'POST', `/datasets/${id}/import`, { name: 'team/slow', subset: 'default', split: 'train', mapping })
  const opened = await openPage(browser, server.url)
  const { page } = opened
  await haveSession(page, server.url)
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
  /** When it was asked for records, by the clock of the page. */
  const polls = () => page.evaluate(() => (window as unknown as { polls: number[] }).polls)
  /** Time goes on for the page until something is so. */
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

test('the first records are waited for ten times three seconds, and then the import goes on by itself', async () => {
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

test('nobody waits where there are ten records', async () => {
  const { page, polls, close } = await importing(10)
  await background(page).waitFor()
  await page.clock.runFor(60_000)
  expect(await polls()).toHaveLength(1)
  await close()
})

test('nor where the import has ended', async () => {
  const { page, polls, close } = await importing(1)
  await waiting(page).waitFor()
  await page.getByRole('button', { name: ui('features/create:cancel') }).click()
  // Time goes on as it does: made to go faster, the page would have waited to the end before the import has ended.
  await waiting(page).waitFor({ state: 'detached' })
  expect(await background(page).count()).toBe(0)
  const before = (await polls()).length
  await page.clock.runFor(60_000)
  expect(await polls()).toHaveLength(before)
  await close()
})
