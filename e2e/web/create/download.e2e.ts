import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../harness/browser.ts'
import { type RunningServer, startServer } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'
import { givenAnnotation, openAnnotation } from '../ground/annotation.ts'
import { givenUser, givenWorkspace, PASSWORD } from '../ground/given.ts'
import { haveSession } from '../support/sign-in.ts'

let server: RunningServer
let browser: Browser
let dataset = ''

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  const team = await givenWorkspace(server, 'team')
  await givenUser(server, 'ann', 'annotator', [team])
  await givenUser(server, 'adam', 'admin', [team])
  dataset = await givenAnnotation(server, {
    name: 'letters',
    workspaceId: team,
    records: ['a cat', 'a dog', '=cat()'].map((text) => ({ fields: { text } })),
  })
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const openAs = async (username: string, query = '') => {
  const opened = await openPage(browser, server.url)
  await haveSession(opened.page, server.url, username, PASSWORD)
  await openAnnotation(opened.page, dataset, query)
  return opened
}

const fileFrom = async (page: Page): Promise<{ name: string; text: string }> => {
  const dialog = page.getByRole('dialog', { name: ui('features/download:title') })
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: ui('features/download:title') }).click(),
  ])
  await dialog.waitFor({ state: 'detached' })
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('all records come as the chosen file', async () => {
  const { page, close, complaints } = await openAs('adam')
  await page.getByRole('button', { name: ui('features/download:title') }).click()
  // The choice that is made has the focus, so that arrows make another.
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches('[name="format"]:checked'))).toBe(true)
  const jsonl = await fileFrom(page)
  expect(jsonl.name).toBe('letters.jsonl')
  expect(jsonl.text.trim().split('\n')).toHaveLength(3)
  await page.getByRole('button', { name: ui('features/download:title') }).click()
  await page.getByRole('radio', { name: /^CSV/ }).check()
  const csv = await fileFrom(page)
  expect(csv.name).toBe('letters.csv')
  expect(csv.text).toContain("'=cat()")
  expect(complaints()).toEqual([])
  await close()
})

test('or those that the search finds, unless all are wanted', async () => {
  const { page, close } = await openAs('adam', '?search=cat~all')
  await page.getByRole('button', { name: ui('features/download:title') }).click()
  const found = (await fileFrom(page)).text.trim().split('\n')
  expect(found.map((line) => (JSON.parse(line) as { text: string }).text).sort()).toEqual(['=cat()', 'a cat'])
  await page.getByRole('button', { name: ui('features/download:title') }).click()
  await page.getByRole('switch', { name: ui('features/download:filtered') }).uncheck()
  expect((await fileFrom(page)).text.trim().split('\n')).toHaveLength(3)
  await close()
})

test('annotators have nothing to download', async () => {
  const { page, close } = await openAs('ann')
  await page.getByRole('link', { name: ui('features/annotate:settings') }).waitFor()
  expect(await page.getByRole('button', { name: ui('features/download:title') }).count()).toBe(0)
  await close()
})
