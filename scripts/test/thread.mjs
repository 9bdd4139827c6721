/** A thread of a server under test: from source where a test has declared operations or parsers of its own, otherwise as it is built. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { workerData } from 'node:worker_threads'

const { operations, module } = workerData
const name = operations === undefined ? 'http/bodies/body-worker' : 'db/sqlite/worker'
const isDeclaredByTest = (operations ?? module).endsWith('.ts')
const source = join(import.meta.dirname, '../../apps/server/src/platform', `${name}.ts`)
const built = join(process.env.POSTIL_TEST_THREADS, `${name.replaceAll('/', '-')}.js`)

await import(pathToFileURL(isDeclaredByTest ? source : built).href)
