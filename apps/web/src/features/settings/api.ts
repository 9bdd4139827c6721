import type { Dataset, DatasetUpdate, deleteDataset, publishDataset, updateDataset } from '@postil/contract/datasets.ts'
import type { FieldUpdate, updateField } from '@postil/contract/fields.ts'
import type { updateLabelColours } from '@postil/contract/label-colours.ts'
import type { MetadataPropertyUpdate, updateMetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { getUsersProgress } from '@postil/contract/progress.ts'
import type { QuestionUpdate, updateQuestion } from '@postil/contract/questions.ts'
import type { QueueSettings, setQueueSettings } from '@postil/contract/queue.ts'
import type { listRecords } from '@postil/contract/records.ts'
import type { updateVectorSettings } from '@postil/contract/vectors-settings.ts'
import type { Query, QueryClient } from '@tanstack/react-query'
import { queryOptions } from '@tanstack/react-query'
import { homeQuery } from '#features/home/service.ts'
import { call, path } from '#lib/api/client.ts'
import {
  datasetQuery,
  fieldsQuery,
  isUnknownDataset,
  labelColoursQuery,
  metadataPropertiesQuery,
  questionsQuery,
  queueSettingsQuery,
  vectorsQuery,
} from '#lib/api/dataset-queries.ts'
import { cacheMedium } from '#lib/constants.ts'

const datasets = '/api/v1/datasets'

/** The changed one in the place of the old one. */
const replaced = <T extends { readonly id: string }>(list: readonly T[] | undefined, changed: T): T[] | undefined =>
  list?.map((one) => (one.id === changed.id ? changed : one))

const keepDataset = (client: QueryClient, dataset: Dataset): void => {
  client.setQueryData(datasetQuery(dataset.id).queryKey, dataset)
  // What is complete, and what is left for whom, follows from how many answers a record needs.
  for (const counts of ['progress', 'my-metrics']) void client.invalidateQueries({ queryKey: ['dataset', dataset.id, counts] })
  void client.invalidateQueries({ queryKey: ['home'] })
}

/** Takes a dataset that is deleted out of the list at home, which is shown as it was until it has been asked for again. */
export const forgetAtHome = (client: QueryClient, datasetId: string): void => {
  client.setQueryData(
    homeQuery().queryKey,
    (home) => home && { ...home, datasets: home.datasets.filter(({ dataset }) => dataset.id !== datasetId) },
  )
  void client.invalidateQueries({ queryKey: homeQuery().queryKey })
}

/** Whether anybody has answered a record of the dataset, a draft included: what completes a record is settled by then. */
export const hasAnswersQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'has-answers'],
    queryFn: async ({ signal }): Promise<boolean> => {
      const { users } = await call<typeof getUsersProgress>('GET', path(datasets, id, 'users', 'progress'), { signal })
      return users.some(({ completed, pending }) =>
        [completed, pending].some((counts) => Object.values(counts).some((n) => n > 0)),
      )
    },
  })

/** The first record of the dataset, to show what settings make of it; null where there is none. */
export const firstRecordQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'first-record'],
    queryFn: async ({ signal }) =>
      (await call<typeof listRecords>('GET', path(datasets, id, 'records'), { query: { limit: 1 }, signal })).items[0] ?? null,
    staleTime: cacheMedium,
  })

/** Everything that the settings page shows of a dataset. */
const shownQueries = (id: string) => [
  datasetQuery(id),
  fieldsQuery(id),
  questionsQuery(id),
  labelColoursQuery(id),
  metadataPropertiesQuery(id),
  vectorsQuery(id),
  queueSettingsQuery(id),
  hasAnswersQuery(id),
]

