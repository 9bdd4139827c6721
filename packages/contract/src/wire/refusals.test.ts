import { expect, test } from 'vitest'
import { sayReason } from './reasons.ts'
import { readRefusal, refusalCodes, sayRefusal } from './refusals.ts'

test.each(refusalCodes)('%s is read back from its sentence', (code) => {
  const names = [...sayRefusal(code).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const params = Object.fromEntries(names.map((name, i) => [name, `"value ${i}"`]))
  expect(readRefusal(sayRefusal(code, params))).toEqual({ code, params, reason: [] })
})

test('a refusal ends with a reason, which is read too, or with what somebody else says', () => {
  const reason = sayReason('quoteOpen', { cell: 3 })
  expect(readRefusal(sayRefusal('heading', { reason }))).toMatchObject({
    code: 'heading',
    reason: [{ code: 'quoteOpen', params: { cell: '3' } }],
  })
  expect(readRefusal(sayRefusal('webhookUnreachable', { id: 'x', reason: 'connect ECONNREFUSED' }))).toEqual({
    code: 'webhookUnreachable',
    params: { id: 'x', reason: 'connect ECONNREFUSED' },
    reason: [],
  })
})

test('another sentence is none, however long', () => {
  expect(readRefusal('Something else')).toBeNull()
  expect(readRefusal(sayRefusal('workspaceExists', { name: 'x'.repeat(100_000) }))).toBeNull()
})
