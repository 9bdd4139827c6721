import { IDS } from '@postil/contract/examples/values.ts'
import { createClient } from '@postil/testkit/client.ts'
import type { RunningServer } from '../harness/server.ts'

type Made = { readonly id: string }
type Parameters = { readonly [parameter: string]: string }

export type SeededApi = {
  /** The example IDs in the document, and the real IDs that replace them. */
  readonly ids: { readonly [exampleId: string]: string }
  /** Path and query parameters for all operations. */
  readonly everywhere: Parameters
  /** Additional parameters for individual operations, keyed by operation ID. */
  readonly ofOperations: { readonly [operation: string]: Parameters }
}

const text = { name: 'text', title: 'Text', required: true, settings: { type: 'text', use_markdown: false } }
const options = ['positive', 'negative'].map((value) => ({ value, text: value }))
const label = { name: 'label', title: 'Sentiment', required: true, settings: { type: 'label_selection', options } }
const language = { name: 'language', title: 'Language', settings: { type: 'terms' } }
const size = { name: 'size', title: 'Size', settings: { type: 'integer' } }
const embedding = { name: 'embedding', title: 'Embedding', dimensions: 3 }

/**
 * Creates data for every operation. Each operation that deletes data gets its own data, so the order of operations doesn't
 * matter. Operations on users never target the calling user, because this user's key must remain valid.
 */
