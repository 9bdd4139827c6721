/**
 * Values for example responses, keyed by the name of the property. If a property has different kinds of values, such as the `id`
 * of a record and of a job, all of these values are listed, and the first one that fits the schema is used.
 */
const RECORD = '5f0c2b7e-6a1d-4c58-9d0e-2b7f1a3c4d5e'
const USER = '1d4b8c9a-2f3e-4a5b-8c6d-7e8f9a0b1c2d'
const DATASET = '8a7b6c5d-4e3f-4211-9089-a7b6c5d4e3f2'
const QUESTION = '3c2b1a09-8f7e-4d6c-9b5a-493827160f5e'
const WORKSPACE = '6e5d4c3b-2a19-4087-b6a5-f4e3d2c1b0a9'
const SOME = '9b8a7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'
const TIME = '2026-03-14T09:26:53.589793'

export const IDS = { record: RECORD, user: USER, dataset: DATASET, question: QUESTION, workspace: WORKSPACE, some: SOME } as const

/** A final answer of a review. */
const finalAnswer = {
  value: 'negative',
  source: 'adjudicated',
  reason: 'ambiguous',
  note: null,
  by: { id: SOME, username: 'ada' },
  at: TIME,
}

export const EXAMPLE_VALUES: { readonly [name: string]: readonly unknown[] } = {
  id: [SOME, 'row-1'],
  record_id: [RECORD],
  user_id: [USER],
  dataset_id: [DATASET],
  question_id: [QUESTION],
  workspace_id: [WORKSPACE],
  access_token: ['eyJhbGciOiJIUzI1NiJ9.eyJ1c2VybmFtZSI6ImFkYSJ9.c2lnbmF0dXJl'],
  action: ['datasets.create'],
  address: ['203.0.113.7'],
  agent: ['model-a'],
  agents: [['model-a', 'model-b']],
  api_key: ['api-key-of-this-user'],
  assigned_by: ['language'],
  bytes: [1_048_576],
  column: ['score'],
  count: [12],
  description: ['The topic of the text'],
  detail: ['One sentence that explains the error'],
  details: [{ name: 'reviews' }],
  dimensions: [3],
  engine: ['sqlite'],
  error: ['The address answered with status 503'],
  external_id: ['row-1'],
  field: ['text'],
  fields: [{ text: 'The parcel arrived late.' }],
  first_name: ['Ada'],
  guidelines: ['Read the text, then choose the label that fits best.'],
  http_status: [200],
  hue: [210],
  kind: ['imports.file'],
  last_name: ['Byron'],
  link: ['https://annotate.example.org/invitation#link=a-token'],
  limit: [10],
  max: [10],
  message_id: ['msg_2KWPBgLlAfxdpx2AI54pPJ85f4W'],
  metadata: [{ language: 'en' }],
  metadata_property: ['language'],
  min: [0],
  name: ['reviews'],
  node_version: ['24.21.0'],
  offset: [0],
  path: [`/api/v1/datasets/${DATASET}/files/${'0123456789abcdef'.repeat(4)}.png/linked?expires=1773480600&signature=c2ln`],
  provider: ['github'],
  query: ['status=pending&search=parcel'],
  query_score: [0.92],
  question: ['label'],
  reason: ['The row is not a JSON object'],
  reason_parts: [[{ code: 'rowNotObject', params: {} }]],
  rows: [100, [['The parcel arrived late.', 'negative']]],
  samples: [['The parcel arrived late.']],
  complete: [true],
  schema: ['0013'],
  score: [0.9, [0.9]],
  search: ['{"query":{"text":{"q":"parcel"}}}'],
  secret: ['c2VjcmV0IHRoYXQgc2lnbnMgd2hhdCBpcyBzZW50'],
  sheet: ['Sheet1'],
  sheets: [['Sheet1']],
  size: [1_048_576],
  source: ['text'],
  space_author_name: ['ada'],
  space_host: ['ada-reviews.example.com'],
  space_id: ['ada/reviews'],
  space_repo_name: ['reviews'],
  space_subdomain: ['ada-reviews'],
  space_title: ['Reviews'],
  split: ['train'],
  subject: ['reviews.csv'],
  subset: ['default'],
  target: ['text'],
  target_id: [DATASET],
  template: ['<p>{{record.fields.text}}</p>'],
  term: ['en'],
  text: ['Negative'],
  title: ['Reviews'],
  token: ['a-token'],
  url: ['https://example.com/hooks'],
  username: ['ada'],
  value: ['negative', 1],
  values: [{ label: { value: 'negative' } }, ['negative', 'positive'], { label: finalAnswer }],
  vectors: [{ embedding: [0.1, 0.2, 0.3] }],
  version: ['2.8.0', 1],
  wire_version: ['2.8.0'],
}

/** Fallback values, keyed by format, for properties that have no value above. */
export const EXAMPLES_OF_KINDS = {
  uuid: SOME,
  date: TIME.slice(0, 10),
  'date-time': TIME,
  uri: 'https://example.com/hooks',
} as const
export const EXAMPLE_TIME = TIME
