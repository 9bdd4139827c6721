import { totalmem } from 'node:os'
import { startPostgres } from '../../scripts/postgres.mjs'

const megabytes = Math.floor(totalmem() / 4 / 2 ** 20)

/**
 * A PostgreSQL as somebody would run it who has read its manual: with its default durability, and a quarter of the machine's memory for
 * what is read often.
 */
export const startMeasuredPostgres = (name: string) =>
  startPostgres({ name: `${name}-${process.pid}`, durable: true, more: { shared_buffers: `${megabytes}MB` } })
