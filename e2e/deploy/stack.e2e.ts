import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@postil/testkit/client.ts'
import { createFactories, type Factories } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { compare, confirmedTo, makeWriters, owner, workWhile } from '#durability/given.ts'
import { openBrowser, openPage } from '#harness/browser.ts'
import { emptyPlace, environment, OWNER, type Place } from '#harness/server.ts'
import { type Stack, startStack } from '../../deploy/lib/stack.ts'
import { type Server, startPostgres } from '../../scripts/postgres.mjs'
import { ui } from '../harness/ui-text.ts'
import { givenAnnotation, left, openAnnotation, stored } from '../web/ground/annotation.ts'
import { givenWorkspace } from '../web/ground/given.ts'
import { haveSession } from '../web/support/sign-in.ts'

/*
 * What is deployed as `deploy/` says: four processes, nginx in front of them, PgBouncer in transaction mode between them and a database
 * that syncs to its disk. The database and the processes are killed while people work.
 */

const PROCESSES = 4
/** The pooler keeps a question for ten seconds in case the database comes back, and so does a second one. */
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

it('spreads what people ask over all processes', async () => {
  const { dataset, writers } = await makeWriters(server(), factories)
  await workWhile(server(), writers, () => expect.poll(() => confirmedTo(writers), { timeout: WAITED }).toBeGreaterThan(200))
  await compare(server(), dataset.id, writers)
  const answered = stack.answered()
  for (const { port } of stack.processes) expect(answered.get(port) ?? 0).toBeGreaterThan(10)
})

it('loses nothing that was confirmed when the database is killed, says 503 and when to come again, and is back by itself', async () => {
  const { dataset, writers } = await makeWriters(server(), factories)
  for (let round = 0; round < 2; round++) {
    await workWhile(server(), writers, async () => {
      await pause(400)
      await database.crash()
      // What the database had started may still end an answer before it sees that it is gone.
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
    await compare(server(), dataset.id, writers)
  }
  for (const one of stack.processes) expect(one.restarts()).toBe(0)
})

it('goes on while processes are killed, and none of them stays away', async () => {
  const { dataset, writers } = await makeWriters(server(), factories)
  await workWhile(server(), writers, async () => {
    for (const one of stack.processes.slice(0, 2)) {
      await pause(300)
      process.kill(one.pid(), 'SIGKILL')
      await expect.poll(one.restarts).toBe(1)
    }
  })
  await isBack()
  await compare(server(), dataset.id, writers)
})

it('keeps what is answered in the page while the database is away, and stores it by itself when it is back', async () => {
  const asked = { url: stack.url, apiKey: OWNER.apiKey }
  const id = await givenAnnotation(asked, {
    name: 'away',
    workspaceId: await givenWorkspace(asked, 'away'),
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
    await haveSession(page, stack.url)
    await openAnnotation(page, id)
    await left(page, '12 left')
    await database.crash()
    for (const remaining of ['11 left', '10 left', '9 left']) {
      await page.keyboard.press('1')
      await page.keyboard.press(ui('features/guides:keys.key.enter'))
      await left(page, remaining)
    }
    await page
      .locator('header')
      .getByText(ui('common:unsent.state', { count: 3 }))
      .waitFor()
    await database.restart()
    await isBack()
    const answered = async () => (await stored(asked, id)).map(({ responses }) => responses.length).toSorted()
    await expect.poll(answered, { timeout: WAITED }).toEqual([...Array(9).fill(0), 1, 1, 1])
    await expect.poll(() => page.locator('header').getByText('not sent yet').count()).toBe(0)
    expect(complaints()).toEqual([])
  } finally {
    await browser.close()
  }
})
