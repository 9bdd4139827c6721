import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { WorkerSetup } from './protocol.ts'

const setup = workerData as WorkerSetup
if (parentPort === null) throw new Error('this module must run in a worker thread')
// A thread has no compile cache by default and would compile everything at each start.
if (setup.compileCache !== undefined) enableCompileCache(setup.compileCache)
const { serve } = await import('./serve.ts')
await serve(parentPort, setup)
