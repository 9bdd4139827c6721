import { maxAgentPage } from '@postil/contract/agents.ts'
import { getAgreement } from '@postil/contract/agreement.ts'
import { listComments } from '@postil/contract/comments.ts'
import { getDataset, listMyDatasets } from '@postil/contract/datasets.ts'
import { listFields } from '@postil/contract/fields.ts'
import { listMyMetadataProperties } from '@postil/contract/metadata-properties.ts'
import { getProgress } from '@postil/contract/progress.ts'
import { listQuestions } from '@postil/contract/questions.ts'
import { getRecord } from '@postil/contract/records.ts'
import { getComparison } from '@postil/contract/review.ts'
import { SearchBody, searchMyRecords, searchRecords } from '@postil/contract/search.ts'
import { int, text, uuid } from '@postil/contract/wire/scalars.ts'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'

export const datasetId = () => uuid().describe('The ID of a dataset, as `list_datasets` returns it')
export const recordId = () => uuid().describe('The ID of a record, as `search_records` returns it')

const page = {
  limit: int({ ge: 1, le: maxAgentPage }).default(20).describe('The maximum number of results'),
  offset: int({ ge: 0 }).default(0).describe('The number of results to skip'),
}

const parts = ['suggestions', 'responses', 'vectors', 'agreement', 'gold'] as const

export const readTools = [
  defineTool({
    name: 'list_datasets',
    title: 'List datasets',
    description: 'Lists the datasets that you can see, oldest first.',
    input: z.strictObject(page),
    run: async ({ call }, { limit, offset }) => {
      const { items } = await call(listMyDatasets, {})
      const shown = items.slice(offset, offset + limit).map(({ id, name, status, workspace_id, last_activity_at }) => ({
        id,
        name,
        status,
        workspace_id,
        last_activity_at,
      }))
      return { result: { items: shown, total: items.length } }
    },
  }),
  defineTool({
    name: 'get_dataset',
    title: 'Get a dataset',
    description:
      'Returns the settings of a dataset: guidelines, fields, questions with their options, and metadata properties. Read them before you suggest answers.',
    input: z.strictObject({ dataset_id: datasetId() }),
    run: async ({ call }, params) => {
      const dataset = await call(getDataset, { params })
      const [fields, questions, metadata] = [
        await call(listFields, { params }),
        await call(listQuestions, { params }),
        await call(listMyMetadataProperties, { params }),
      ]
      return {
        result: { dataset, fields: fields.items, questions: questions.items, metadata_properties: metadata.items },
      }
    },
  }),
  defineTool({
    name: 'search_records',
    title: 'Search records',
    description:
      'Finds records by words in their texts and by filters, for example on status, metadata, suggestions or answers. Without words and filters, lists all records in the order in which they were added.',
    input: z.strictObject({
      dataset_id: datasetId(),
      text: text({ keep: false }).optional().describe('Words to find. Supports quoted phrases, OR, -word and word*'),
      field: text({ keep: false }).optional().describe('The name of the field to search in. Default: all fields'),
      filters: SearchBody.shape.filters.unwrap().unwrap().shape.and.describe('All of these filters must match'),
      sort: SearchBody.shape.sort,
      include: z
        .array(z.enum(parts))
        .max(parts.length)
        .default(['suggestions'])
        .describe(
          'Parts of the records to return. `responses` are answers: everyone’s for owners and admins, your own otherwise. `gold` are final answers',
        ),
      ...page,
    }),
    run: async ({ call, user }, { dataset_id, text: q, field, filters, sort, include, limit, offset }) => {
      const input = {
        params: { dataset_id },
        query: { limit, offset, ...(include.length > 0 && { include: include.join(',') }) },
        body: {
          ...(q !== undefined && { query: { text: { q, ...(field !== undefined && { field }) } } }),
          ...(filters && { filters: { and: filters } }),
          ...(sort && { sort }),
        },
      }
      return { result: await call(user.role === 'annotator' ? searchMyRecords : searchRecords, input) }
    },
  }),
  defineTool({
    name: 'get_record',
    title: 'Get a record',
    description: 'Returns a record with its fields, metadata, suggestions and the answers that you can see.',
    input: z.strictObject({ record_id: recordId() }),
    run: async ({ call }, params) => ({ result: await call(getRecord, { params }) }),
  }),
  defineTool({
    name: 'list_comments',
    title: 'List comments',
    description: 'Lists the comments on a record, oldest first.',
    input: z.strictObject({ record_id: recordId() }),
    run: async ({ call }, params) => ({ result: await call(listComments, { params }) }),
  }),
  defineTool({
    name: 'get_progress',
    title: 'Get progress',
    description: 'Returns how many records and answers a dataset has, how many records are complete, and who has answered.',
    input: z.strictObject({ dataset_id: datasetId() }),
    run: async ({ call }, params) => ({ result: await call(getProgress, { params }) }),
  }),
  defineTool({
    name: 'get_agreement',
    title: 'Get agreement',
    description: 'Returns, for each question of a dataset, how closely the people who answered it agree. For owners and admins.',
    input: z.strictObject({ dataset_id: datasetId() }),
    run: async ({ call }, params) => ({ result: await call(getAgreement, { params }) }),
  }),
  defineTool({
    name: 'compare_answers',
    title: 'Compare answers',
    description:
      'Returns the submitted answers to a record, grouped by value, and its final answers. For owners, admins and reviewers.',
    input: z.strictObject({ record_id: recordId() }),
    run: async ({ call }, params) => ({ result: await call(getComparison, { params }) }),
  }),
]
