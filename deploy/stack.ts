/**
 * `npm run stack`: several processes on one PostgreSQL, with nginx in front of them and PgBouncer behind them, on this machine.
 *
 * POSTIL_DATABASE_URL=… POSTIL_SECRET=… npm run stack -- [--processes 4] [--port 8080] [--without-pooler]
 *
 * Runs until it receives SIGINT or SIGTERM, and restarts processes that die. Uses the files of `nginx/` and `pgbouncer/` with
 * its own ports.
 */
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runMain, UserError } from '../scripts/lib/run.mjs'
import { prepare } from '../scripts/prepare.mjs'
import { startStack } from './lib/stack.ts'

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      processes: { type: 'string', default: '4' },
      port: { type: 'string', default: '8080' },
      'without-pooler': { type: 'boolean', default: false },
    },
  })
  const { POSTIL_DATABASE_URL: databaseUrl, POSTIL_SECRET: secret, POSTIL_DATA_DIR } = process.env
  if (!databaseUrl || !secret)
    throw new UserError('Set POSTIL_DATABASE_URL and POSTIL_SECRET. The processes share a PostgreSQL database.')
  const processes = Number(values.processes)
  const port = Number(values.port)
  if (!Number.isInteger(processes) || processes < 1) throw new UserError('--processes must be a whole number greater than 0.')
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new UserError('--port must be a port number from 1 to 65535.')
  await prepare()
  const dataDir = POSTIL_DATA_DIR ?? join(homedir(), '.postil')
  mkdirSync(dataDir, { recursive: true })
  const onOutput = (text: string) => void process.stdout.write(text)
  const pooler = !values['without-pooler']
  const stack = await startStack({ processes, port, databaseUrl, pooler, env: process.env, dataDir, onOutput })
  process.stdout.write(`${processes} processes are ready at ${stack.url}\n`)
  await new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done())
  })
  await stack.stop()
}

await runMain(main)
