/**
 * Provides a PostgreSQL server for tests: the configured server if there is one, otherwise a server that is started for this run.
 */
import { startPostgres } from './postgres.mjs'

export const setup = async () => {
  if (process.env.POSTIL_TEST_POSTGRES_URL) return undefined
  const { url, stop } = await startPostgres({ name: `vitest-${process.pid}` })
  process.env.POSTIL_TEST_POSTGRES_URL = url
  return stop
}
