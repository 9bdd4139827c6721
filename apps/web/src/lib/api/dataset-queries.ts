import type { getDataset } from '@postil/contract/datasets.ts'
import type { listFields } from '@postil/contract/fields.ts'
import type { listLabelColours, QuestionColours } from '@postil/contract/label-colours.ts'
import type { listMyMetadataProperties } from '@postil/contract/metadata-properties.ts'
import type { getWorkspace } from '@postil/contract/people/workspace-endpoints.ts'
import type { listQuestions } from '@postil/contract/questions.ts'
import type { getQueueSettings } from '@postil/contract/queue.ts'
import type { listVectorsSettings } from '@postil/contract/vectors-settings.ts'
import { queryOptions } from '@tanstack/react-query'
import { cacheLarge, cacheMedium } from '#lib/constants.ts'
import { ApiError } from './api-error.ts'
import { call, path } from './client.ts'

const datasets = '/api/v1/datasets'

/** Whether the ID is malformed or no dataset has it. */
export const isUnknownDataset = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 422)

export const datasetQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id],
    queryFn: ({ signal }) => call<typeof getDataset>('GET', path(datasets, id), { signal }),
    staleTime: cacheLarge,
  })

export const fieldsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'fields'],
    queryFn: async ({ signal }) => (await call<typeof listFields>('GET', path(datasets, id, 'fields'), { signal })).items,
    staleTime: cacheMedium,
  })

export const questionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'questions'],
    queryFn: async ({ signal }) => (await call<typeof listQuestions>('GET', path(datasets, id, 'questions'), { signal })).items,
    staleTime: cacheMedium,
  })

/** The chosen hues of labels, by question and label. */
export const huesOf = (items: readonly QuestionColours[]): ReadonlyMap<string, ReadonlyMap<string, number>> =>
  new Map(items.map(({ question_id, colours }) => [question_id, new Map(colours.map(({ value, hue }) => [value, hue]))]))

export const labelColoursQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'label-colours'],
    queryFn: async ({ signal }) =>
      huesOf((await call<typeof listLabelColours>('GET', path(datasets, id, 'label-colours'), { signal })).items),
    staleTime: cacheMedium,
  })

export const workspaceQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id],
    queryFn: ({ signal }) => call<typeof getWorkspace>('GET', path('/api/v1/workspaces', id), { signal }),
    staleTime: cacheLarge,
  })

/** The queue settings of a dataset. */
export const queueSettingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'queue-settings'],
    queryFn: ({ signal }) => call<typeof getQueueSettings>('GET', path(datasets, id, 'queue-settings'), { signal }),
    staleTime: cacheMedium,
  })

/** The metadata properties that the caller can see. */
export const metadataPropertiesQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'metadata-properties', 'mine'],
    queryFn: async ({ signal }) =>
      (await call<typeof listMyMetadataProperties>('GET', path('/api/v1/me/datasets', id, 'metadata-properties'), { signal }))
        .items,
    staleTime: cacheMedium,
  })

/** The vectors that similarity search uses. */
export const vectorsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'vectors-settings', 'list'],
    queryFn: async ({ signal }) =>
      (await call<typeof listVectorsSettings>('GET', path(datasets, id, 'vectors-settings'), { signal })).items,
    staleTime: cacheMedium,
  })
