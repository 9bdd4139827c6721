import { readFile } from 'node:fs/promises'
import { detail } from '@postil/testkit/detail.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { openAnnotation, seedAnnotationDataset, spanQuestion } from '../fixtures/annotation.ts'
import { callAsOwner, PASSWORD, seedUser, seedWorkspace } from '../fixtures/seed.ts'
import { createSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser
let dataset = ''
let team = ''

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  team = await seedWorkspace(server, 'team')
  await seedUser(server, 'ann', 'annotator', [team])
  await seedUser(server, 'adam', 'admin', [team])
  dataset = await seedAnnotationDataset(server, {
    name: 'letters',
    workspaceId: team,
    records: ['a cat', 'a dog', '=cat()'].map((text) => ({ fields: { text } })),
  })
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const openAs = async (username: string, query = '', id = dataset) => {
  const opened = await openPage(browser, server.url)
  await createSession(opened.page, server.url, username, PASSWORD)
  await openAnnotation(opened.page, id, query)
  return opened
}

const fileFrom = async (page: Page): Promise<{ name: string; text: string }> => {
  const dialog = page.getByRole('dialog', { name: ui('features/download:title') })
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: ui('features/download:start') }).click(),
  ])
  await dialog.waitFor({ state: 'detached' })
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('all records are downloaded in the chosen format', async () => {
  const { page, close, complaints } = await openAs('adam')
  await page.getByRole('button', { name: ui('features/annotate:download') }).click()
  // The selected format has the focus, so that arrow keys change it.
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches('[type="radio"]:checked'))).toBe(true)
  const jsonl = await fileFrom(page)
  expect(jsonl.name).toBe('letters.jsonl')
  expect(jsonl.text.trim().split('\n')).toHaveLength(3)
  await page.getByRole('button', { name: ui('features/annotate:download') }).click()
  await page.getByRole('radio', { name: /^CSV/ }).check()
  const csv = await fileFrom(page)
  expect(csv.name).toBe('letters.csv')
  expect(csv.text).toContain("'=cat()")
  expect(complaints()).toEqual([])
  await close()
})

detail('only the records that the search finds are downloaded, unless all are chosen', async () => {
  const { page, close } = await openAs('adam', '?search=cat~all')
  await page.getByRole('button', { name: ui('features/annotate:download') }).click()
  const found = (await fileFrom(page)).text.trim().split('\n')
  expect(found.map((line) => (JSON.parse(line) as { text: string }).text).sort()).toEqual(['=cat()', 'a cat'])
  await page.getByRole('button', { name: ui('features/annotate:download') }).click()
  await page.getByRole('switch', { name: ui('features/download:filtered') }).uncheck()
  expect((await fileFrom(page)).text.trim().split('\n')).toHaveLength(3)
  await close()
})

detail('annotators have no download', async () => {
  const { page, close } = await openAs('ann')
  await page.getByRole('link', { name: ui('features/annotate:settings') }).waitFor()
  expect(await page.getByRole('button', { name: ui('features/annotate:download') }).count()).toBe(0)
  await close()
})

detail('formats are offered if a question fits, and overlapping spans are refused until only the longest is kept', async () => {
  const id = await seedAnnotationDataset(server, {
    name: 'marks',
    workspaceId: team,
    questions: { marks: spanQuestion({ allow_overlapping: true }) },
    records: [{ external_id: 'one', fields: { text: 'Bank of London' } }],
  })
  type Records = { readonly items: readonly { readonly id: string }[] }
  const { items } = await callAsOwner<Records>(server, 'GET', `/datasets/${id}/records`)
  const spans = [
    { label: 'a', start: 0, end: 14 },
    { label: 'b', start: 8, end: 14 },
  ]
  await callAsOwner(server, 'POST', `/records/${items[0]?.id}/responses`, {
    status: 'submitted',
    values: { marks: { value: spans } },
  })
  const { page, close, complaints } = await openAs('adam', '', id)
  await page.getByRole('button', { name: ui('features/annotate:download') }).click()
  expect(await page.getByRole('radio', { name: ui('features/download:formats.dpo.name') }).count()).toBe(0)
  await page.getByRole('radio', { name: ui('features/download:formats.conll.name') }).check()
  const dialog = page.getByRole('dialog', { name: ui('features/download:title') })
  await dialog.getByRole('button', { name: ui('features/download:start') }).click()
  const alert = dialog.getByRole('alert')
  await alert.waitFor()
  expect(await alert.textContent()).toBe(ui('features/refusals:refusal.exportOverlap', { record: 'one', user: 'owner' }))
  await page.getByRole('switch', { name: ui('features/download:longest') }).check()
  await alert.waitFor({ state: 'detached' })
  const conll = await fileFrom(page)
  expect(conll.text.match(/\S+$/gm)).toEqual(['O', 'B-a', 'I-a', 'I-a'])
  await page.getByRole('button', { name: ui('features/annotate:download') }).click()
  await page.getByRole('radio', { name: ui('features/download:formats.label_studio.name') }).check()
  expect((await fileFrom(page)).name).toBe('marks.label-studio.json')
  // The browser logs the refusal as a failed request
  expect(complaints().filter((one) => !one.includes('422'))).toEqual([])
  await close()
})
