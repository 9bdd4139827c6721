import type { createDataset, deleteDataset, publishDataset } from '@postil/contract/datasets.ts'
import type { createField } from '@postil/contract/fields.ts'
import type { createMetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { createQuestion } from '@postil/contract/questions.ts'
import type { createRecords } from '@postil/contract/records.ts'
import { call, path } from '#lib/api/client.ts'
import { undoWithRetry } from '#lib/api/undo-with-retry.ts'
import type { Example } from './examples.ts'

const datasets = '/api/v1/datasets'

/**
 * Creates a published dataset from an example. A failure halfway deletes what was created.
 * @returns the ID of the dataset. @throws ApiError
 */
export const createExample = async (
  example: Example,
  place: { readonly name: string; readonly workspaceId: string },
): Promise<string> => {
  const { licence, guidelines, fields, questions, metadata, records } = example
  const made = await call<typeof createDataset>('POST', datasets, {
    body: { name: place.name, workspace_id: place.workspaceId, guidelines, metadata: { licence } },
  })
  const of = (part: string) => path(datasets, made.id, part)
  try {
    for (const body of fields) await call<typeof createField>('POST', of('fields'), { body: body as never })
    const ids = new Map<string, string>()
    for (const body of questions)
      ids.set(body.name, (await call<typeof createQuestion>('POST', of('questions'), { body: body as never })).id)
    for (const body of metadata) await call<typeof createMetadataProperty>('POST', of('metadata-properties'), { body })
    await call<typeof publishDataset>('PUT', of('publish'))
    const items = records.map(({ suggestions, ...record }) => ({
      ...record,
      suggestions: suggestions.map(({ question, ...suggestion }) => ({ ...suggestion, question_id: ids.get(question) ?? '' })),
    }))
    await call<typeof createRecords>('POST', path(datasets, made.id, 'records', 'bulk'), { body: { items: items as never } })
    return made.id
  } catch (error) {
    await undoWithRetry(() => call<typeof deleteDataset>('DELETE', path(datasets, made.id)))
    throw error
  }
}
