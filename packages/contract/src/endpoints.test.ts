import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from './endpoints.ts'
import { parseIds, parseInclude } from './wire/query-lists.ts'

test('IDs and routes are unique', () => {
  const routes = endpoints.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`)
  expect(new Set(routes).size).toBe(routes.length)
  expect(new Set(endpoints.map((endpoint) => endpoint.id)).size).toBe(endpoints.length)
})

test('all endpoints of all features are registered', async () => {
  const files = readdirSync(import.meta.dirname, { encoding: 'utf8', recursive: true }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'endpoints.ts',
  )
  const modules = await Promise.all(
    files.map((file): Promise<object> => import(/* @vite-ignore */ new URL(file, import.meta.url).href)),
  )
  const declared = modules
    .flatMap((module) => Object.values(module))
    .filter((value) => Object(value)?.path?.startsWith?.('/api/v1/'))
  expect(declared.length).toBeGreaterThan(140)
  expect(declared.filter((endpoint) => !endpoints.includes(endpoint))).toEqual([])
})

test('every endpoint can be described in JSON Schema, in and out', () => {
  for (const { params, query, body, result, media, bodyKind, status } of endpoints) {
    const input = [params, query, ...(bodyKind === 'none' || bodyKind === 'stream' ? [] : [body])]
    for (const schema of input) z.toJSONSchema(schema, { io: 'input' })
    if (status !== 204 && status !== 303 && media.length === 0) z.toJSONSchema(result, { io: 'output' })
  }
})

test('IDs in a query are parsed and limited', () => {
  const a = '00000000-0000-0000-0000-00000000000a'
  expect(parseIds(`${a},${a.toUpperCase()}`)).toEqual([a])
  expect(() => parseIds(`${a}, ${a}`)).toThrow('not a valid UUID')
  expect(() => parseIds('')).toThrow('not a valid UUID')
  expect(() => parseIds(Array(101).fill(a).join(','))).toThrow('more than 100')
})

test('include parameters are parsed', () => {
  expect(parseInclude(['responses', 'suggestions,vectors'])).toEqual({
    responses: true,
    suggestions: true,
    vectors: 'all',
    agreement: false,
    gold: false,
  })
  expect(parseInclude(['vectors:a,b', 'responses:x'])).toEqual({
    responses: false,
    suggestions: false,
    vectors: ['a', 'b'],
    agreement: false,
    gold: false,
  })
  expect(parseInclude(['responses,agreement'])).toMatchObject({ responses: true, vectors: 'none', agreement: true })
  for (const wrong of [[''], ['nope'], ['vectors', 'vectors:a'], ['responses,vectors:a'], ['nope:a']]) {
    expect(() => parseInclude(wrong)).toThrow()
  }
})
