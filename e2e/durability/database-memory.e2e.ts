import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createClient } from '@postil/testkit/client.ts'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { postil } from '#harness/cli.ts'
import { emptyPlace, type Place, type RunningServer, startServer, testEngine } from '#harness/server.ts'
import { startPostgres } from '../../scripts/postgres.mjs'
import { compare, confirmedTo, makeWriters, owner, repeatOn, workWhile } from './given.ts'
import { ownerOf } from './small-disk.ts'

/*
 * A machine of the database that has no memory left: it refuses single statements, or its system kills what uses most of it. A
 * database of our own, because both concern everything that runs on it. The embedded store's own lack of memory is in `memory.e2e.ts`.
 */
describe.skipIf(testEngine() === 'sqlite')('a database without memory', () => {
  const SERVED_MS = 30_000
  const ROOM_MB = 3
  let database: Awaited<ReturnType<typeof startPostgres>>
  let place: Place
  let server: RunningServer
  let admin: pg.Client

  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: database.url })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  beforeEach(async () => {
    database = await startPostgres({ name: `memory-${process.pid}`, durable: true })
    place = { ...(await emptyPlace('sqlite')), databaseUrl: database.url }
    server = await startServer({ place })
    admin = await connect()
  })
  afterEach(async () => {
    await admin?.end().catch(() => undefined)
    await server?.kill()
    await place?.drop()
    await database?.stop()
  })

  /** Process ids of the server's connections. */
  const backends = async (where = ''): Promise<readonly number[]> => {
    const found = await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() ${where}`,
    )
    return found.rows.map(({ pid }) => pid)
  }
  const isServed = () =>
    vi.waitFor(async () => expect((await createClient(server.url, owner).get('/me')).status).toBe(200), { timeout: SERVED_MS })
  const isWhole = async (dataset: string, writers: Awaited<ReturnType<typeof makeWriters>>['writers']) => {
    await repeatOn(server, writers)
    await compare(server, dataset, writers)
    expect(server.printed()).not.toMatch(/uncaught|unhandled/i)
    expect(await server.stop()).toBe(0)
    const { code, stdout } = await postil(place, ['doctor', '--json'])
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { ok: true }])
  }
  const isRefused = ({ status, headers }: { readonly status: number; readonly headers: Headers }) => {
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }

  /** The most memory that a running process may have, by what it has now; null: as much as it likes. */
  const limitMemory = (pid: number, roomMb: number | null): void => {
    try {
      const [, size] = /^VmSize:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
      const most = roomMb === null ? 'unlimited' : Number(size) * 1024 + roomMb * 2 ** 20
      // NOTE: not even root may limit another user's process everywhere, but that user may
      execFileSync('prlimit', ['--pid', String(pid), `--as=${most}:unlimited`], { stdio: 'ignore', ...ownerOf(pid) })
    } catch {
      // NOTE: a connection may end between the look and the limit
    }
  }

  it('outlives statements for which the database has no memory, and says so', async () => {
    const { dataset, writers } = await makeWriters(server)
    const items = Array.from({ length: 100 }, (_, i) => ({ fields: { text: `${i} ${'words to keep '.repeat(2000)}` } }))
    const write = () =>
      createClient(server.url, owner).post<{ detail: string }>(`/datasets/${dataset.id}/records/bulk`, { items })
    await workWhile(server, writers, async () => {
      await vi.waitFor(
        async () => {
          for (const pid of await backends()) limitMemory(pid, ROOM_MB)
          const refused = await write()
          isRefused(refused)
          expect(refused.body.detail).toMatch(/The database has run out of memory over this/)
        },
        { timeout: SERVED_MS },
      )
      for (const pid of await backends()) limitMemory(pid, null)
      const confirmed = confirmedTo(writers)
      await vi.waitFor(() => expect(confirmedTo(writers)).toBeGreaterThan(confirmed), { timeout: SERVED_MS })
    })
    expect((await write()).status).toBe(201)
    await isWhole(dataset.id, writers)
  })

  it('outlives a database whose system kills one of its processes, which ends all of them', async () => {
    const { dataset, writers } = await makeWriters(server)
    for (let round = 0; round < 2; round += 1) {
      await workWhile(server, writers, async () => {
        const confirmed = confirmedTo(writers)
        await vi.waitFor(() => expect(confirmedTo(writers)).toBeGreaterThan(confirmed + 20), { timeout: SERVED_MS })
      })
      // NOTE: a request that is being carried out, held up by a lock, so that it is the one that is hit
      const holder = await connect()
      await holder.query('begin')
      await holder.query('lock table records in access exclusive mode')
      const held = createClient(server.url, owner).get(`/datasets/${dataset.id}/records?limit=5`)
      const [victim] = await vi.waitFor(
        async () => {
          const waiting = await backends(`and wait_event_type = 'Lock'`)
          expect(waiting).not.toEqual([])
          return waiting
        },
        { timeout: SERVED_MS },
      )
      // NOTE: the others are ended some time after the one that is killed, and a connection that is made meanwhile with them
      const ended = new Promise<void>((done) => admin.once('end', () => done()))
      process.kill(victim as number, 'SIGKILL')
      isRefused(await held)
      await ended
      await holder.end().catch(() => undefined)
      admin = await vi.waitFor(connect, { timeout: SERVED_MS })
      await isServed()
    }
    await isWhole(dataset.id, writers)
  })
})
