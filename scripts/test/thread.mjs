/**
 * A thread of a server under test. It runs from source if a test declares its own operations or parsers, otherwise from the
 * build.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { workerData } from 'node:worker_threads'

const { operations, module } = workerData
const name = operations === undefined ? 'http/bodies/body-worker' : 'db/sqlite/worker'
const isDeclaredByTest = (operations ?? module).endsWith('.ts')
const source = join(import.meta.dirname, '../../apps/server/src/platform', `${name}.ts`)
const built = join(process.env.POSTIL_TEST_THREADS, `${name.replaceAll('/', '-')}.js`)

await import(pathToFileURL(isDeclaredByTest ? source : built).href)
