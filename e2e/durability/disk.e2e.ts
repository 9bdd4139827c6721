import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Response } from '@postil/testkit/client.ts'
import { detail, isDailyRun } from '@postil/testkit/detail.ts'
import pg from 'pg'
import { afterEach, expect, it, vi } from 'vitest'
import { postil } from '#harness/cli.ts'
import { emptyPlace, type Place, type RunningServer, startServer, testEngine } from '#harness/server.ts'
import { countConfirmed, expectConfirmedAnswers, owner, repeatUnsure, runWriters, seedDataset, seedWriters } from './fixtures.ts'
import { canMount, limitFiles, ownerOf, type SmallDisk, smallDisk } from './small-disk.ts'
import type { Writer } from './writers.ts'

const SERVED_MS = 30_000

let server: RunningServer | undefined
const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  await server?.kill()
  server = undefined
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const newPlace = async (): Promise<Place> => {
  const place = await emptyPlace()
  cleanups.push(place.drop)
  return place
}

/** Sends records that need more space than the disk has left during the fault. */
const writeUntilFull = (to: RunningServer, dataset: string): Promise<Response<{ detail: string }>> =>
  createClient(to.url, owner).post(`/datasets/${dataset}/records/bulk`, {
    items: Array.from({ length: 100 }, (_, i) => ({ fields: { text: `${i} ${'words to keep '.repeat(2000)}` } })),
  })

type Fault = {
  readonly begin: () => Promise<void> | void
  readonly end: () => Promise<void> | void
  /** The message in responses and in the log. */
  readonly named: RegExp
}

/**
 * Lets people keep answering during a fault. Afterwards, checks that all confirmed changes exist, that rejected requests named
 * the cause, and that everything works again without intervention.
 */
const survive = async (running: RunningServer, { begin, end, named }: Fault): Promise<void> => {
  const { dataset, writers } = await seedWriters(running)
  const during = async (work: () => Promise<void>) => {
    const stop = new AbortController()
    const working = runWriters(running, writers, stop.signal)
    try {
      await work()
    } finally {
      stop.abort()
      await working
    }
  }
  await during(() => vi.waitFor(() => expect(countConfirmed(writers)).toBeGreaterThan(30), { timeout: SERVED_MS }))
  await during(async () => {
    await begin()
    const refused = await vi.waitFor(
      async () => {
        const answer = await writeUntilFull(running, dataset.id)
        expect(answer.status).toBe(503)
        // If the connection breaks when the fault begins, the message is different. The request is then repeated.
        expect(answer.body.detail).toMatch(named)
        return answer
      },
      { timeout: SERVED_MS },
    )
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await pause(500)
    // Reads keep working.
    expect((await createClient(running.url, owner).get(`/datasets/${dataset.id}/progress`)).status).toBe(200)
    await end()
    await vi.waitFor(async () => expect((await writeUntilFull(running, dataset.id)).status).toBe(201), { timeout: SERVED_MS })
  })
  expect(running.printed()).toMatch(named)
  expect(running.printed()).not.toMatch(/uncaught|unhandled/i)
  await settled(running, dataset.id, writers)
}

const settled = async (running: RunningServer, dataset: string, writers: readonly Writer[]) => {
  await repeatUnsure(running, writers)
  await createClient(running.url, owner).get(`/datasets/${dataset}/records?limit=1`)
  await expectConfirmedAnswers(running, dataset, writers)
  const report = await postil(running.place, ['doctor', '--json'])
  expect([report.code, JSON.parse(report.stdout)]).toMatchObject([0, { ok: true }])
}

