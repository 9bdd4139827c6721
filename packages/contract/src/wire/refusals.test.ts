import { expect, test } from 'vitest'
import { renderReason } from './reasons.ts'
import { readRefusal, refusalCodes, renderRefusal } from './refusals.ts'

test.each(refusalCodes)('%s is read back from its sentence', (code) => {
  const names = [...renderRefusal(code).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const params = Object.fromEntries(names.map((name, i) => [name, `"value ${i}"`]))
  expect(readRefusal(renderRefusal(code, params))).toEqual({ code, params, reason: [] })
})

test('a refusal ends with a known reason, which is parsed too, or with a message of another program', () => {
  const reason = renderReason('quoteOpen', { cell: 3 })
  expect(readRefusal(renderRefusal('heading', { reason }))).toMatchObject({
    code: 'heading',
    reason: [{ code: 'quoteOpen', params: { cell: '3' } }],
  })
  expect(readRefusal(renderRefusal('webhookUnreachable', { id: 'x', reason: 'connect ECONNREFUSED' }))).toEqual({
    code: 'webhookUnreachable',
    params: { id: 'x', reason: 'connect ECONNREFUSED' },
    reason: [],
  })
})

test('other sentences are not refusals, whatever their length', () => {
  expect(readRefusal('Something else')).toBeNull()
  expect(readRefusal(renderRefusal('workspaceExists', { name: 'x'.repeat(100_000) }))).toBeNull()
})
