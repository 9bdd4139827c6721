import type { ActiveTimeSettings } from '@postil/contract/active-time.ts'
import type { Dataset, DatasetUpdate } from '@postil/contract/datasets.ts'
import type { FieldUpdate } from '@postil/contract/fields.ts'
import type { MetadataPropertyUpdate } from '@postil/contract/metadata-properties.ts'
import type { createQuestion, Question, QuestionUpdate } from '@postil/contract/questions.ts'
import type { QueueSettings } from '@postil/contract/queue.ts'
import type { ReviewSettingsInput } from '@postil/contract/review.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'
import type { SearchSettings } from '@postil/contract/search-settings.ts'
import type { SuggestionSettings } from '@postil/contract/suggestion-settings.ts'
import type { BodyInputOf } from '@postil/contract/wire/endpoint.ts'
import type { Query, QueryClient } from '@tanstack/react-query'
import { queryOptions } from '@tanstack/react-query'
import { removeFromHome } from '#features/home/public.ts'
import { call } from '#lib/api/client.ts'
import {
  activeTimeSettingsQuery,
  datasetQuery,
  fieldsQuery,
  isUnknownDataset,
  labelColoursQuery,
  metadataPropertiesQuery,
  questionsQuery,
  queueSettingsQuery,
  searchSettingsQuery,
  suggestionSettingsQuery,
  vectorsQuery,
} from '#lib/api/dataset-queries.ts'
import { reviewSettingsQuery } from '#lib/api/review-queries.ts'
import { schemaVersionsQuery } from '#lib/api/schema-versions.ts'
import { cacheCounts, cacheMedium } from '#lib/constants.ts'

/** Replaces an item in a list with its changed version. */
const replaceById = <T extends { readonly id: string }>(list: readonly T[] | undefined, changed: T): T[] | undefined =>
  list?.map((one) => (one.id === changed.id ? changed : one))

const cacheDataset = (client: QueryClient, dataset: Dataset): void => {
  client.setQueryData(datasetQuery(dataset.id).queryKey, dataset)
  // The required number of answers determines which records are complete and which are left for each user.
  for (const counts of ['progress', 'my-metrics']) void client.invalidateQueries({ queryKey: ['dataset', dataset.id, counts] })
  void client.invalidateQueries({ queryKey: ['home'] })
}

/**
 * Whether anyone has answered a record of the dataset. Drafts count. Once there are answers, the rule that completes a record
 * can't change.
 */
export const hasAnswersQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'has-answers'],
    queryFn: async ({ signal }): Promise<boolean> => {
      const { users } = await call('GET /datasets/:dataset_id/users/progress', { params: { dataset_id: id }, signal })
      return users.some(({ completed, pending }) =>
        [completed, pending].some((counts) => Object.values(counts).some((n) => n > 0)),
      )
    },
  })

/** How many records the search finds. Answer filters refer to all users' answers. */
export const testRecordCountQuery = (datasetId: string, body: SearchBodyInput) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'test-records', body],
    queryFn: async ({ signal }) =>
      (
        await call('POST /datasets/:dataset_id/records/search', {
          params: { dataset_id: datasetId },
          query: { offset: 0, limit: 1, include: [] },
          body,
          signal,
        })
      ).total,
    staleTime: cacheCounts,
  })

/** The first record of the dataset, to preview settings with; null if there is none. */
export const firstRecordQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'first-record'],
    queryFn: async ({ signal }) =>
      (await call('GET /datasets/:dataset_id/records', { params: { dataset_id: id }, query: { limit: 1 }, signal })).items[0] ??
      null,
    staleTime: cacheMedium,
  })

/** Adds an optional question to a published dataset. @throws ApiError */
export const addQuestion = (datasetId: string, body: BodyInputOf<typeof createQuestion>): Promise<Question> =>
  call('POST /datasets/:dataset_id/questions', { params: { dataset_id: datasetId }, body: { ...body, to_published: true } })

/** All queries that the settings page of a dataset shows. */
const shownQueries = (id: string) => [
  datasetQuery(id),
  fieldsQuery(id),
  questionsQuery(id),
  labelColoursQuery(id),
  metadataPropertiesQuery(id),
  vectorsQuery(id),
  queueSettingsQuery(id),
  searchSettingsQuery(id),
  activeTimeSettingsQuery(id),
  suggestionSettingsQuery(id),
  reviewSettingsQuery(id),
  hasAnswersQuery(id),
]

/**
 * All changes that the settings page makes. If a call fails, it rejects with ApiError, and the page then shows the stored state.
 */
