import { enableCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'
import type { WorkerSetup } from './protocol.ts'

const { compileCache } = workerData as WorkerSetup
// A thread has no compile cache by default and would compile everything at each start.
if (compileCache !== undefined) enableCompileCache(compileCache)
await import('./serve.ts')
