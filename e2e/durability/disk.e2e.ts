import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, type Response } from '@postil/testkit/client.ts'
import pg from 'pg'
import { afterEach, expect, it, vi } from 'vitest'
import { postil } from '#harness/cli.ts'
import { emptyPlace, type Place, type RunningServer, startServer, testEngine } from '#harness/server.ts'
import { compare, confirmedTo, makeDataset, makeWriters, owner, repeatOn, workOn } from './given.ts'
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

/** Records that are larger than what the fault leaves room for. */
const writeMuch = (to: RunningServer, dataset: string): Promise<Response<{ detail: string }>> =>
  createClient(to.url, owner).post(`/datasets/${dataset}/records/bulk`, {
    items: Array.from({ length: 100 }, (_, i) => ({ fields: { text: `${i} ${'words to keep '.repeat(2000)}` } })),
  })

type Fault = {
  readonly begin: () => Promise<void> | void
  readonly end: () => Promise<void> | void
  /** What clients are told and the log has. */
  readonly named: RegExp
}

/**
 * People answer, the fault comes, they go on trying, it goes: whatever was confirmed is there, requests were refused with the cause
 * meanwhile, and everything works again without anybody's doing.
 */
const outlive = async (running: RunningServer, { begin, end, named }: Fault): Promise<void> => {
  const { dataset, writers } = await makeWriters(running)
  const during = async (work: () => Promise<void>) => {
    const stop = new AbortController()
    const working = workOn(running, writers, stop.signal)
    try {
      await work()
    } finally {
      stop.abort()
      await working
    }
  }
  await during(() => vi.waitFor(() => expect(confirmedTo(writers)).toBeGreaterThan(30), { timeout: SERVED_MS }))
  await during(async () => {
    await begin()
    const refused = await vi.waitFor(
      async () => {
        const answer = await writeMuch(running, dataset.id)
        expect(answer.status).toBe(503)
        return answer
      },
      { timeout: SERVED_MS },
    )
    expect(refused.body.detail).toMatch(named)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await pause(500)
    // NOTE: what only reads goes on
    expect((await createClient(running.url, owner).get(`/datasets/${dataset.id}/progress`)).status).toBe(200)
    await end()
    await vi.waitFor(async () => expect((await writeMuch(running, dataset.id)).status).toBe(201), { timeout: SERVED_MS })
  })
  expect(running.printed()).toMatch(named)
  expect(running.printed()).not.toMatch(/uncaught|unhandled/i)
  await settled(running, dataset.id, writers)
}

const settled = async (running: RunningServer, dataset: string, writers: readonly Writer[]) => {
  await repeatOn(running, writers)
  await createClient(running.url, owner).get(`/datasets/${dataset}/records?limit=1`)
  await compare(running, dataset, writers)
  const report = await postil(running.place, ['doctor', '--json'])
  expect([report.code, JSON.parse(report.stdout)]).toMatchObject([0, { ok: true }])
}

