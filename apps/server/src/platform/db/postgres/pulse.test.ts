import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isConnectionFault } from './connection-fault.ts'
import { createPool } from './pool.ts'
import { StatementNames } from './statement-names.ts'

// Only PostgreSQL has a server that can freeze.
describe.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')('a database server that', () => {
  const to = new URL(process.env['POSTIL_TEST_POSTGRES_URL'] ?? 'postgresql://127.0.0.1')
  const all = new Set<Socket>()
  let isFrozen = false
  /** A proxy in front of the database. While frozen, it accepts connections but forwards nothing. */
  const between = createServer((client) => {
    const server = connect(Number(to.port), to.hostname)
    for (const socket of [client, server]) {
      all.add(socket)
      socket.on('error', () => undefined).on('close', () => all.delete(socket))
      if (isFrozen) socket.pause()
    }
    client.on('data', (bytes) => server.write(bytes)).on('close', () => server.destroy())
    server.on('data', (bytes) => client.write(bytes)).on('close', () => client.destroy())
    if (isFrozen) for (const socket of [client, server]) socket.pause()
  })
  const freeze = (on: boolean) => {
    isFrozen = on
    for (const socket of all) on ? socket.pause() : socket.resume()
  }
  const url = new URL(to)
  beforeAll(async () => {
    await new Promise<void>((listening) => between.listen(0, '127.0.0.1', listening))
    url.port = String((between.address() as { port: number }).port)
    url.hostname = '127.0.0.1'
  })
  afterAll(() => {
    for (const socket of all) socket.destroy()
    between.close()
  })
  const poolWith = (connectMs: number, by: { readonly url?: string; readonly directUrl?: string } = {}) =>
    createPool(by.url ?? url.href, { ...by, size: 2, connectMs, names: new StatementNames(true) })

  it('freezes fails waiting queries, and is used again when it recovers', async () => {
    const pool = poolWith(1_000)
    await pool.query('select 1', [])
    freeze(true)
    const asked = await pool.query('select 2', []).catch((error: unknown) => error)
    expect(isConnectionFault(asked)).toBe(true)
    freeze(false)
    expect((await pool.query('select 3 as n', [])).rows).toEqual([{ n: 3 }])
    await pool.end()
  })

  it('freezes behind a pooler that still accepts connections also fails waiting queries', async () => {
    const sockets = new Set<Socket>()
    const pooler = createServer((client) => {
      const server = connect(Number(to.port), to.hostname)
      for (const socket of [client, server]) sockets.add(socket.on('error', () => undefined))
      client.pipe(server).on('close', () => client.destroy())
      server.pipe(client).on('close', () => server.destroy())
    })
    await new Promise<void>((listening) => pooler.listen(0, '127.0.0.1', listening))
    const through = new URL(url)
    through.port = String((pooler.address() as { port: number }).port)
    const pool = poolWith(1_000, { url: through.href, directUrl: url.href })
    await pool.query('select 1', [])
    freeze(true)
    for (const socket of sockets) socket.unpipe().pause()
    const asked = await pool.query('select 2', []).catch((error: unknown) => error)
    expect(isConnectionFault(asked)).toBe(true)
    freeze(false)
    expect((await pool.query('select 3 as n', [])).rows).toEqual([{ n: 3 }])
    await pool.end()
    for (const socket of sockets) socket.destroy()
    pooler.close()
  })

  it('takes long for a statement is waited for', async () => {
    const pool = poolWith(200)
    expect((await pool.query('select 1 as n from pg_sleep(1.5)', [])).rows).toEqual([{ n: 1 }])
    await pool.end()
  })
})
