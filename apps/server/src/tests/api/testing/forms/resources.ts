import type { ApiFixture } from '../fixture.ts'
import {
  bool,
  boolWords,
  dict,
  type Form,
  float,
  int,
  list,
  nullable,
  object,
  once,
  oneOf,
  optional,
  patched,
  required,
  text,
  union,
  uuid,
  values,
} from './rule.ts'

let count = 0
const fresh = (what: string) => `${what}-${++count}`
const draft = once(({ newDraft }) => newDraft())
const inDraft = async (fixture: ApiFixture) => ({ params: { dataset_id: (await draft(fixture)).dataset.id } })
const names = { min: 1, max: 200 }
const titles = { min: 1, max: 500 }
const firstOf = (ids: { readonly [name: string]: string }) => Object.values(ids)[0] ?? ''

const someone = once(async ({ newUser }) => (await newUser()).id)
const user = () => ({ first_name: 'First', username: fresh('user'), password: 'long enough' })

export const peopleForms: readonly Form[] = [
  {
    id: 'users.create',
    good: () => ({ body: user() }),
    rules: [
      text('first_name', required, { min: 1 }),
      text('last_name', nullable, { min: 1 }),
      text('username', required, { min: 1, max: 500 }),
      text('password', { ...required, writeOnly: true }, { min: 8, max: 100 }),
      oneOf('role', { nullable: 'yes', writeOnly: true }, ['owner', 'admin', 'annotator']),
      uuid('id', { nullable: 'yes', writeOnly: true }),
      bool('agent', nullable),
    ],
  },
  {
    id: 'users.update',
    good: async (fixture) => ({ params: { user_id: await someone(fixture) }, body: {} }),
    rules: [
      text('first_name', patched, { min: 1 }),
      text('last_name', nullable, { min: 1 }),
      text('username', patched, { min: 1, max: 500 }),
      text('password', { ...patched, writeOnly: true }, { min: 8, max: 100 }),
      oneOf('role', patched, ['owner', 'admin', 'annotator']),
      bool('active', patched),
      bool('agent', patched),
    ],
  },
  {
    id: 'invitations.create',
    good: () => ({ body: { first_name: 'First', username: fresh('invited'), workspace_ids: [] } }),
    rules: [
      text('first_name', required, { min: 1 }),
      text('last_name', nullable, { min: 1 }),
      text('username', required, { min: 1, max: 500 }),
      oneOf('role', { nullable: 'yes', writeOnly: true }, ['owner', 'admin', 'annotator']),
      list('workspace_ids', { ...required, writeOnly: true }, { item: () => '' }),
    ],
  },
  {
    id: 'workspaces.create',
    good: () => ({ body: { name: fresh('workspace') } }),
    rules: [
      values('name', required, 'string_type', [
        [7, 'string_type'],
        ['', 'string_too_short'],
        ['n'.repeat(501), 'string_too_long'],
        ...['a b', 'a/b', 'ü', '../x', 'a\n', "'; --", '{{a}}'].map((name) => [name, 'string_pattern_mismatch'] as const),
      ]),
      uuid('id', { nullable: 'yes', writeOnly: true }),
    ],
  },
  {
    id: 'workspaces.add_user',
    good: async ({ workspace, newUser }) => ({
      params: { workspace_id: workspace.id },
      body: { user_id: (await newUser()).id },
    }),
    rules: [uuid('user_id', { ...required, writeOnly: true })],
  },
]

const datasetRules = [
  values('distribution.strategy', required, 'literal_error', [
    ['random', 'literal_error'],
    [7, 'literal_error'],
  ]),
  int('distribution.min_submitted', required, { ge: 1, good: 7 }),
]
const freeJson = { a: [1, 1.5, null, true, { 'key with "quotes"': '😀' }], '': {} }

export const datasetForms: readonly Form[] = [
  {
    id: 'datasets.create',
    good: ({ workspace }) => ({
      body: { name: fresh('made'), workspace_id: workspace.id, distribution: { strategy: 'overlap', min_submitted: 1 } },
    }),
    rules: [
      text('name', required, names),
      text('guidelines', nullable, { min: 1, max: 10_000 }),
      { ...bool('allow_extra_metadata', optional), accepted: boolWords },
      object('distribution', optional),
      dict('metadata', nullable, [[freeJson], [{}]]),
      uuid('workspace_id', required),
      ...datasetRules,
    ],
  },
  {
    id: 'datasets.update',
    good: async (fixture) => ({ ...(await inDraft(fixture)), body: { distribution: { strategy: 'overlap', min_submitted: 2 } } }),
    rules: [
      text('name', patched, names),
      text('guidelines', nullable, { min: 1, max: 10_000 }),
      bool('allow_extra_metadata', patched),
      object('distribution', patched),
      dict('metadata', nullable, [[freeJson], [{}]]),
      ...datasetRules,
    ],
  },
]