if (testEngine() === 'sqlite') {
  it.runIf(canMount())('outlives a full disk, and says so', async () => {
    const disk = smallDisk(64)
    cleanups.push(disk.drop)
    server = await startServer({ place: { dataDir: disk.folder, databaseUrl: undefined, drop: async () => undefined } })
    await outlive(server, { begin: () => disk.fill(200_000), end: disk.empty, named: /The disk of the data folder is full/ })
  })

  it.runIf(canMount())(
    'says which disk is full where uploads lie on another one, and takes them when there is room',
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
        expect([status, body.detail]).toEqual([503, 'The disk of the folder for uploads is full; try again when there is room'])
      }
      disk.empty()
      expect((await whole()).status).toBe(201)
    },
  )

  it.runIf(canMount())('says so where the folder for uploads cannot be made, or can only be read', async () => {
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
    await refusedBy(/^The server may not write to the folder for uploads; /)
    disk.writable()
    expect([(await whole()).status, (await parts()).status]).toEqual([201, 201])
    disk.readOnly()
    await refusedBy(/^The server may not write to the folder for uploads; /)
  })

  it.runIf(canMount())(
    'says of commands that find no room which disk is full, and of an import what is stored and how it goes on',
    async () => {
      const disk = smallDisk(48)
      cleanups.push(disk.drop)
      const place = { dataDir: disk.folder, databaseUrl: undefined, drop: async () => undefined }
      const running = await startServer({ place })
      server = running
      const { dataset } = await makeDataset(running, 2_000)
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
          stderr: `The disk of ${disk.folder} is full: ${out} was not written.\n`,
        })
      disk.empty()
      disk.fill(2_500_000)
      const stopped = await postil(place, ['import', table, '--dataset', dataset.id])
      expect([stopped.code, stopped.stderr]).toEqual([1, 'The disk of the data folder is full.\n'])
      const [, created] = /read: (\d+) records created, 0 updated/.exec(stopped.stdout) ?? []
      expect(Number(created)).toBeGreaterThan(0)
      const [, name = ''] =
        /What was read is stored\. The same command with --name-rows "(.*)" goes on\.\n$/.exec(stopped.stdout) ?? []
      disk.empty()
      expect(await postil(place, ['import', table, '--dataset', dataset.id, '--name-rows', name])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`: ${rows - Number(created)} records created, ${created} updated`),
      })
      const report = await postil(place, ['doctor', '--json'])
      expect([report.code, JSON.parse(report.stdout)]).toMatchObject([0, { ok: true }])
    },
  )

  it.runIf(canMount())('goes on with an import for which there was no room, once there is', async () => {
    const disk = smallDisk(48)
    cleanups.push(disk.drop)
    const running = await startServer({ place: { dataDir: disk.folder, databaseUrl: undefined, drop: async () => undefined } })
    server = running
    const client = createClient(running.url, owner)
    const { dataset } = await makeDataset(running, 10)
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

  it('outlives a disk that refuses what is written, and says so', async () => {
    const place = await newPlace()
    const running = await startServer({ place })
    server = running
    const log = join(place.dataDir, 'postil.db-wal')
    await outlive(running, {
      begin: () => limitFiles(running.pid, statSync(log).size),
      end: () => limitFiles(running.pid, null),
      named: /The disk of the data folder (refuses to be read or written|is full)/,
    })
  })

  it.runIf(canMount())(
    'does not start on a folder that can only be read, says why, and starts when it can be written',
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
        /^The server ended with 1 instead of starting:\nThe database file .* cannot be opened: this user can only read the data folder.*EROFS/,
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
    // NOTE: the database may be dropped under it at the end
    admin.on('error', () => undefined)
    await admin.connect()
    cleanups.push(() => admin.end())
    return admin
  }

  it.runIf(canMount())('outlives a full disk of the database, and says so', async () => {
    const place = await newPlace()
    const admin = await adminOf(place)
    const { rows } = await admin.query<{ pid: number; name: string }>('select pg_backend_pid() pid, current_database() name')
    const [about] = rows
    const disk: SmallDisk = smallDisk(96, ownerOf(about?.pid ?? 0))
    cleanups.push(disk.drop)
    await admin.query(`create tablespace "${about?.name}" location '${disk.folder}'`)
    // NOTE: registered last, so it goes first: a tablespace cannot go before the database in it
    cleanups.push(() => place.drop().then(() => dropTablespace(about?.name ?? '')))
    await admin.query(`alter database "${about?.name}" set default_tablespace = "${about?.name}"`)
    server = await startServer({ place })
    await outlive(server, { begin: () => disk.fill(8192), end: disk.empty, named: /The disk of the database is full/ })
  })

  const dropTablespace = async (name: string) => {
    const client = new pg.Client({ connectionString: process.env.POSTIL_TEST_POSTGRES_URL as string })
    await client.connect()
    await client.query(`drop tablespace if exists "${name}"`)
    await client.end()
  }

  it('outlives a database that can only be read, and says so', async () => {
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
    await outlive(server, {
      begin: () => setReadOnly('on'),
      end: () => setReadOnly('off'),
      named: /The database can only be read at the moment/,
    })
  })
}
