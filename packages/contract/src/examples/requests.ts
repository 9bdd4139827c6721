import { IDS } from './values.ts'

const storedFile = `${'0123456789abcdef'.repeat(4)}.png`
const mapping = {
  fields: [{ source: 'review', target: 'text' }],
  metadata: [{ source: 'language', target: 'language' }],
  suggestions: [{ source: 'sentiment', target: 'label' }],
  external_id: 'id',
}
const options = [
  { value: 'positive', text: 'Positive' },
  { value: 'negative', text: 'Negative' },
]
const field = { name: 'text', title: 'Text', required: true, settings: { type: 'text', use_markdown: false } }
const question = { name: 'label', title: 'Sentiment', required: true, settings: { type: 'label_selection', options } }
const property = { name: 'language', title: 'Language', settings: { type: 'terms' }, visible_for_annotators: true }
const planned = { mapping, fields: [field], questions: [question], metadata_properties: [property] }
const values = { label: { value: 'negative' } }
const suggestion = { question_id: IDS.question, value: 'negative', type: 'model', score: 0.9, agent: 'model-a' }
const record = {
  external_id: 'row-1',
  fields: { text: 'The parcel arrived late.' },
  metadata: { language: 'en' },
  suggestions: [suggestion],
}
const search = {
  query: { text: { q: 'parcel' } },
  filters: { and: [{ type: 'terms', scope: { entity: 'record', property: 'status' }, values: ['pending'] }] },
  sort: [{ scope: { entity: 'record', property: 'inserted_at' }, order: 'desc' }],
}
const credentials = { username: 'ada', password: 'a long password' }
const fromProvider = { code: 'code-from-the-provider', state: 'state-of-the-sign-in' }
const splitOfHub = { name: 'ada/reviews', subset: 'default', split: 'train' }

