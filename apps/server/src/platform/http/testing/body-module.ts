import { createUser } from '@postil/contract/people/users.ts'
import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import { bodyParser, StagedBody } from '../bodies/body-parsers.ts'
import { echoed } from './echo.ts'

/** For tests of the body pool's thread: returns the limits, or misbehaves. */
export const oddParser = bodyParser('testing.odd', (bytes, limits): unknown => {
  const text = Buffer.from(bytes).toString('utf8').trim()
  if (text === 'exit') process.exit(1)
  if (text === 'fault') throw new Error('a fault of ours')
  return { limits, length: bytes.length }
})

/** Produces a body in two steps. The second step may fail. */
export const steppingParser = bodyParser('testing.stepping', (bytes) => {
  const text = Buffer.from(bytes).toString('utf8')
  return new StagedBody(text.length, (): string => {
    if (text === 'fault') throw new Error('a fault of ours')
    if (text === 'exit') process.exit(1)
    return text.toUpperCase()
  })
})

export const endpointsWith = (_limits: Limits): readonly AnyEndpoint[] => [echoed, createUser]
