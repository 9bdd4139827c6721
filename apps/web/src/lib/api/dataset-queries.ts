import type { QuestionColours } from '@postil/contract/label-colours.ts'
import { queryOptions } from '@tanstack/react-query'
import { cacheLarge, cacheMedium } from '#lib/constants.ts'
import { ApiError } from './api-error.ts'
import { call } from './client.ts'

/** Whether an error means that the ID is malformed or that no dataset has it. */
export const isUnknownDataset = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 422)

export const datasetQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id],
    queryFn: ({ signal }) => call('GET /datasets/:dataset_id', { params: { dataset_id: id }, signal }),
    staleTime: cacheLarge,
  })

export const fieldsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'fields'],
    queryFn: async ({ signal }) => (await call('GET /datasets/:dataset_id/fields', { params: { dataset_id: id }, signal })).items,
    staleTime: cacheMedium,
  })

export const questionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'questions'],
    queryFn: async ({ signal }) =>
      (await call('GET /datasets/:dataset_id/questions', { params: { dataset_id: id }, signal })).items,
    staleTime: cacheMedium,
  })

/** Returns the chosen label hues, keyed by question and then by label. */
export const huesOf = (items: readonly QuestionColours[]): ReadonlyMap<string, ReadonlyMap<string, number>> =>
  new Map(items.map(({ question_id, colours }) => [question_id, new Map(colours.map(({ value, hue }) => [value, hue]))]))

export const labelColoursQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'label-colours'],
    queryFn: async ({ signal }) =>
      huesOf((await call('GET /datasets/:dataset_id/label-colours', { params: { dataset_id: id }, signal })).items),
    staleTime: cacheMedium,
  })

export const workspaceQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id],
    queryFn: ({ signal }) => call('GET /workspaces/:workspace_id', { params: { workspace_id: id }, signal }),
    staleTime: cacheLarge,
  })

/** The members of a workspace. */
export const workspaceUsersQuery = (id: string) =>
  queryOptions({
    queryKey: ['people', id],
    queryFn: async ({ signal }) =>
      (await call('GET /workspaces/:workspace_id/users', { params: { workspace_id: id }, signal })).items,
    staleTime: cacheMedium,
  })

/** The queue settings of a dataset. */
export const queueSettingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'queue-settings'],
    queryFn: ({ signal }) => call('GET /datasets/:dataset_id/queue-settings', { params: { dataset_id: id }, signal }),
    staleTime: cacheMedium,
  })

/** The search settings of a dataset. */
export const searchSettingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'search-settings'],
    queryFn: ({ signal }) => call('GET /datasets/:dataset_id/search-settings', { params: { dataset_id: id }, signal }),
    staleTime: cacheMedium,
  })

/** The setting for who sees the active time of annotators in a dataset. */
export const activeTimeSettingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'active-time-settings'],
    queryFn: ({ signal }) => call('GET /datasets/:dataset_id/active-time-settings', { params: { dataset_id: id }, signal }),
    staleTime: cacheMedium,
  })

/** The settings that determine when annotators see the suggestions in a dataset. */
export const suggestionSettingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'suggestion-settings'],
    queryFn: ({ signal }) => call('GET /datasets/:dataset_id/suggestion-settings', { params: { dataset_id: id }, signal }),
    staleTime: cacheMedium,
  })

/** The metadata properties that the caller can see. */
export const metadataPropertiesQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'metadata-properties', 'mine'],
    queryFn: async ({ signal }) =>
      (await call('GET /me/datasets/:dataset_id/metadata-properties', { params: { dataset_id: id }, signal })).items,
    staleTime: cacheMedium,
  })

/** The vectors that similarity search uses. */
export const vectorsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'vectors-settings', 'list'],
    queryFn: async ({ signal }) =>
      (await call('GET /datasets/:dataset_id/vectors-settings', { params: { dataset_id: id }, signal })).items,
    staleTime: cacheMedium,
  })