export const seedApi = async ({ url, apiKey }: RunningServer): Promise<SeededApi> => {
  const client = createClient(url, { api_key: apiKey })
  const made = async (path: string, body: unknown): Promise<string> => {
    const answer = await client.post<Made>(path, body)
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body.id
  }
  const user = (username: string) =>
    made('/users', { username, password: 'a password for tests', first_name: username, role: 'annotator' })
  const workspace = await made('/workspaces', { name: 'team' })
  const [users, deletable] = [await user('somebody'), await user('goes')]
  await made(`/workspaces/${workspace}/users`, { user_id: users })

  const dataset = async (name: string) => {
    const id = await made('/datasets', { name, workspace_id: workspace, allow_extra_metadata: true })
    return {
      id,
      field: await made(`/datasets/${id}/fields`, text),
      question: await made(`/datasets/${id}/questions`, label),
      terms: await made(`/datasets/${id}/metadata-properties`, language),
      number: await made(`/datasets/${id}/metadata-properties`, size),
      vectors: await made(`/datasets/${id}/vectors-settings`, embedding),
    }
  }
  const records = async (to: { readonly id: string; readonly question: string }) => {
    const items = Array.from({ length: 12 }, (_, i) => ({
      external_id: `given-${i}`,
      fields: { text: `The parcel number ${i} came late.` },
      metadata: { language: i % 2 === 0 ? 'en' : 'de', size: i },
      vectors: { embedding: [i, 1, 0.5] },
      suggestions: [{ question_id: to.question, value: 'negative', score: 0.9, agent: 'model-a' }],
    }))
    const answer = await client.put<{ items: Made[] }>(`/datasets/${to.id}/records/bulk`, { items })
    return answer.body.items.map(({ id }) => id)
  }
  const [ready, emptied, cleared, deleted, draft, planned] = [
    await dataset('reviews of the test'),
    await dataset('emptied'),
    await dataset('cleared'),
    await dataset('deleted'),
    await dataset('draft'),
    await dataset('to publish'),
  ]
  for (const { id } of [ready, emptied, cleared, deleted]) await client.put(`/datasets/${id}/publish`)
  const keptAnswer = await records(ready)
  const removed = await records(emptied)
  await records(cleared)
  const at = (all: readonly string[], no: number): string => all[no] ?? ''
  const answered = await made(`/records/${at(keptAnswer, 0)}/responses`, {
    status: 'submitted',
    values: { label: { value: 'negative' } },
  })
  const withdrawn = await made(`/records/${at(keptAnswer, 1)}/responses`, { status: 'draft', values: {} })
  const suggestionOf = async (record: string) => {
    const { body } = await client.get<{ items: Made[] }>(`/records/${record}/suggestions`)
    return body.items[0]?.id ?? ''
  }
  const comment = (text: string) => made(`/records/${at(keptAnswer, 0)}/comments`, { text })
  const view = (name: string) => made(`/datasets/${ready.id}/views`, { name, query: 'status=pending', shared: true })
  // Nothing listens on this port, so no delivery leaves the test.
  const webhook = (description: string) =>
    made('/webhooks', { url: 'http://127.0.0.1:9/', events: ['record.deleted'], description })
  const file = async (path: string) => {
    const type = { 'content-type': 'text/csv' }
    const rows = Array.from({ length: 20 }, (_, i) => `r-${i},The parcel ${i} came,negative,en`)
    const body = Buffer.from(`id,review,sentiment,language\n${rows.join('\n')}\n`)
    return (await client.post<Made>(`${path}?name=rows.csv`, body, type)).body.id
  }
  const mine = await file('/me/imports/files')
  const arriving = () => made('/me/imports/uploads', { name: 'rows.csv', size: 1000 })
  const [firstView, otherView, hook, otherHook] = [
    await view('one'),
    await view('other'),
    await webhook('one'),
    await webhook('other'),
  ]
  return {
    ids: {
      [IDS.record]: at(keptAnswer, 0),
      [IDS.user]: users,
      [IDS.dataset]: ready.id,
      [IDS.question]: ready.question,
      [IDS.workspace]: workspace,
    },
    everywhere: {
      'path.dataset_id': ready.id,
      'path.record_id': at(keptAnswer, 0),
      'path.user_id': users,
      'path.workspace_id': workspace,
      'path.field_id': ready.field,
      'path.question_id': ready.question,
      'path.metadata_property_id': ready.number,
      'path.vector_settings_id': ready.vectors,
      'path.response_id': answered,
      'path.suggestion_id': await suggestionOf(at(keptAnswer, 0)),
      'path.comment_id': await comment('one'),
      'path.view_id': firstView,
      'path.webhook_id': hook,
      'path.file_id': await file(`/datasets/${ready.id}/imports/files`),
    },
    ofOperations: {
      'users.delete': { 'path.user_id': deletable },
      'workspaces.delete': { 'path.workspace_id': await made('/workspaces', { name: 'goes' }) },
      'datasets.delete': { 'path.dataset_id': deleted.id },
      'datasets.publish': { 'path.dataset_id': planned.id },
      'fields.create': { 'path.dataset_id': draft.id },
      'fields.delete': { 'path.field_id': draft.field },
      'questions.create': { 'path.dataset_id': draft.id },
      'questions.delete': { 'path.question_id': draft.question },
      'metadata_properties.delete': { 'path.metadata_property_id': draft.number },
      'vectors_settings.delete': { 'path.vector_settings_id': draft.vectors },
      'records.delete': { 'path.record_id': at(removed, 0) },
      'records.delete_many': { 'path.dataset_id': emptied.id, 'query.ids': at(removed, 1) },
      // The job deletes all records after ten seconds, while other operations are still being tested.
      'record_deletions.start': { 'path.dataset_id': cleared.id },
      'suggestions.delete': { 'path.suggestion_id': await suggestionOf(at(keptAnswer, 2)) },
      'suggestions.delete_many': { 'path.record_id': at(keptAnswer, 3), 'query.ids': await suggestionOf(at(keptAnswer, 3)) },
      'responses.create': { 'path.record_id': at(keptAnswer, 4) },
      'responses.put_mine': { 'path.record_id': at(keptAnswer, 5) },
      'responses.clear_mine': { 'path.record_id': at(keptAnswer, 6) },
      'responses.delete': { 'path.response_id': withdrawn },
      'comments.delete': { 'path.comment_id': await comment('other') },
      'saved_views.delete': { 'path.view_id': otherView },
      'webhooks.delete': { 'path.webhook_id': otherHook },
      'uploads.send': { 'path.file_id': await arriving() },
      'uploads.drop': { 'path.file_id': await arriving() },
      'imports.check_mine': { 'path.file_id': mine },
      'imports.sheet_mine': { 'path.file_id': mine },
      'imports.start': { 'path.file_id': await file(`/datasets/${ready.id}/imports/files`) },
      'imports.report': { 'path.file_id': await imported() },
    },
  }

  async function imported(): Promise<string> {
    const id = await file(`/datasets/${ready.id}/imports/files`)
    await client.post(`/datasets/${ready.id}/imports/files/${id}/start`, {
      mapping: { fields: [{ source: 'review', target: 'text' }] },
    })
    return id
  }
}
