import { call } from '#lib/api/client.ts'
import { undoWithRetry } from '#lib/api/undo-with-retry.ts'
import type { Example } from './examples.ts'

/**
 * Creates a published dataset from an example. If a step fails, deletes what was created so far. @returns the ID of the
 * dataset. @throws ApiError
 */
export const createExample = async (
  example: Example,
  place: { readonly name: string; readonly workspaceId: string },
): Promise<string> => {
  const { licence, guidelines, fields, questions, metadata, records } = example
  const made = await call('POST /datasets', {
    body: { name: place.name, workspace_id: place.workspaceId, guidelines, metadata: { licence } },
  })
  const params = { dataset_id: made.id }
  try {
    for (const body of fields) await call('POST /datasets/:dataset_id/fields', { params, body: body as never })
    const ids = new Map<string, string>()
    for (const body of questions)
      ids.set(body.name, (await call('POST /datasets/:dataset_id/questions', { params, body: body as never })).id)
    for (const body of metadata) await call('POST /datasets/:dataset_id/metadata-properties', { params, body })
    await call('PUT /datasets/:dataset_id/publish', { params })
    const items = records.map(({ suggestions, ...record }) => ({
      ...record,
      suggestions: suggestions.map(({ question, ...suggestion }) => ({ ...suggestion, question_id: ids.get(question) ?? '' })),
    }))
    await call('POST /datasets/:dataset_id/records/bulk', { params: { dataset_id: made.id }, body: { items: items as never } })
    return made.id
  } catch (error) {
    await undoWithRetry(() => call('DELETE /datasets/:dataset_id', { params: { dataset_id: made.id } }))
    throw error
  }
}
