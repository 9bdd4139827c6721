import { afterEach, beforeEach } from 'vitest'
import { emptyPlace, type Place, type RunningServer, type ServerOptions, startServer } from './server.ts'

/** For test files that kill servers. Each test gets its own server with empty data. The data is deleted after the test. */
export const serverPerTest = (options: Pick<ServerOptions, 'env'> = {}) => {
  let place: Place
  let server: RunningServer
  beforeEach(async () => {
    place = await emptyPlace()
    server = await startServer({ ...options, place })
  })
  afterEach(async () => {
    await server.kill()
    await place.drop()
  })
  return {
    get place(): Place {
      return place
    },
    /** The server that was started last. */
    get server(): RunningServer {
      return server
    },
    /** Starts a new server with the data of the previous server, which must have been killed. */
    restart: async (): Promise<void> => {
      server = await startServer({ ...options, place })
    },
  }
}
