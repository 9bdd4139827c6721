/**
 * The threads of servers under test run what is built, as those of `npm start` do: a thread that strips the types of every module
 * again takes as long as all else that a server does to start, and tests start hundreds.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildServer } from './build-server.mjs'
import { cache, root } from './lib/run.mjs'

export const setup = async () => {
  const built = join(root, 'apps/server/dist')
  const own = join(cache, 'test-threads', String(process.pid))
  process.env.POSTIL_TEST_THREADS = process.env.POSTIL_TEST_BUILT ? built : own
  if (process.env.POSTIL_TEST_BUILT) return undefined
  // NOTE: of this run alone, because another one may build meanwhile
  mkdirSync(own, { recursive: true })
  await buildServer(own)
  return () => rmSync(own, { recursive: true, force: true })
}

const source = join(root, 'apps/server/src/platform/entry.ts')
const thread = join(import.meta.dirname, 'test', 'thread.mjs')

/**
 * Puts the built entries in the place of the sources' in the process of the tests.
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
