import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@postil/testkit/client.ts'
import { createFactories, type Factories } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compare, confirmedTo, makeWriters, owner, workWhile } from '#durability/given.ts'
import { emptyPlace, environment, type Place } from '#harness/server.ts'
import { type Stack, startStack } from '../../deploy/lib/stack.ts'
import { type Server, startPostgres } from '../../scripts/postgres.mjs'

/*
 * What is deployed as `deploy/` says: four processes, nginx in front of them, PgBouncer in transaction mode between them and a database
 * that syncs to its disk. The database and the processes are killed while people work.
 */

const PROCESSES = 4

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
const isBack = () => expect.poll(async () => (await createClient(stack.url, owner).get('/me')).status).toBe(200)

it('spreads what people ask over all processes', async () => {
  const { dataset, writers } = await makeWriters(server(), factories)
  await workWhile(server(), writers, () => pause(1500))
  await compare(server(), dataset.id, writers)
  expect(confirmedTo(writers)).toBeGreaterThan(50)
  const answered = stack.answered()
  for (const { port } of stack.processes) expect(answered.get(port) ?? 0).toBeGreaterThan(10)
})

it('loses nothing that was confirmed when the database is killed, says 503 and when to come again, and is back by itself', async () => {
  const { dataset, writers } = await makeWriters(server(), factories)
  for (let round = 0; round < 2; round++) {
    await workWhile(server(), writers, async () => {
      await pause(400)
      await database.crash()
      const away = await createClient(stack.url, owner).get('/me')
      expect(away.status).toBe(503)
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
