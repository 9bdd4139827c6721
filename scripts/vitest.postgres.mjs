/** Provides a server for the tests of the PostgreSQL projects: the configured one, or one for the duration of the run. */
import { startPostgres } from './postgres.mjs'

export const setup = async () => {
  if (process.env.POSTIL_TEST_POSTGRES_URL) return undefined
  const { url, stop } = await startPostgres({ name: `vitest-${process.pid}` })
  process.env.POSTIL_TEST_POSTGRES_URL = url
  return stop
}
