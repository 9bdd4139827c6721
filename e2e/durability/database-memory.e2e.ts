import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createClient } from '@postil/testkit/client.ts'
import { detail } from '@postil/testkit/detail.ts'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, vi } from 'vitest'
import { postil } from '#harness/cli.ts'
import { emptyPlace, type Place, type RunningServer, startServer, testEngine } from '#harness/server.ts'
import { startPostgres } from '../../scripts/postgres.mjs'
import { countConfirmed, expectConfirmedAnswers, owner, repeatUnsure, runWritersDuring, seedWriters } from './fixtures.ts'
import { ownerOf } from './small-disk.ts'

/* A database server runs out of memory: it rejects individual statements, or the system kills its largest process. The tests use
   their own database server, because these faults affect everything that runs on the server. For the embedded database, see
   `memory.e2e.ts`. */
describe.skipIf(testEngine() === 'sqlite')('a database out of memory', () => {
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

  /** Process IDs of the server's connections. */
  const backends = async (where = ''): Promise<readonly number[]> => {
    const found = await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() ${where}`,
    )
    return found.rows.map(({ pid }) => pid)
  }
  const isServed = () =>
    vi.waitFor(async () => expect((await createClient(server.url, owner).get('/me')).status).toBe(200), { timeout: SERVED_MS })
  const isWhole = async (dataset: string, writers: Awaited<ReturnType<typeof seedWriters>>['writers']) => {
    await repeatUnsure(server, writers)
    await expectConfirmedAnswers(server, dataset, writers)
    expect(server.printed()).not.toMatch(/uncaught|unhandled/i)
    expect(await server.stop()).toBe(0)
    const { code, stdout } = await postil(place, ['doctor', '--json'])
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { ok: true }])
  }
  const isRefused = ({ status, headers }: { readonly status: number; readonly headers: Headers }) => {
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }

  /** Limits the memory of a running process to its current size plus the given megabytes. Null removes the limit. */
  const limitMemory = (pid: number, roomMb: number | null): void => {
    try {
      const [, size] = /^VmSize:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
      const most = roomMb === null ? 'unlimited' : Number(size) * 1024 + roomMb * 2 ** 20
      // On some systems, even root can't limit another user's process, but that user can.
      execFileSync('prlimit', ['--pid', String(pid), `--as=${most}:unlimited`], { stdio: 'ignore', ...ownerOf(pid) })
    } catch {
      // The connection may have ended before the limit is set.
    }
  }

  detail('does not stop the server when statements fail, and is reported', async () => {
    const { dataset, writers } = await seedWriters(server)
    const items = Array.from({ length: 100 }, (_, i) => ({ fields: { text: `${i} ${'words to keep '.repeat(2000)}` } }))
    const write = () =>
      createClient(server.url, owner).post<{ detail: string }>(`/datasets/${dataset.id}/records/bulk`, { items })
    await runWritersDuring(server, writers, async () => {
      await vi.waitFor(
        async () => {
          for (const pid of await backends()) limitMemory(pid, ROOM_MB)
          const refused = await write()
          isRefused(refused)
          expect(refused.body.detail).toMatch(/The database ran out of memory/)
        },
        { timeout: SERVED_MS },
      )
      for (const pid of await backends()) limitMemory(pid, null)
      const confirmed = countConfirmed(writers)
      await vi.waitFor(() => expect(countConfirmed(writers)).toBeGreaterThan(confirmed), { timeout: SERVED_MS })
    })
    expect((await write()).status).toBe(201)
    await isWhole(dataset.id, writers)
  })

  detail('does not stop the server when the system kills one of its processes, which ends all of them', async () => {
    const { dataset, writers } = await seedWriters(server)
    for (let round = 0; round < 2; round += 1) {
      await runWritersDuring(server, writers, async () => {
        const confirmed = countConfirmed(writers)
        await vi.waitFor(() => expect(countConfirmed(writers)).toBeGreaterThan(confirmed + 20), { timeout: SERVED_MS })
      })
      // Makes a request wait for a lock, so that the kill interrupts the request.
      const holder = await connect()
      await holder.query('begin')
      await holder.query('lock table records in access exclusive mode')
      const holding = createClient(server.url, owner).get(`/datasets/${dataset.id}/records?limit=5`)
      const [victim] = await vi.waitFor(
        async () => {
          const waiting = await backends(`and wait_event_type = 'Lock'`)
          expect(waiting).not.toEqual([])
          return waiting
        },
        { timeout: SERVED_MS },
      )
      // The other connections don't end at the same moment as the killed one. A connection that is opened before they end would
      // end, too.
      const ended = new Promise<void>((done) => admin.once('end', () => done()))
      process.kill(victim as number, 'SIGKILL')
      isRefused(await holding)
      await ended
      await holder.end().catch(() => undefined)
      admin = await vi.waitFor(connect, { timeout: SERVED_MS })
      await isServed()
    }
    await isWhole(dataset.id, writers)
  })
})
