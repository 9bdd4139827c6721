/**
 * Preloaded into a server: limits the memory of its database threads to the value in the environment, so that one of them
 * really runs out of memory.
 */
import { syncBuiltinESMExports } from 'node:module'
import workers, { isMainThread } from 'node:worker_threads'

const maxOldGenerationSizeMb = Number(process.env.POSTIL_TEST_THREAD_MB)

if (isMainThread && maxOldGenerationSizeMb > 0) {
  const { Worker } = workers
  workers.Worker = class extends Worker {
    constructor(file, options) {
      const isStore = options?.name?.startsWith('store ')
      super(file, isStore ? { ...options, resourceLimits: { ...options.resourceLimits, maxOldGenerationSizeMb } } : options)
    }
  }
  syncBuiltinESMExports()
}
