// NOTE: as a namespace, because an older Node refuses a module that imports a name it does not have
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import * as v8 from 'node:v8'

const OLDEST = 24

if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  process.stderr.write(`Postil needs Node.js ${OLDEST} or newer; this is ${process.versions.node}.\n`)
  process.exitCode = 1
} else {
  // NOTE: beside the program and not in the shared temporary folder, where others could leave code for us to run
  nodeModule.enableCompileCache(join(import.meta.dirname, '..', '.cache', 'compiled'))
  // NOTE: left alone, the heap of each thread grows to several times what lives in it before anybody looks
  v8.setFlagsFromString('--heap-growing-percent=60')
  // NOTE: what `npm start` says of short-lived memory is meant for this thread; it would overrule the bounds that the other threads have
  v8.setFlagsFromString('--max-semi-space-size=0')
  // NOTE: what a request makes is gone with its answer, also where much of it lives until then: made among what lasts, it would wait for the heap to be cleared
  v8.setFlagsFromString('--no-allocation-site-pretenuring')
  // NOTE: threads that have answered tidy up before the next piece of work
  v8.setFlagsFromString('--expose-gc')
  // NOTE: a reader that has seen enough (`| head`) is no fault; what has to know of it asks each write
  process.stdout.on('error', () => undefined)
  process.stderr.on('error', () => undefined)
  const { runCli } = await import('./cli/run.ts')
  process.exitCode = await runCli(process.argv.slice(2))
}
