import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '@postil/contract/errors.ts'
import { bodyParsersOf } from './body-parsers.ts'
import type { BodyModule, PoolAnswer, PoolRequest, PoolSetup } from './body-pool.ts'

const port = parentPort
if (port === null) throw new Error('runs as a worker thread only')

const { module, limits } = workerData as PoolSetup
const { endpointsWith } = (await import(module)) as BodyModule
const parsers = bodyParsersOf(endpointsWith(limits))

const answer = ({ id, name, bytes }: PoolRequest): PoolAnswer => {
  try {
    const parser = parsers.get(name)
    if (parser === undefined) throw new Error(`body parser ${name} is not declared in this thread`)
    return { id, ok: true, value: parser.parse(bytes, limits) }
  } catch (error) {
    if (error instanceof Problem) return { id, ok: false, problem: error.data }
    const { message, stack } = error as Error
    return { id, ok: false, fault: { message, ...(stack && { stack }) } }
  }
}

port.on('message', (request: PoolRequest) => port.postMessage(answer(request)))
