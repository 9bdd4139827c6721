/**
 * In tests, server threads run built code, as with `npm start`. Without a build, each thread would have to strip the types from
 * every module. A server would then take twice as long to start, and tests start hundreds of servers.
 */
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildServer } from './build-server.mjs'
import { cache } from './lib/run.mjs'
import { builtName, sources } from './test/built-name.mjs'

const serve = 'platform/db/sqlite/serve.ts'

/**
 * Finds the modules to which tests refer as `new URL(…, import.meta.url)`. If this is the value of a property `module` or
 * `bodyModule`, the module declares body parsers. All other modules declare operations. Returns the paths of the modules, keyed
 * by the names under which `thread.mjs` finds the built modules.
 */
const declaredByTests = () => {
  const store = {}
  const bodies = {}
  for (const file of globSync('**/*.ts', { cwd: sources })) {
    const text = readFileSync(join(sources, file), 'utf8')
    for (const [, key, path] of text.matchAll(/(odule: )?new URL\(\s*'(\.\.?\/[^']+\.ts)',\s*import\.meta\.url/g)) {
      const module = join(dirname(file), path)
      const entries = key === undefined ? store : bodies
      entries[builtName(module)] = module
    }
  }
  // Loaded by threads that serve several stores, one after the other.
  store[builtName(serve)] = serve
  return { store, bodies }
}

export const setup = async () => {
  // A folder for this run only, because another run may build at the same time.
  const folder = join(cache, 'test-threads', String(process.pid))
  process.env.POSTIL_TEST_THREADS = folder
  mkdirSync(folder, { recursive: true })
  await buildServer(folder, declaredByTests())
  return () => rmSync(folder, { recursive: true, force: true })
}

const source = join(sources, 'platform/entry.ts')
/** The modules whose threads are reused. */
const startThreads = ['platform/db/sqlite/thread.ts', 'platform/http/bodies/body-pool.ts'].map((path) => join(sources, path))
const thread = join(import.meta.dirname, 'test', 'thread.mjs')

/**
 * A plugin for the test process. Replaces the URLs of source modules with those of built modules, and new threads with reused
 * ones.
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
  transform: (code, id) =>
    startThreads.includes(id)
      ? { code: code.replace('node:worker_threads', join(import.meta.dirname, 'test', 'reused-worker.mjs')), map: null }
      : undefined,
})