/** All that the settings page changes. Each call rejects with ApiError, and the page then shows what is still stored. */
export const settingsCalls = (client: QueryClient, datasetId: string) => ({
  /**
   * Asks again for all that the page shows, as others may have changed it. What is on its way is not asked for twice.
   * @param age how old in milliseconds it has to be; whatever it is by default
   */
  refresh: (age = 0): void => {
    const isOld = ({ state }: Query): boolean => Date.now() - state.dataUpdatedAt >= age
    for (const { queryKey } of shownQueries(datasetId))
      void client.invalidateQueries({ queryKey, exact: true, predicate: isOld }, { cancelRefetch: false })
  },
  /** Rejects with 404 when the dataset is gone, and the page then knows it too. */
  readDataset: () => client.fetchQuery({ ...datasetQuery(datasetId), staleTime: 0 }),
  // What is saved is made upon what the server has by then.
  readFields: () => client.fetchQuery({ ...fieldsQuery(datasetId), staleTime: 0 }),
  readQuestions: () => client.fetchQuery({ ...questionsQuery(datasetId), staleTime: 0 }),
  readColours: () => client.fetchQuery({ ...labelColoursQuery(datasetId), staleTime: 0 }),
  readMetadata: () => client.fetchQuery({ ...metadataPropertiesQuery(datasetId), staleTime: 0 }),
  readVectors: () => client.fetchQuery({ ...vectorsQuery(datasetId), staleTime: 0 }),
  readQueue: () => client.fetchQuery({ ...queueSettingsQuery(datasetId), staleTime: 0 }),
  updateDataset: async (body: DatasetUpdate): Promise<void> =>
    keepDataset(client, await call<typeof updateDataset>('PATCH', path(datasets, datasetId), { body })),
  publish: async (): Promise<void> =>
    keepDataset(client, await call<typeof publishDataset>('PUT', path(datasets, datasetId, 'publish'))),
  /** @returns false when somebody else had deleted it before */
  remove: async (): Promise<boolean> => {
    const isMine = await call<typeof deleteDataset>('DELETE', path(datasets, datasetId)).then(
      () => true,
      (error) => {
        if (isUnknownDataset(error)) return false
        throw error
      },
    )
    client.removeQueries({ queryKey: ['dataset', datasetId] })
    forgetAtHome(client, datasetId)
    return isMine
  },
  setQueue: async (body: QueueSettings): Promise<void> => {
    const stored = await call<typeof setQueueSettings>('PUT', path(datasets, datasetId, 'queue-settings'), { body })
    client.setQueryData(queueSettingsQuery(datasetId).queryKey, stored)
  },
  updateField: async (id: string, body: FieldUpdate): Promise<void> => {
    const field = await call<typeof updateField>('PATCH', path('/api/v1/fields', id), { body })
    client.setQueryData(fieldsQuery(datasetId).queryKey, (list) => replaced(list, field))
    void client.invalidateQueries({ queryKey: fieldsQuery(datasetId).queryKey })
  },
  updateQuestion: async (id: string, body: QuestionUpdate): Promise<void> => {
    const question = await call<typeof updateQuestion>('PATCH', path('/api/v1/questions', id), { body })
    client.setQueryData(questionsQuery(datasetId).queryKey, (list) => replaced(list, question))
    void client.invalidateQueries({ queryKey: questionsQuery(datasetId).queryKey })
  },
  updateColours: async (id: string, hues: ReadonlyMap<string, number>): Promise<void> => {
    const body = { colours: [...hues].map(([value, hue]) => ({ value, hue })) }
    await call<typeof updateLabelColours>('PUT', path('/api/v1/questions', id, 'label-colours'), { body })
    await client.invalidateQueries({ queryKey: labelColoursQuery(datasetId).queryKey })
  },
  updateMetadata: async (id: string, body: MetadataPropertyUpdate): Promise<void> => {
    await call<typeof updateMetadataProperty>('PATCH', path('/api/v1/metadata-properties', id), { body })
    await client.invalidateQueries({ queryKey: metadataPropertiesQuery(datasetId).queryKey })
  },
  updateVector: async (id: string, title: string): Promise<void> => {
    await call<typeof updateVectorSettings>('PATCH', path('/api/v1/vectors-settings', id), { body: { title } })
    await client.invalidateQueries({ queryKey: vectorsQuery(datasetId).queryKey })
  },
})
export type SettingsCalls = ReturnType<typeof settingsCalls>
