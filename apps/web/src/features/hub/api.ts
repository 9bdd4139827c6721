import type { checkHub, HubPreview, HubRepository } from '@postil/contract/files/hub.ts'
import { hubTokenHeader } from '@postil/contract/files/hub-token.ts'
import type { FileCheck } from '@postil/contract/files/imports.ts'
import type { importDataset, Job } from '@postil/contract/jobs.ts'
import type { BodyInputOf } from '@postil/contract/wire/endpoint.ts'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { cacheLarge } from '#lib/constants.ts'
import { isRunning, notifyJobStarted } from '#lib/jobs.ts'

export type HubSource = { readonly name: string; readonly subset: string; readonly split: string }
/**
 * A Hub token for private datasets. If it is null, the server reads only what it can read without a token from the user. The
 * token is kept as long as the form is open.
 */
export type HubToken = string | null
const headersOf = (token: HubToken) => (token === null ? undefined : { [hubTokenHeader]: token })
type Plan = Omit<BodyInputOf<typeof checkHub>, keyof HubSource>

/** Hub data changes rarely, and the server caches it too. */
const headerOptions = { staleTime: cacheLarge, refetchOnWindowFocus: false, retry: false } as const

export const repositoryQuery = (name: string, token: HubToken) =>
  queryOptions({
    queryKey: ['hub', token, name],
    queryFn: ({ signal }): Promise<HubRepository> =>
      call('GET /me/hub/repository', { query: { name }, signal, headers: headersOf(token), hasTimeout: false }),
    ...headerOptions,
  })

export const previewQuery = (source: HubSource | null, token: HubToken) =>
  queryOptions({
    queryKey: ['hub', token, source?.name, source?.subset, source?.split],
    queryFn:
      source === null
        ? skipToken
        : ({ signal }): Promise<HubPreview> =>
            call('GET /me/hub/preview', { query: source, signal, headers: headersOf(token), hasTimeout: false }),
    placeholderData: keepPreviousData,
    ...headerOptions,
  })

export const checkHubPlan = (
  { name, subset, split }: HubSource,
  token: HubToken,
  plan: Plan,
  signal: AbortSignal,
): Promise<FileCheck> => call('POST /me/hub/check', { body: { name, subset, split, ...plan }, signal, headers: headersOf(token) })

export const beginHubImport = (
  datasetId: string,
  { name, subset, split }: HubSource,
  { mapping, token }: { readonly mapping: BodyInputOf<typeof importDataset>['mapping']; readonly token: HubToken },
): Promise<Job> =>
  call('POST /datasets/:dataset_id/import', {
    params: { dataset_id: datasetId },
    body: { name, subset, split, mapping, token },
  }).then(notifyJobStarted)

type PushForm = { readonly name: string; readonly private: boolean; readonly token: string }

export const beginExport = (datasetId: string, form: PushForm): Promise<Job> =>
  call('POST /datasets/:dataset_id/export', {
    params: { dataset_id: datasetId },
    body: { ...form, subset: 'default', split: 'train' },
  }).then(notifyJobStarted)

/** Polling interval for a running export, in milliseconds. */
const pollInterval = 1000

export const exportQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['job', jobId],
    queryFn: ({ signal }) => call('GET /jobs/:job_id', { params: { job_id: jobId }, signal }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? pollInterval : false),
    retry: false,
  })
