/**
 * Preloaded into a server. Limits the memory of the threads that read the database to the value in the environment, so that one
 * of these threads really runs out of memory.
 */
import { syncBuiltinESMExports } from 'node:module'
import workers, { isMainThread } from 'node:worker_threads'

const maxOldGenerationSizeMb = Number(process.env.POSTIL_TEST_THREAD_MB)

if (isMainThread && maxOldGenerationSizeMb > 0) {
  const { Worker } = workers
  workers.Worker = class extends Worker {
    constructor(file, options) {
      const isReader = options?.name === 'store reader'
      super(file, isReader ? { ...options, resourceLimits: { ...options.resourceLimits, maxOldGenerationSizeMb } } : options)
    }
  }
  syncBuiltinESMExports()
}
