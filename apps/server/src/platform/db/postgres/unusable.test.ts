import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { migratedPlace } from '@postil/testkit/store.ts'
import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { openPostgres } from './open.ts'
import { migrateOn, revisionsOn } from './revisions.ts'
import { unusable } from './unusable.ts'

const SAYS = 'The PostgreSQL database cannot be used: '

describe('an unusable database is reported', () => {
  it('with each address of a name that has several', async () => {
    const both = [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ]
    const socket = connect({ host: 'localhost', port: 1, lookup: (_, __, found) => found(null, both) })
    const [error] = await once(socket, 'error')
    expect(unusable(error).message).toBe(`${SAYS}connect ECONNREFUSED 127.0.0.1:1, connect ECONNREFUSED 127.0.0.2:1.`)
  })

  it('with the setting that makes its certificate trusted', () => {
    const error = Object.assign(new Error('self-signed certificate'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' })
    expect(unusable(error).message).toContain('sslrootcert=FILE')
  })

  it.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')(
    'with a remedy if it is read-only or owned by another user',
    async () => {
      const place = await migratedPlace()
      const as = (setting: string): string => {
        const url = new URL(place.url ?? '')
        url.searchParams.set('options', `-c ${setting}`)
        return url.href
      }
      await expect(migrateOn(as('default_transaction_read_only=on'))).rejects.toThrow(
        /read-only transaction.*POSTIL_DATABASE_READ_URL\.$/,
      )
      await expect(revisionsOn(as('role=pg_monitor'))).rejects.toThrow(/permission denied for .*owner of the database/)
      await place.drop()
    },
  )

  /** Creates a database user with a connection limit. */
  const limitedTo = async (connections: number) => {
    const place = await migratedPlace()
    const admin = new pg.Client({ connectionString: place.url })
    await admin.connect()
    const role = `limited_${randomBytes(6).toString('hex')}`
    await admin.query(`create role ${role} login password 'secret' connection limit ${connections} in role current_user`)
    const url = new URL(place.url ?? '')
    url.username = role
    url.password = 'secret'
    const drop = async () => {
      await admin.query(`drop role ${role}`)
      await admin.end()
      await place.drop()
    }
    return { url, drop }
  }

  it.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')('with the limit if it accepts no more connections', async () => {
    const { url, drop } = await limitedTo(1)
    const store = await openPostgres({ url: url.href, poolSize: 3 })
    const only = new pg.Pool({ connectionString: url.href, max: 1 })
    try {
      // The migration's connection may take a moment to close.
      const client = await vi.waitFor(() => only.connect())
      await expect(migrateOn(url.href)).rejects.toThrow(/too many connections for role .*\. Raise the connection limit/)
      await expect(store.health()).rejects.toThrow('The database has reached the connection limit of the server or of its user')
      client.release()
    } finally {
      await Promise.all([store.close(), only.end()])
      await drop()
    }
  })

  it.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')(
    'never when it accepts fewer connections than the pool size: requests wait for a free one instead',
    async () => {
      const { url, drop } = await limitedTo(2)
      const store = await openPostgres({ url: url.href, poolSize: 10 })
      try {
        // The migration's connection may take a moment to close.
        await vi.waitFor(() => store.health())
        for (let round = 0; round < 3; round += 1) {
          const asked = Array.from({ length: 50 }, () => store.health())
          expect((await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected')).toEqual([])
        }
      } finally {
        await store.close()
        await drop()
      }
    },
  )

  it('when something else listens there and stays silent', async () => {
    const taken: Socket[] = []
    const silent = createServer((socket) => taken.push(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    await expect(revisionsOn(`postgresql://nobody@127.0.0.1:${port}/none`)).rejects.toThrow(
      `${SAYS}Connection terminated due to connection timeout`,
    )
    for (const socket of taken) socket.destroy()
    silent.close()
  })
})
