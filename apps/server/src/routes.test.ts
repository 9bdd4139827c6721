import { endpoints } from '@postil/contract/endpoints.ts'
import { defaultLimits } from '@postil/contract/wire/limits.ts'
import { expect, it } from 'vitest'
import { bodyParsersOf } from '#platform/http/bodies/body-parsers.ts'
import { endpointsWith } from './endpoints.ts'
import { routesWith } from './routes.ts'

it('every route is registered once', () => {
  const routes = routesWith(defaultLimits).map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
  expect(routes.length).toBe(new Set(routes).size)
})

it('the contract lists exactly the routes that the server has, so clients can call each of them', () => {
  const routesOf = (list: readonly { readonly method: string; readonly path: string }[]) =>
    list.map(({ method, path }) => `${method} ${path}`).sort()
  expect(routesOf(routesWith(defaultLimits).map(({ endpoint }) => endpoint))).toEqual(routesOf(endpoints))
})

it("the body pool's thread can parse the body of every route", () => {
  const known = bodyParsersOf(endpointsWith(defaultLimits))
  const needed = routesWith(defaultLimits).filter(({ endpoint }) => endpoint.bodyKind === 'json')
  expect(needed.map(({ parser }) => parser.name).filter((name) => !known.has(name))).toEqual([])
})
