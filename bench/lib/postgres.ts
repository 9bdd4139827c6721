import { totalmem } from 'node:os'
import { startPostgres } from '../../scripts/postgres.mjs'

const megabytes = Math.floor(totalmem() / 4 / 2 ** 20)

/**
 * Starts a PostgreSQL server that is configured as its manual recommends: default durability, and a quarter of the machine's
 * memory as shared buffers.
 */
export const startMeasuredPostgres = (name: string) =>
  startPostgres({ name: `${name}-${process.pid}`, durable: true, more: { shared_buffers: `${megabytes}MB` } })
