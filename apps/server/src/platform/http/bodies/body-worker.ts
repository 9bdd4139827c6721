import { enableCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'
import type { PoolSetup } from './body-pool.ts'

const { compileCache } = workerData as PoolSetup
// A thread has no compile cache by default and would compile everything at each start.
if (compileCache !== undefined) enableCompileCache(compileCache)
await import('./body-serve.ts')
