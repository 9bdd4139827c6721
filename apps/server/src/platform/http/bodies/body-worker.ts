import { enableCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'
import type { PoolSetup } from './body-pool.ts'

const { compileCache } = workerData as PoolSetup
// NOTE: a thread has no compile cache of its own accord, and without one it compiles everything again at each start
if (compileCache !== undefined) enableCompileCache(compileCache)
await import('./body-serve.ts')