const fieldSettings = {
  text: [bool('settings.use_markdown', optional)],
  chat: [bool('settings.use_markdown', optional)],
  image: [],
  custom: [text('settings.template', required, {}), bool('settings.advanced_mode', optional)],
}
const bodyOf = (type: string) => (type === 'custom' ? { type, template: '<p></p>', advanced_mode: true } : { type })

export const fieldForms: readonly Form[] = [
  {
    id: 'fields.create',
    good: async (fixture) => ({
      ...(await inDraft(fixture)),
      body: { name: fresh('field'), title: 'T', settings: { type: 'text' } },
    }),
    rules: [
      text('name', required, names),
      text('title', required, titles),
      bool('required', { nullable: 'yes' }),
      union('settings', required, 'type'),
    ],
    tags: { settings: 'type' },
  },
  ...Object.entries(fieldSettings).map(
    ([type, rules]): Form => ({
      id: 'fields.create',
      what: type,
      good: async (fixture) => ({
        ...(await inDraft(fixture)),
        body: { name: fresh('field'), title: 'T', settings: bodyOf(type) },
      }),
      rules,
      tags: { settings: 'type' },
    }),
  ),
  {
    id: 'fields.update',
    good: async (fixture) => ({
      params: { field_id: firstOf((await draft(fixture)).fields) },
      body: { settings: { type: 'text', use_markdown: false } },
    }),
    rules: [text('title', patched, titles), union('settings', patched, 'type'), bool('settings.use_markdown', required)],
    tags: { settings: 'type' },
  },
]

export const propertyForms: readonly Form[] = [
  {
    id: 'metadata_properties.create',
    good: async (fixture) => ({
      ...(await inDraft(fixture)),
      body: { name: fresh('property'), title: 'T', settings: { type: 'terms' } },
    }),
    rules: [
      text('name', required, names),
      text('title', required, titles),
      bool('visible_for_annotators', optional),
      union('settings', required, 'type'),
      list('settings.values', nullable, { min: 1, max: 250, item: (i) => (i % 2 === 0 ? `term ${i}` : { number: i }) }),
    ],
    tags: { settings: 'type' },
  },
  {
    id: 'metadata_properties.create',
    what: 'integer',
    good: async (fixture) => ({
      ...(await inDraft(fixture)),
      body: { name: fresh('property'), title: 'T', settings: { type: 'integer', min: -5, max: 50 } },
    }),
    rules: [int('settings.min', nullable, { good: 7 }), int('settings.max', nullable, { good: 7 })],
    tags: { settings: 'type' },
  },
  {
    id: 'metadata_properties.create',
    what: 'float',
    good: async (fixture) => ({
      ...(await inDraft(fixture)),
      body: { name: fresh('property'), title: 'T', settings: { type: 'float', min: -5.5, max: 50 } },
    }),
    rules: [float('settings.min', nullable, { good: 7.25 }), float('settings.max', nullable, { good: 7.25 })],
    tags: { settings: 'type' },
  },
  {
    id: 'metadata_properties.update',
    good: async (fixture) => ({
      params: { metadata_property_id: firstOf((await draft(fixture)).properties) },
      body: {},
    }),
    rules: [text('title', patched, titles), bool('visible_for_annotators', patched)],
  },
]

export const vectorForms: readonly Form[] = [
  {
    id: 'vectors_settings.create',
    // Creates a dataset each time, because a dataset can have at most five vector settings.
    good: async ({ server, workspace }) => {
      const { id } = await server.createDataset({ workspace_id: workspace.id, fields: [], questions: [], publish: false })
      return { params: { dataset_id: id }, body: { name: fresh('vector'), title: 'T', dimensions: 2 } }
    },
    rules: [
      text('name', required, names),
      text('title', required, titles),
      int('dimensions', required, { gt: 0, le: 16_000, good: 64 }),
    ],
  },
  {
    id: 'vectors_settings.update',
    good: async (fixture) => ({ params: { vector_settings_id: firstOf((await draft(fixture)).vectors) }, body: { title: 'T' } }),
    rules: [text('title', required, titles)],
  },
]
