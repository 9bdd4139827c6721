// Imported as a namespace. Older Node versions don't have all exports of this module, and importing a missing export by name
// fails.
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import * as v8 from 'node:v8'

const OLDEST = 24

if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  process.stderr.write(`Postil needs Node.js ${OLDEST} or newer, but this is Node.js ${process.versions.node}.\n`)
  process.exitCode = 1
} else {
  // The cache is next to the program and not in the shared temporary folder, where other users could plant code.
  nodeModule.enableCompileCache(join(import.meta.dirname, '..', '.cache', 'compiled'))
  // Without this flag, each thread's heap grows to several times the size of its live data before garbage is collected.
  v8.setFlagsFromString('--heap-growing-percent=60')
  // `npm start` passes a young-generation size that is meant only for this thread. Without this line, that size would override
  // the other threads' limits.
  v8.setFlagsFromString('--max-semi-space-size=0')
  // Many objects that a request allocates survive until its response is sent, and become garbage afterwards. If V8 pretenured
  // such objects to the old generation, they would stay there until a full collection.
  v8.setFlagsFromString('--no-allocation-site-pretenuring')
  // Lets idle threads collect garbage before their next work.
  v8.setFlagsFromString('--expose-gc')
  // A reader that closes early (`| head`) is not an error. Code that depends on a write checks that write.
  process.stdout.on('error', () => undefined)
  process.stderr.on('error', () => undefined)
  const { runCli } = await import('./cli/run.ts')
  process.exitCode = await runCli(process.argv.slice(2))
}
