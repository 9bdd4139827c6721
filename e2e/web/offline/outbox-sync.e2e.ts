import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { ui, uiPattern } from '../../harness/ui-text.ts'
import { expectLeft, question, seedAnnotationDataset, storedRecords } from '../fixtures/annotation.ts'
import { callAsOwner, seedWorkspace } from '../fixtures/seed.ts'
import { expectStoredAnswers } from '../support/device.ts'
import { createSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Awaited<ReturnType<typeof openBrowser>>
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const HALF = 100
const text = (i: number) => `Ada Lovelace wrote letter ${i}.`
const answered = async (id: string) => (await storedRecords(server, id)).filter(({ responses }) => responses.length > 0)
const unsent = (page: Page, count: number) => page.locator('header').getByText(ui('common:unsent.state', { count })).waitFor()

/** Answers all records on a page. Fills in five questions in the form. In the sixth, accepts each record's own suggestion. */
const answerPage = async (page: Page, note: string): Promise<void> => {
  await question(page, 'tone').getByRole('radio', { name: 'Neutral' }).click()
  await question(page, 'topics').getByText('Topic 02').click()
  await question(page, 'quality').getByText('7', { exact: true }).click()
  for (const card of ['Reply B', 'Reply C', 'Reply A']) await question(page, 'replies').getByText(card).click()
  await question(page, 'note').getByRole('textbox').fill(note)
  await page.getByRole('checkbox', { name: ui('features/annotate:bulk.selectPage') }).click()
  await page.getByRole('button', { name: ui('features/annotate:bulk.submit', { count: HALF }) }).click()
  const dialog = page.getByRole('dialog', { name: ui('features/annotate:bulk.confirm.submitted', { count: HALF }) })
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: ui('features/annotate:action.submit') }).click()
}

/**
 * Kills the server once it has stored this number of answers, while it receives more. Restarts it at the same address with the
 * same data.
 */
const crashAt = async (id: string, count: number): Promise<void> => {
  await expect.poll(async () => (await answered(id)).length, { timeout: 60_000, interval: 100 }).toBeGreaterThanOrEqual(count)
  const { place, url } = server
  await server.kill()
  server = await startServer({ place, env: { POSTIL_PORT: new URL(url).port } })
}

test('200 answers of all six types from two tabs survive a lost network, a closed tab and two server crashes, each stored once', async () => {
  const workspaceId = await seedWorkspace(server, 'team')
  const id = await seedAnnotationDataset(server, {
    name: 'two hundred',
    workspaceId,
    metadata: [{ name: 'n', title: 'Number', settings: { type: 'integer' } }],
    records: Array.from({ length: 2 * HALF }, (_, i) => ({
      fields: { text: text(i) },
      external_id: String(i),
      metadata: { n: i },
      suggestions: { entities: { value: [{ label: 'person', start: 0, end: 12 }] } },
    })),
  })
  const opened = await openPage(browser, server.url, { serviceWorkers: 'allow' })
  const { page: first, context } = opened
  await createSession(first, server.url)
  const address = (start: number) => `/dataset/${id}/annotation-mode?page=${start}~${HALF}&sort=metadata.n.asc`
  await first.goto(address(1))
  const second = await context.newPage()
  await second.goto(address(HALF + 1))
  for (const page of [first, second]) await expectLeft(page, uiPattern('features/annotate:pager.range', { total: 2 * HALF }))
  await first.evaluate(() => navigator.serviceWorker.ready)

  await context.setOffline(true)
  // Wait for the notice, because it moves the page and the elements to click.
  for (const page of [first, second]) await page.getByText(ui('common:connection.offline')).first().waitFor()
  await answerPage(first, 'from the first tab')
  await unsent(first, HALF)
  await answerPage(second, 'from the second tab')
  await unsent(second, 2 * HALF)
  await expectStoredAnswers(second, 2 * HALF)
  const [conflicting] = await storedRecords(server, id)
  await callAsOwner(server, 'POST', `/records/${conflicting?.id}/responses`, {
    status: 'draft',
    values: { note: { value: 'given elsewhere' } },
  })
  await second.close()
  const third = await context.newPage()
  await third.goto('/')
  await third.locator('main').first().waitFor()
  expect(await answered(id)).toHaveLength(1)

  await context.setOffline(false)
  await crashAt(id, 20)
  await crashAt(id, 110)
  const submitted = async () => (await answered(id)).filter(({ responses: [one] }) => one?.status === 'submitted').length
  await expect.poll(submitted, { timeout: 90_000 }).toBe(2 * HALF - 1)

  await first
    .getByRole('region', { name: ui('common:toast.region') })
    .getByRole('button', { name: ui('features/annotate:issue.show') })
    .click()
  await first.getByText(ui('features/annotate:conflict.title')).first().waitFor()
  await first.getByRole('button', { name: ui('features/annotate:conflict.keepMine') }).click()
  await expect.poll(submitted, { timeout: 30_000 }).toBe(2 * HALF)

  const all = await storedRecords(server, id)
  expect(all.map(({ responses }) => responses.length)).toEqual(all.map(() => 1))
  // If an answer had been written twice, its version number would be higher than expected here.
  const versions = all.map(({ id: record, responses: [one] }) =>
    record === conflicting?.id ? one?.version === 2 : one?.version === 1,
  )
  expect(versions.every(Boolean)).toBe(true)
  for (const { external_id, responses } of all) {
    expect(responses[0]?.values).toEqual({
      tone: { value: 'neutral' },
      topics: { value: ['topic-02'] },
      quality: { value: 7 },
      replies: { value: expect.arrayContaining([expect.objectContaining({ value: 'reply-b' })]) },
      entities: { value: [expect.objectContaining({ label: 'person', start: 0, end: 12 })] },
      note: { value: Number(external_id) < HALF ? 'from the first tab' : 'from the second tab' },
    })
  }
  await opened.close()
}, 300_000)