/** Example bodies for all routes that accept JSON or a form, keyed by route id. */
export const BODY_EXAMPLES: { readonly [endpoint: string]: unknown } = {
  'notes.label': {
    question: 'notes',
    groups: ['5f2b91c04d7e8a36'],
    label: { question: 'label', value: 'negative' },
    status: 'draft',
  },
  'auth.token': credentials,
  'session.create': credentials,
  'session.create_by_link': { token: 'sign-in-link-token' },
  'session.create_by_provider': fromProvider,
  'session.hand_over': fromProvider,
  'users.create': { username: 'ada', password: 'a long password', first_name: 'Ada', last_name: 'Byron', role: 'annotator' },
  'users.update': { first_name: 'Ada', role: 'admin' },
  'invitations.create': {
    username: 'ada',
    first_name: 'Ada',
    last_name: 'Byron',
    role: 'annotator',
    workspace_ids: [IDS.workspace],
  },
  'invitations.read': { token: 'invitation-token' },
  'invitations.accept': { token: 'invitation-token', username: 'ada', password: 'a long password' },
  'password_links.read': { token: 'password-link-token' },
  'password_links.use': { token: 'password-link-token', password: 'a long password' },
  'workspaces.create': { name: 'support' },
  'workspaces.add_user': { user_id: IDS.user },
  'datasets.create': {
    name: 'reviews',
    workspace_id: IDS.workspace,
    guidelines: 'Read the text, then choose the label that fits best.',
    allow_extra_metadata: true,
    distribution: { strategy: 'overlap', min_submitted: 2 },
  },
  'datasets.update': { guidelines: 'Read the whole text first.' },
  'fields.create': field,
  'fields.update': { title: 'Review' },
  'questions.create': question,
  'questions.update': {
    title: 'How does the writer feel?',
    description: 'About the product, not the delivery',
    shown_when: null,
  },
  'label_colours.update': { colours: [{ value: 'negative', hue: 10 }] },
  'metadata_properties.create': property,
  'metadata_properties.update': { visible_for_annotators: false },
  'vectors_settings.create': { name: 'embedding', title: 'Embedding', dimensions: 3 },
  'vectors_settings.update': { title: 'Text embedding' },
  'webhooks.create': {
    url: 'https://example.com/hooks',
    events: ['response.created', 'record.completed'],
    description: 'Nightly',
  },
  'webhooks.update': { enabled: false },
  'model_connections.create': {
    name: 'Local model',
    base_url: 'http://localhost:11434/v1',
    model: 'qwen3:8b',
    api_key: null,
    input_price: 0.15,
    output_price: 0.6,
    concurrency: 4,
  },
  'model_connections.update': { model: 'qwen3:14b' },
  'model_runs.start': {
    connection_id: IDS.some,
    name: 'judge',
    questions: ['sentiment'],
    examples: 5,
    samples: 3,
    spend_cap: 2.5,
    search: { filters: search.filters },
    dry_run: true,
  },
  'model_runs.preview': { connection_id: IDS.some, name: 'judge', questions: ['sentiment'], record_id: IDS.record, ask: true },
  'model_runs.resume': { spend_cap: 5, retry_failed: true },
  'records.bulk_create': { items: [record] },
  'traces.store': {
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
        scopeSpans: [
          {
            spans: [
              {
                traceId: '5b8efff798038103d269b633813fc60c',
                spanId: 'eee19b7ec3c1b174',
                name: 'chat',
                startTimeUnixNano: '1767261600000000000',
                endTimeUnixNano: '1767261601500000000',
                attributes: [
                  { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
                  { key: 'gen_ai.request.model', value: { stringValue: 'model-a' } },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
  'records.bulk_upsert': { items: [{ ...record, metadata: { language: 'de' } }] },
  'records.update': { metadata: { language: 'de' } },
  'suggestions.put': suggestion,
  'responses.create': { status: 'submitted', values },
  'responses.update': { status: 'submitted', values },
  'responses.bulk': { items: [{ record_id: IDS.record, status: 'submitted', values }] },
  'responses.put_mine': { mutation_id: IDS.some, base_version: null, status: 'submitted', values },
  'bulk_answers.start': { search: { filters: search.filters }, status: 'submitted', values },
  'session.show_second_factor': { code: '123456' },
  'second_factor.begin': { current_password: 'the password' },
  'second_factor.activate': { code: '123456' },
  'second_factor.renew': { code: '123456' },
  'second_factor.remove': { current_password: 'the password', code: '123456' },
  'users.change_my_password': { current_password: 'the current password', password: 'four random unrelated words' },
  'history.restore': { base_version: 3 },
  'search.records': search,
  'search.my_records': search,
  'search_settings.set': { ignore_accents: true },
  'suggestion_settings.set': { show: 'always', blind_share: 0.1 },
  'active_time_settings.set': { shown_to_leads: true },
  'snapshots.create': { name: 'Before the new guidelines' },
  'snapshots.rename': { name: 'Version 1' },
  'saved_views.create': { name: 'About parcels', query: 'status=pending&search=parcel', shared: true },
  'saved_views.update': { name: 'About late parcels' },
  'queue.set_settings': {
    order: [{ scope: { entity: 'record', property: 'inserted_at' }, order: 'asc' }],
    max_per_person: 200,
    assigned_by: null,
    others_answer_assigned: true,
  },
  'assignments.assign': {
    search: { filters: search.filters },
    user_ids: [IDS.user],
    mode: 'split',
    due_at: '2030-01-31T17:00:00',
    replace: true,
  },
  'assignments.unassign': { record_ids: [IDS.record], user_ids: [IDS.user] },
  'record_deletions.start': { search: { filters: search.filters }, except_ids: [IDS.record] },
  'assignments.move': { from_user_id: IDS.user, to_user_ids: [] },
  'review.set_settings': { mode: 'disagreements', below: { sentiment: 0.8 }, needs: 2, reviewers: [IDS.user], names: 'hidden' },
  'review.start_answer_job': {
    search: { filters: search.filters },
    change: 'return',
    comment: 'Please use the new guidelines.',
  },
  'review.start_job': { search: { filters: search.filters }, rule: 'majority', min: 3, share: 0.5, dry_run: true },
  'review.take': { limit: 3, exclude: [IDS.record] },
  'comments.create': { text: '@grace, is this irony?', about: { question: 'sentiment' } },
  'comments.update': { resolved: true },
  'review.return': { comment: 'The second sentence is sarcastic. Please read it again.', base_version: 3 },
  'review.put_gold': {
    mutation_id: IDS.some,
    base_version: null,
    values: {
      sentiment: { value: 'positive', source: 'adjudicated', reason: 'guideline_gap', note: 'Irony counts as negative.' },
    },
    final: true,
  },
  'schema_versions.plan': {
    changes: [{ type: 'merge_labels', question_id: IDS.some, labels: ['complaint'], into: 'negative' }],
  },
  'schema_versions.see': { version: 3 },
  'schema_versions.apply': { token: 'token-of-the-plan', note: 'Annotators confused these labels.' },
  'queue.take': { limit: 6, drafts: true },
  'queue.renew': { record_ids: [IDS.record] },
  'uploads.begin': { name: 'reviews.csv', size: 1_048_576, dataset_id: null },
  'imports.sheet': { sheet: 'Sheet1' },
  'imports.sheet_mine': { sheet: 'Sheet1' },
  'imports.read_as': { as: 'label_studio' },
  'imports.read_as_mine': { as: 'plain' },
  'imports.reading': { encoding: 'windows-1252', separator: ';', heading_row: 3 },
  'imports.reading_mine': { encoding: 'shift_jis' },
  'imports.check': { mapping },
  'imports.start': { mapping },
  'imports.check_mine': planned,
  'hub.import': { ...splitOfHub, mapping },
  'hub.export': { ...splitOfHub, private: true, token: 'hub-token-with-write-access' },
  'hub.check': { ...splitOfHub, ...planned },
}

/** Example query and path parameters whose values can't be derived from their names. */
export const PARAMETER_EXAMPLES: { readonly [endpoint: string]: { readonly [name: string]: unknown } } = {
  'records.delete_many': { ids: IDS.record },
  'suggestions.delete_many': { ids: IDS.some },
  'queue.give_back': { ids: IDS.record },
  'review.release': { ids: IDS.record },
  'responses.clear_mine': { mutation_id: IDS.some },
  'hub.repository': { name: 'ada/reviews' },
  'hub.preview': splitOfHub,
  'uploads.send': { at: 0 },
  'imports.upload': { name: 'reviews.csv', format: 'csv' },
  'imports.upload_mine': { name: 'reviews.csv', format: 'csv' },
  'files.stored': { name: storedFile },
  'files.link': { name: storedFile },
  'files.linked': { name: storedFile, expires: 1773480600, signature: 'c2lnbmF0dXJlIG9mIHRoaXMgbGluaw' },
  'insights.dataset': { time_zone: 'Europe/Berlin' },
  'agreement.confusion': { a: IDS.user, b: IDS.user },
  'records.list': { include: ['responses', 'suggestions'] },
  'search.records': { include: ['responses', 'suggestions'] },
  'search.my_records': { include: ['suggestions'] },
}
