import { expect, test } from 'vitest'
import { likelyProperties } from './model-properties.ts'

test('finds the properties that differ as the compared fields do', () => {
  const fields = ['response_a', 'response_b'] as const
  expect(likelyProperties(fields, ['source', 'model_a', 'model_b'])).toEqual({ first: 'model_a', second: 'model_b' })
  expect(likelyProperties(['left', 'right'], ['model_right', 'model_left'])).toEqual({
    first: 'model_left',
    second: 'model_right',
  })
})

test('finds nothing if there is no such pair', () => {
  expect(likelyProperties(['response_a', 'response_b'], ['model_a', 'source'])).toBeNull()
  expect(likelyProperties(['text', 'text2'], ['model', 'model2'])).toBeNull()
})
