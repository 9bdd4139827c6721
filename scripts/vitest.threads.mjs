/**
 * Threads of servers under test run the build, as with `npm start`. A thread that strips the types of every module doubles the
 * time that a server takes to start, and tests start hundreds of servers.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildServer } from './build-server.mjs'
import { cache, root } from './lib/run.mjs'

export const setup = async () => {
  const built = join(root, 'apps/server/dist')
  const ownBuild = join(cache, 'test-threads', String(process.pid))
  process.env.POSTIL_TEST_THREADS = process.env.POSTIL_TEST_BUILT ? built : ownBuild
  if (process.env.POSTIL_TEST_BUILT) return undefined
  // A folder for this run only, because another run may build at the same time.
  mkdirSync(ownBuild, { recursive: true })
  await buildServer(ownBuild)
  return () => rmSync(ownBuild, { recursive: true, force: true })
}

const source = join(root, 'apps/server/src/platform/entry.ts')
const thread = join(import.meta.dirname, 'test', 'thread.mjs')

/**
 * Replaces the source entries with the built ones in the test process.
 * @returns {import('vite').Plugin}
 */
export const builtThreads = () => ({
  name: 'built-threads',
  enforce: 'pre',
  load: (id) =>
    id === source
      ? `import { pathToFileURL } from 'node:url'
        export const entryUrl = (path) =>
          /(^|\\/)(body-)?worker$/.test(path)
            ? pathToFileURL(${JSON.stringify(thread)})
            : pathToFileURL(process.env.POSTIL_TEST_THREADS + '/' + path.replace('../', '').replaceAll('/', '-') + '.js')`
      : undefined,
})
