import { clearConnections, newConnection } from '../actions/models.ts'
import { type Form, float, int, nullable, optional, patched, required, text, values } from './rule.ts'

const rules = (presence: object) => [
  text('name', presence, { min: 1, max: 200 }),
  text('model', presence, { min: 1, max: 200 }),
  values(
    'base_url',
    presence,
    'url_type',
    [
      [7, 'url_type'],
      ['x.test', 'url_parsing'],
      ['ftp://x.test/', 'url_scheme'],
      ['https://user:word@x.test/v1', 'value_error'],
      ['https://x.test/v1?key=1', 'value_error'],
      ['https://x.test/v1#part', 'value_error'],
    ],
    [
      ['https://x.test', 'https://x.test'],
      [' http://X.test:80/v1/ ', 'http://x.test/v1'],
    ],
  ),
  values(
    'api_key',
    { ...nullable, writeOnly: true },
    'string_type',
    [
      [7, 'string_type'],
      ['', 'string_too_short'],
      ['a b', 'string_pattern_mismatch'],
      ['schlüssel', 'string_pattern_mismatch'],
      ['x'.repeat(1001), 'string_too_long'],
    ],
    [[' sk-1 ']],
  ),
  float('input_price', nullable, { ge: 0, le: 1_000_000, good: 0.15 }),
  float('output_price', nullable, { ge: 0, le: 1_000_000, good: 0.6 }),
]

export const modelForms: readonly Form[] = [
  {
    id: 'model_connections.create',
    good: async (fixture) => {
      await clearConnections(fixture)
      return {
        params: { workspace_id: fixture.workspace.id },
        body: { name: 'a model', base_url: 'https://x.test/v1', model: 'some-model' },
      }
    },
    rules: [...rules(required), int('concurrency', optional, { ge: 1, le: 64, good: 8 })],
  },
  {
    id: 'model_connections.update',
    good: async (fixture) => {
      await clearConnections(fixture)
      // A connection without a key can get another address without one.
      const { id } = await newConnection(fixture, { api_key: null })
      return { params: { connection_id: id }, body: {} }
    },
    rules: [...rules(patched), int('concurrency', patched, { ge: 1, le: 64, good: 8 })],
  },
]
