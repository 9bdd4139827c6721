import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '@postil/contract/wire/errors.ts'
import { collectYoung } from '../../threads/collect.ts'
import { bodyParsersOf, StagedBody } from './body-parsers.ts'
import type { BodyModule, PoolAnswer, PoolRequest, PoolSetup } from './body-pool.ts'

const port = parentPort
if (port === null) throw new Error('this module must run in a worker thread')

const { module, limits } = workerData as PoolSetup
const { endpointsWith } = (await import(module)) as BodyModule
const parsers = bodyParsersOf(endpointsWith(limits))

function* answers({ id, name, bytes }: PoolRequest): Generator<PoolAnswer> {
  try {
    const parser = parsers.get(name)
    if (parser === undefined) throw new Error(`body parser ${name} is not registered in this thread`)
    let made = parser.parse(bytes, limits)
    while (made instanceof StagedBody) {
      yield { id, ok: true, value: made.first, hasMore: true }
      made = made.rest()
    }
    yield { id, ok: true, value: made }
  } catch (error) {
    if (error instanceof Problem) yield { id, ok: false, problem: error.data }
    else {
      const { message, stack } = error as Error
      yield { id, ok: false, fault: { message, ...(stack && { stack }) } }
    }
  }
}

port.on('message', (request: PoolRequest) => {
  for (const answer of answers(request)) port.postMessage(answer)
  collectYoung()
})