if (testEngine() === 'sqlite') {
  it.runIf(canMount())('survives a full disk and reports it', async () => {
    const disk = smallDisk(64)
    cleanups.push(disk.drop)
    server = await startServer({ place: { dataDir: disk.folder, databaseUrl: undefined, drop: async () => undefined } })
    await survive(server, { begin: () => disk.fill(200_000), end: disk.empty, named: /The disk of the data folder is full/ })
  })

  it.runIf(canMount() && !isDailyRun)(
    'names the full disk if uploads are on another one, and accepts them once there is space',
    async () => {
      const disk = smallDisk(8)
      cleanups.push(disk.drop)
      const running = await startServer({ env: { POSTIL_UPLOAD_DIR: disk.folder } })
      server = running
      const client = createClient(running.url, owner)
      const table = `text\n${`${'word '.repeat(20)}\n`.repeat(5_000)}`
      type Sent = { readonly id: string; readonly detail: string }
      const whole = () => client.post<Sent>('/me/imports/files?name=a.csv', table, { 'content-type': 'application/octet-stream' })
      const parts = (await client.post<Sent>('/me/imports/uploads', { name: 'b.csv', size: table.length })).body
      const part = () =>
        client.put<Sent>(`/me/imports/uploads/${parts.id}?at=0`, table, { 'content-type': 'application/octet-stream' })
      disk.fill(100_000)
      for (const send of [whole, part]) {
        const { status, body } = await send()
        // An upload that announces its size is refused before it is stored. Other uploads are refused when the disk is full.
        const detail = /disk that holds the upload folder (?:is full|has space for \d+)\. Free some space and try again$/
        expect([status, body.detail]).toEqual([503, expect.stringMatching(detail)])
      }
      disk.empty()
      expect((await whole()).status).toBe(201)
    },
  )

  it.runIf(canMount() && !isDailyRun)("reports an upload folder that can't be created or is read-only", async () => {
    const disk = smallDisk(1)
    cleanups.push(disk.drop)
    const running = await startServer({ env: { POSTIL_UPLOAD_DIR: join(disk.folder, 'made', 'later') } })
    server = running
    const client = createClient(running.url, owner)
    const whole = () =>
      client.post<{ detail: string }>('/me/imports/files?name=a.csv', 'text\none\n', {
        'content-type': 'application/octet-stream',
      })
    const parts = () => client.post<{ detail: string }>('/me/imports/uploads', { name: 'b.csv', size: 100 })
    const refusedBy = async (sentence: RegExp) => {
      for (const { status, body } of [await whole(), await parts()])
        expect([status, body.detail]).toEqual([503, expect.stringMatching(sentence)])
    }
    disk.readOnly()
    await refusedBy(/^The server cannot write to the upload folder\. /)
    disk.writable()
    expect([(await whole()).status, (await parts()).status]).toEqual([201, 201])
    disk.readOnly()
    await refusedBy(/^The server cannot write to the upload folder\. /)
  })

  it.runIf(canMount() && !isDailyRun)(
    'reports which disk is full for commands, and for an import what is stored and how to continue',
    async () => {
      const disk = smallDisk(48)
      cleanups.push(disk.drop)
      const place = { dataDir: disk.folder, databaseUrl: undefined, drop: async () => undefined }
      const running = await startServer({ place })
      server = running
      const { dataset } = await seedDataset(running, 2_000)
      const rows = 5_000
      const [table, out] = [join(disk.folder, 'rows.csv'), join(disk.folder, 'out')]
      writeFileSync(table, `text\n${Array.from({ length: rows }, (_, i) => `${i} ${'words to keep '.repeat(20)}\n`).join('')}`)
      disk.fill(100_000)
      for (const args of [
        ['backup', out],
        ['export', dataset.id, '--output', out],
      ])
        expect(await postil(place, args)).toEqual({
          code: 1,
          stdout: '',
          stderr: `The disk that holds ${disk.folder} is full: ${out} was not written.\n`,
        })
      disk.empty()
      disk.fill(2_500_000)
      const stopped = await postil(place, ['import', table, '--dataset', dataset.id])
      expect([stopped.code, stopped.stderr]).toEqual([1, 'The disk of the data folder is full.\n'])
      const [, created] = /: (\d+) records created, 0 updated/.exec(stopped.stdout) ?? []
      expect(Number(created)).toBeGreaterThan(0)
      const [, name = ''] = / run the same command with --name-rows "(.*)"\.\n$/.exec(stopped.stdout) ?? []
      disk.empty()
      expect(await postil(place, ['import', table, '--dataset', dataset.id, '--name-rows', name])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`: ${rows - Number(created)} records created, ${created} updated`),
      })
      const report = await postil(place, ['doctor', '--json'])
      expect([report.code, JSON.parse(report.stdout)]).toMatchObject([0, { ok: true }])
    },
  )

  it.runIf(canMount() && !isDailyRun)('continues an import that lacked disk space once there is space', async () => {
    const disk = smallDisk(48)
    cleanups.push(disk.drop)
    const running = await startServer({ place: { dataDir: disk.folder, databaseUrl: undefined, drop: async () => undefined } })
    server = running
    const client = createClient(running.url, owner)
    const { dataset } = await seedDataset(running, 10)
    const rows = 5_000
    const table = `text\n${Array.from({ length: rows }, (_, i) => `${i} ${'words to keep '.repeat(20)}\n`).join('')}`
    const base = `/datasets/${dataset.id}/imports/files`
    const file = await client.post<{ id: string }>(`${base}?name=a.csv`, table, { 'content-type': 'application/octet-stream' })
    disk.fill(3_000_000)
    const mapping = { fields: [{ source: 'text', target: 'text' }] }
    const job = await client.post<{ id: string }>(`${base}/${file.body.id}/start`, { mapping })
    type State = { readonly status: string; readonly reason: string | null; readonly import: { readonly created: number } }
    const state = async () => (await client.get<State>(`/jobs/${job.body.id}`)).body
    await vi.waitFor(async () => expect((await state()).status).toBe('scheduled'), { timeout: SERVED_MS })
    expect((await state()).reason).toBe('The disk of the data folder is full')
    disk.empty()
    await vi.waitFor(async () => expect((await state()).status).toBe('finished'), { timeout: 60_000 })
    expect(await state()).toMatchObject({ import: { rows, created: rows, updated: 0 } })
  })

  it('survives a disk that refuses writes, and reports it', async () => {
    const place = await newPlace()
    const running = await startServer({ place })
    server = running
    const log = join(place.dataDir, 'postil.db-wal')
    await survive(running, {
      begin: () => limitFiles(running.pid, statSync(log).size),
      end: () => limitFiles(running.pid, null),
      named: /The disk of the data folder (reported an I\/O error|is full)/,
    })
  })

  it.runIf(canMount() && !isDailyRun)(
    'does not start on a read-only folder, says why, and starts once it is writable',
    async () => {
      const place = await newPlace()
      await (await startServer({ place })).stop()
      const readOnly = smallDisk(1)
      cleanups.push(readOnly.drop)
      const folder = join(readOnly.folder, 'data')
      mkdirSync(folder)
      execFileSync('mount', ['--bind', place.dataDir, folder])
      cleanups.push(() => void execFileSync('umount', ['--lazy', folder]))
      execFileSync('mount', ['-o', 'remount,ro,bind', folder])
      const there = { ...place, dataDir: folder }
      const before = readFileSync(join(place.dataDir, 'postil.db'))
      const refused = await startServer({ place: there }).then(
        () => 'started',
        (error: Error) => error.message,
      )
      expect(refused).toMatch(
        /^The server exited with 1 instead of starting:\nThe database file .* cannot be opened: this user cannot write to the data folder.*EROFS/,
      )
      expect(refused).not.toMatch(/\n\s+at /)
      expect(readFileSync(join(place.dataDir, 'postil.db')).equals(before)).toBe(true)
      server = await startServer({ place })
      expect((await createClient(server.url, owner).get('/me')).status).toBe(200)
    },
  )
} else {
  const adminOf = async (place: Place) => {
    const admin = new pg.Client({ connectionString: place.databaseUrl as string })
    // The database may be dropped at the end, while this connection is open.
    admin.on('error', () => undefined)
    await admin.connect()
    cleanups.push(() => admin.end())
    return admin
  }

  it.runIf(canMount())('survives a full database disk and reports it', async () => {
    const place = await newPlace()
    const admin = await adminOf(place)
    const { rows } = await admin.query<{ pid: number; name: string }>('select pg_backend_pid() pid, current_database() name')
    const [about] = rows
    const disk: SmallDisk = smallDisk(96, ownerOf(about?.pid ?? 0))
    cleanups.push(disk.drop)
    await admin.query(`create tablespace "${about?.name}" location '${disk.folder}'`)
    // Registered last, so it runs first: a database must be dropped before its tablespace.
    cleanups.push(() => place.drop().then(() => dropTablespace(about?.name ?? '')))
    await admin.query(`alter database "${about?.name}" set default_tablespace = "${about?.name}"`)
    server = await startServer({ place })
    await survive(server, { begin: () => disk.fill(8192), end: disk.empty, named: /The disk of the database is full/ })
  })

  const dropTablespace = async (name: string) => {
    const client = new pg.Client({ connectionString: process.env.POSTIL_TEST_POSTGRES_URL as string })
    await client.connect()
    await client.query(`drop tablespace if exists "${name}"`)
    await client.end()
  }

  detail('survives a read-only database and reports it', async () => {
    const place = await newPlace()
    const admin = await adminOf(place)
    server = await startServer({ place })
    const setReadOnly = async (value: 'on' | 'off') => {
      await admin.query(`set default_transaction_read_only = off`)
      await admin.query(
        `alter database "${new URL(place.databaseUrl as string).pathname.slice(1)}" set default_transaction_read_only = ${value}`,
      )
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
    }
    await survive(server, {
      begin: () => setReadOnly('on'),
      end: () => setReadOnly('off'),
      named: /The database is read-only at the moment/,
    })
  })
}
