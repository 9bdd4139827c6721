import { expect, it } from 'vitest'
import { isConnectionFault } from './connection-fault.ts'

const fault = (code: string | undefined, message: string) => Object.assign(new Error(message), { code })

it.each([
  [fault('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432'), true],
  [fault('08006', 'connection to the remote node postgres@db1:5432 failed'), true],
  [fault('57P01', 'terminating connection due to administrator command'), true],
  [fault('XX000', 'postmaster was shut down, exiting'), true],
  [fault('XX000', 'could not commit transaction for shard 102008 on at least one active node'), true],
  [fault('XX000', 'cache lookup failed for relation 1'), false],
  [fault('23505', 'duplicate key value violates unique constraint'), false],
  [fault(undefined, 'Connection terminated unexpectedly'), true],
  [fault(undefined, 'unexpected end of JSON input'), false],
])('recognizes errors of connections: %s', (error, isOne) => {
  expect(isConnectionFault(error)).toBe(isOne)
})
