import { endpoints } from '@postil/contract/endpoints.ts'
import type { DatasetProgress } from '@postil/contract/progress.ts'
import { expect, expectTypeOf, it } from 'vitest'
import { requestLine } from './address.ts'
import { createCall, pathOf } from './call.ts'

const sent: unknown[] = []
const call = createCall((...request) => {
  sent.push(request)
  return Promise.resolve()
})

it('every route of the contract becomes its method and path', () => {
  for (const { method, path } of endpoints) {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    const route = `${method} ${path.replace('/api/v1', '')}`
    const filled = requestLine(route, Object.fromEntries(names.map((name) => [name, `${name}/?`])))
    expect(filled).toEqual([method, path.replace(/:(\w+)/g, '$1%2F%3F')])
  }
})

it('a call sends the method and path of its route', async () => {
  const dataset_id = 'a/b c'
  const promise = call('GET /datasets/:dataset_id/progress', { params: { dataset_id }, headers: { a: 'b' } })
  expectTypeOf(promise).resolves.toEqualTypeOf<DatasetProgress>()
  await promise
  await call('GET /me')
  expect(sent.splice(0)).toEqual([
    ['GET', '/api/v1/datasets/a%2Fb%20c/progress', { headers: { a: 'b' } }],
    ['GET', '/api/v1/me', {}],
  ])
  expect(pathOf('GET /datasets/:dataset_id', { dataset_id })).toBe('/api/v1/datasets/a%2Fb%20c')
})

it('the compiler rejects what the contract does not have', () => {
  const params = { dataset_id: '1' }
  // @ts-expect-error no such path
  void call('GET /dataset')
  // @ts-expect-error no such method at this path
  void call('PUT /me')
  // @ts-expect-error a parameter is missing
  void call('GET /datasets/:dataset_id')
  // @ts-expect-error a parameter has another name
  void call('GET /datasets/:dataset_id', { params: { id: '1' } })
  // @ts-expect-error the path has no parameters
  void call('GET /me', { params })
  // @ts-expect-error the endpoint has no query
  void call('GET /datasets/:dataset_id', { params, query: { limit: 1 } })
  // @ts-expect-error a part of the query has another type
  void call('GET /datasets/:dataset_id/records', { params, query: { limit: 'x' } })
  // @ts-expect-error the query is required
  void call('GET /me/hub/repository')
  // @ts-expect-error the body is required
  void call('POST /workspaces')
  // @ts-expect-error the body has another type
  void call('POST /workspaces', { body: { name: 1 } })
  // @ts-expect-error the endpoint has no body
  void call('GET /me', { body: {} })
  // @ts-expect-error a parameter is missing
  pathOf('GET /datasets/:dataset_id')
})
