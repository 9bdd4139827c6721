/**
 * Runs in a thread of a server under test. All code comes from the build, including operations and body parsers that a test
 * declares.
 */
import { enableCompileCache } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { builtName, sources } from './built-name.mjs'

const built = (name) => pathToFileURL(join(process.env.POSTIL_TEST_THREADS, `${name}.js`)).href

const run = async () => {
  const key = workerData.operations === undefined ? 'module' : 'operations'
  const declared = workerData[key]
  // The thread must load the declaring module from the same build as its own code, because the module and the thread's code share
  // the register of operations.
  if (declared.endsWith('.ts')) workerData[key] = built(builtName(relative(sources, fileURLToPath(declared))))
  await import(built(key === 'operations' ? 'db-sqlite-worker' : 'http-bodies-body-worker'))
}

/**
 * Serves one store after another. For each store, `reused-worker.mjs` sends a message with the port and the setup of the store.
 */
const serveStores = () => {
  parentPort?.on('message', async ({ port, setup }) => {
    if (setup.compileCache !== undefined) enableCompileCache(setup.compileCache)
    const { serve } = await import(built(builtName('platform/db/sqlite/serve.ts')))
    await serve(port, setup)
  })
}

if (workerData === null) serveStores()
else await run()
