import { setTimeout as pause } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createClient } from '@postil/testkit/client.ts'
import { detail } from '@postil/testkit/detail.ts'
import { createFactories, type Factories } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { countConfirmed, expectConfirmedAnswers, owner, runWritersDuring, seedWriters } from '#durability/fixtures.ts'
import { openBrowser, openPage } from '#harness/browser.ts'
import { emptyPlace, environment, OWNER, type Place } from '#harness/server.ts'
import { type Stack, startStack } from '../../deploy/lib/stack.ts'
import { type Server, startPostgres } from '../../scripts/postgres.mjs'
import { ui, uiPattern } from '../harness/ui-text.ts'
import { expectLeft, openAnnotation, seedAnnotationDataset, storedRecords } from '../web/fixtures/annotation.ts'
import { seedWorkspace } from '../web/fixtures/seed.ts'
import { createSession } from '../web/support/sign-in.ts'

/* Tests a deployment as in `deploy/`. It consists of nginx, four server processes, PgBouncer in transaction mode, and a database
   with durable writes. The database and the processes are killed while people work. */

const PROCESSES = 4
/**
 * Timeout in milliseconds. PgBouncer holds a query for ten seconds in case the database comes back, and then holds a second
 * query just as long.
 */
const WAITED = 60_000

let database: Server
let place: Place
let stack: Stack
let factories: Factories
beforeAll(async () => {
  database = await startPostgres({ name: `stack-${process.pid}`, durable: true })
  const folder = await emptyPlace('sqlite')
  place = { ...folder, databaseUrl: database.url }
  stack = await startStack({
    processes: PROCESSES,
    databaseUrl: database.url,
    pooler: true,
    env: environment(place),
    dataDir: place.dataDir,
  })
  factories = createFactories(createClient(stack.url, owner))
})
afterAll(async () => {
  await stack?.stop()
  await place?.drop()
  await database?.stop()
})

const server = () => ({ url: stack.url, place })
const isBack = () =>
  expect.poll(async () => (await createClient(stack.url, owner).get('/me')).status, { timeout: WAITED }).toBe(200)

it('distributes requests over all processes', async () => {
  const { dataset, writers } = await seedWriters(server(), factories)
  await runWritersDuring(server(), writers, () =>
    expect.poll(() => countConfirmed(writers), { timeout: WAITED }).toBeGreaterThan(200),
  )
  await expectConfirmedAnswers(server(), dataset.id, writers)
  const answered = stack.answeredCounts()
  for (const { port } of stack.processes) expect(answered.get(port) ?? 0).toBeGreaterThan(10)
})

detail('answers agents on every process', async () => {
  const { dataset } = await seedWriters(server(), factories)
  const before = stack.answeredCounts()
  const agent = new Client({ name: 'test', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${owner.api_key}` } }
  await agent.connect(new StreamableHTTPClientTransport(new URL(`${stack.url}/mcp`), { requestInit }))
  for (let i = 0; i < 40; i++) {
    const { structuredContent } = await agent.callTool({ name: 'get_progress', arguments: { dataset_id: dataset.id } })
    expect(structuredContent).toMatchObject({ total: expect.any(Number) })
  }
  await agent.close()
  const after = stack.answeredCounts()
  for (const { port } of stack.processes) expect((after.get(port) ?? 0) - (before.get(port) ?? 0)).toBeGreaterThan(1)
})

it('loses no confirmed answer when the database is killed, returns 503 with a retry time, and recovers automatically', async () => {
  const { dataset, writers } = await seedWriters(server(), factories)
  for (let round = 0; round < 2; round++) {
    await runWritersDuring(server(), writers, async () => {
      await pause(400)
      await database.crash()
      // A query that the database has already started may still end with a response before the failure is noticed.
      const away = await vi.waitFor(async () => {
        const answer = await createClient(stack.url, owner).get('/me')
        expect(answer.status).toBe(503)
        return answer
      }, WAITED)
      expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0)
      await database.restart()
      await pause(200)
    })
    await isBack()
    await expectConfirmedAnswers(server(), dataset.id, writers)
  }
  for (const one of stack.processes) expect(one.restarts()).toBe(0)
})

detail('continues while processes are killed, and all of them return', async () => {
  const { dataset, writers } = await seedWriters(server(), factories)
  await runWritersDuring(server(), writers, async () => {
    for (const one of stack.processes.slice(0, 2)) {
      await pause(300)
      process.kill(one.pid(), 'SIGKILL')
      await expect.poll(one.restarts).toBe(1)
    }
  })
  await isBack()
  await expectConfirmedAnswers(server(), dataset.id, writers)
})

it('keeps answers in the browser while the database is down, and stores them automatically afterwards', async () => {
  const asked = { url: stack.url, apiKey: OWNER.apiKey }
  const id = await seedAnnotationDataset(asked, {
    name: 'away',
    workspaceId: await seedWorkspace(asked, 'away'),
    questions: {
      label: {
        title: 'Label',
        required: true,
        settings: { type: 'label_selection', options: ['Yes', 'No'].map((text) => ({ value: text.toLowerCase(), text })) },
      },
    },
    records: Array.from({ length: 12 }, (_, i) => ({ fields: { text: `Record ${i + 1}` } })),
  })
  const browser = await openBrowser()
  try {
    const { page, complaints } = await openPage(browser, stack.url)
    await createSession(page, stack.url)
    await openAnnotation(page, id)
    await expectLeft(page, 12)
    await database.crash()
    for (const remaining of [11, 10, 9]) {
      await page.keyboard.press('1')
      await page.keyboard.press('Enter')
      await expectLeft(page, remaining)
    }
    await page
      .locator('header')
      .getByText(ui('common:unsent.state', { count: 3 }))
      .waitFor()
    await database.restart()
    await isBack()
    const answered = async () => (await storedRecords(asked, id)).map(({ responses }) => responses.length).toSorted()
    await expect.poll(answered, { timeout: WAITED }).toEqual([...Array(9).fill(0), 1, 1, 1])
    await expect.poll(() => page.locator('header').getByText(uiPattern('common:unsent.state')).count()).toBe(0)
    expect(complaints()).toEqual([])
  } finally {
    await browser.close()
  }
})
