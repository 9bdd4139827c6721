import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { revisionsOn } from './revisions.ts'
import { unusable } from './unusable.ts'

const SAYS = 'The PostgreSQL database cannot be used: '

describe('a database that cannot be used is told of', () => {
  it('with each address of a name that has several', async () => {
    const both = [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ]
    const socket = connect({ host: 'localhost', port: 1, lookup: (_, __, found) => found(null, both) })
    const [error] = await once(socket, 'error')
    expect(unusable(error).message).toBe(`${SAYS}connect ECONNREFUSED 127.0.0.1:1, connect ECONNREFUSED 127.0.0.2:1.`)
  })

  it('with what makes its certificate trusted', () => {
    const error = Object.assign(new Error('self-signed certificate'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' })
    expect(unusable(error).message).toContain('sslrootcert=FILE')
  })

  it('also where something else listens, which says nothing', async () => {
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