export const settingsCalls = (client: QueryClient, datasetId: string) => ({
  /**
   * Refetches everything on the page, because others may have changed it. Requests in flight are not repeated.
   * @param age the minimum age of the data to refetch, in milliseconds; 0 refetches everything
   */
  refresh: (age = 0): void => {
    const isStale = ({ state }: Query): boolean => Date.now() - state.dataUpdatedAt >= age
    for (const { queryKey } of shownQueries(datasetId))
      void client.invalidateQueries({ queryKey, exact: true, predicate: isStale }, { cancelRefetch: false })
  },
  /** Rejects with 404 if the dataset was deleted. The page then reports the deletion. */
  readDataset: () => client.fetchQuery({ ...datasetQuery(datasetId), staleTime: 0 }),
  // Changes must be based on the server's current state.
  readFields: () => client.fetchQuery({ ...fieldsQuery(datasetId), staleTime: 0 }),
  readQuestions: () => client.fetchQuery({ ...questionsQuery(datasetId), staleTime: 0 }),
  readColours: () => client.fetchQuery({ ...labelColoursQuery(datasetId), staleTime: 0 }),
  readMetadata: () => client.fetchQuery({ ...metadataPropertiesQuery(datasetId), staleTime: 0 }),
  readVectors: () => client.fetchQuery({ ...vectorsQuery(datasetId), staleTime: 0 }),
  readSearch: () => client.fetchQuery({ ...searchSettingsQuery(datasetId), staleTime: 0 }),
  readActiveTime: () => client.fetchQuery({ ...activeTimeSettingsQuery(datasetId), staleTime: 0 }),
  readSuggestions: () => client.fetchQuery({ ...suggestionSettingsQuery(datasetId), staleTime: 0 }),
  readQueue: () => client.fetchQuery({ ...queueSettingsQuery(datasetId), staleTime: 0 }),
  readReview: () => client.fetchQuery({ ...reviewSettingsQuery(datasetId), staleTime: 0 }),
  updateDataset: async (body: DatasetUpdate): Promise<void> =>
    cacheDataset(client, await call('PATCH /datasets/:dataset_id', { params: { dataset_id: datasetId }, body })),
  publish: async (): Promise<void> =>
    cacheDataset(client, await call('PUT /datasets/:dataset_id/publish', { params: { dataset_id: datasetId } })),
  /** @returns false if someone else had already deleted the dataset */
  remove: async (): Promise<boolean> => {
    const wasDeletedHere = await call('DELETE /datasets/:dataset_id', { params: { dataset_id: datasetId } }).then(
      () => true,
      (error) => {
        if (isUnknownDataset(error)) return false
        throw error
      },
    )
    client.removeQueries({ queryKey: ['dataset', datasetId] })
    removeFromHome(client, datasetId)
    return wasDeletedHere
  },
  setQueue: async (body: QueueSettings): Promise<void> => {
    const stored = await call('PUT /datasets/:dataset_id/queue-settings', { params: { dataset_id: datasetId }, body })
    client.setQueryData(queueSettingsQuery(datasetId).queryKey, stored)
  },
  setSearch: async (body: SearchSettings): Promise<void> => {
    const stored = await call('PUT /datasets/:dataset_id/search-settings', { params: { dataset_id: datasetId }, body })
    client.setQueryData(searchSettingsQuery(datasetId).queryKey, stored)
  },
  setActiveTime: async (body: ActiveTimeSettings): Promise<void> => {
    const stored = await call('PUT /datasets/:dataset_id/active-time-settings', { params: { dataset_id: datasetId }, body })
    client.setQueryData(activeTimeSettingsQuery(datasetId).queryKey, stored)
    await client.invalidateQueries({ queryKey: ['dataset', datasetId, 'insights'] })
  },
  setSuggestions: async (body: SuggestionSettings): Promise<void> => {
    const stored = await call('PUT /datasets/:dataset_id/suggestion-settings', { params: { dataset_id: datasetId }, body })
    client.setQueryData(suggestionSettingsQuery(datasetId).queryKey, stored)
  },
  setReview: async (body: ReviewSettingsInput): Promise<void> => {
    const stored = await call('PUT /datasets/:dataset_id/review-settings', { params: { dataset_id: datasetId }, body })
    client.setQueryData(reviewSettingsQuery(datasetId).queryKey, stored)
  },
  updateField: async (id: string, body: FieldUpdate): Promise<void> => {
    const field = await call('PATCH /fields/:field_id', { params: { field_id: id }, body })
    client.setQueryData(fieldsQuery(datasetId).queryKey, (list) => replaceById(list, field))
    void client.invalidateQueries({ queryKey: fieldsQuery(datasetId).queryKey })
  },
  updateQuestion: async (id: string, body: QuestionUpdate): Promise<void> => {
    const question = await call('PATCH /questions/:question_id', { params: { question_id: id }, body })
    client.setQueryData(questionsQuery(datasetId).queryKey, (list) => replaceById(list, question))
    void client.invalidateQueries({ queryKey: questionsQuery(datasetId).queryKey })
    // Most changes create a schema version.
    void client.invalidateQueries({ queryKey: schemaVersionsQuery(datasetId).queryKey })
  },
  updateColours: async (id: string, hues: ReadonlyMap<string, number>): Promise<void> => {
    const body = { colours: [...hues].map(([value, hue]) => ({ value, hue })) }
    await call('PUT /questions/:question_id/label-colours', { params: { question_id: id }, body })
    await client.invalidateQueries({ queryKey: labelColoursQuery(datasetId).queryKey })
  },
  updateMetadata: async (id: string, body: MetadataPropertyUpdate): Promise<void> => {
    await call('PATCH /metadata-properties/:metadata_property_id', { params: { metadata_property_id: id }, body })
    await client.invalidateQueries({ queryKey: metadataPropertiesQuery(datasetId).queryKey })
  },
  updateVector: async (id: string, title: string): Promise<void> => {
    await call('PATCH /vectors-settings/:vector_settings_id', { params: { vector_settings_id: id }, body: { title } })
    await client.invalidateQueries({ queryKey: vectorsQuery(datasetId).queryKey })
  },
})
export type SettingsCalls = ReturnType<typeof settingsCalls>
