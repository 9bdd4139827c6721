import { clearConnections, endedRun, newConnection, theConnection } from '../actions/models.ts'
import type { ApiFixture } from '../fixture.ts'
import { bool, type Form, float, int, list, nullable, object, optional, patched, required, text, uuid, values } from './rule.ts'

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

const writeOnly = { writeOnly: true } as const
/**
 * Rules for the settings of a model run. For `connection_id`, `questions` and `prompt`, no valid values can be generated: random
 * IDs and names belong to no connection or question, and random prompts lack a required placeholder.
 */
const how = [
  { ...uuid('connection_id', required), accepted: [] },
  values(
    'name',
    required,
    'string_type',
    [
      [7, 'string_type'],
      ['', 'string_too_short'],
      ['x'.repeat(151), 'string_too_long'],
      ['naïve', 'string_pattern_mismatch'],
      ['-', 'string_pattern_mismatch'],
    ],
    [['x'.repeat(150)], ['gpt 4.1-mini_x:y']],
  ),
  { ...list('questions', required, { min: 1, max: 50, item: String }), accepted: [] },
  { ...text('prompt', nullable, { min: 1, max: 20_000 }), accepted: [] },
  int('examples', optional, { ge: 0, le: 20, good: 2 }),
  float('temperature', nullable, { ge: 0, le: 2, good: 0.5 }),
  int('max_tokens', optional, { ge: 1, le: 100_000, good: 7 }),
  int('seed', nullable, { good: 7 }),
  int('timeout', optional, { ge: 1, le: 600, good: 7 }),
  int('samples', optional, { ge: 1, le: 10, good: 2 }),
  bool('rationale', { ...nullable, ...writeOnly }),
  bool('logprobs', { ...nullable, ...writeOnly }),
  bool('both_orders', { ...nullable, ...writeOnly }),
]
const inRich = ({ rich }: ApiFixture) => ({ dataset_id: rich.dataset.id })
const good = async (fixture: ApiFixture) => ({
  connection_id: (await theConnection(fixture)).id,
  name: 'judge',
  questions: [`${fixture.word}-comment`],
})

export const modelForms: readonly Form[] = [
  {
    id: 'model_runs.start',
    good: async (fixture) => {
      await fixture.newRecord()
      return { params: inRich(fixture), body: { ...(await good(fixture)), limit: 1 } }
    },
    rules: [
      ...how,
      {
        ...values('spend_cap', { ...nullable, ...writeOnly }, 'float_type', [
          [0, 'greater_than'],
          [{}, 'float_type'],
        ]),
      },
      { ...object('search', { ...nullable, ...writeOnly }) },
      int('limit', { ...nullable, ...writeOnly }, { ge: 1, le: 100_000, good: 1 }),
      bool('dry_run', { ...nullable, ...writeOnly }),
    ],
  },
  {
    id: 'model_runs.preview',
    good: async (fixture) => ({
      params: inRich(fixture),
      body: { ...(await good(fixture)), record_id: (await fixture.newRecord()).id },
    }),
    rules: [
      ...how.map((rule) => ({ ...rule, ...writeOnly })),
      { ...uuid('record_id', required), accepted: [] },
      bool('ask', { ...nullable, ...writeOnly }),
    ],
  },
  {
    id: 'model_runs.resume',
    good: async (fixture) => ({ params: { run_id: (await endedRun(fixture)).id }, body: {} }),
    rules: [
      {
        ...values('spend_cap', { ...nullable, ...writeOnly }, 'float_type', [
          [0, 'greater_than'],
          [{}, 'float_type'],
        ]),
      },
      // Tests only one value, because each value needs its own run. The same rule parses every boolean.
      { ...bool('retry_failed', { ...nullable, ...writeOnly }), accepted: [[true, true]] },
    ],
  },
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
      // The address of a connection without an API key can be changed without sending a key.
      const { id } = await newConnection(fixture, { api_key: null })
      return { params: { connection_id: id }, body: {} }
    },
    rules: [...rules(patched), int('concurrency', patched, { ge: 1, le: 64, good: 8 })],
  },
]
