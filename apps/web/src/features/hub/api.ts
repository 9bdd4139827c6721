import type { BodyInputOf } from '@postil/contract/endpoint.ts'
import type { checkHub, getHubRepository, HubPreview, HubRepository, previewHub } from '@postil/contract/hub.ts'
import type { FileCheck } from '@postil/contract/imports.ts'
import type { cancelJob, exportDataset, getJob, importDataset, Job } from '@postil/contract/jobs.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, path } from '#lib/api/client.ts'

export type HubSource = { readonly name: string; readonly subset: string; readonly split: string }
type Plan = Omit<BodyInputOf<typeof checkHub>, keyof HubSource>

/** What the hub has changes seldom; the server keeps it for a while too. */
const kept = { staleTime: 600_000, refetchOnWindowFocus: false, retry: false } as const

export const repositoryQuery = (name: string) =>
  queryOptions({
    queryKey: ['hub', name],
    queryFn: ({ signal }): Promise<HubRepository> =>
      call<typeof getHubRepository>('GET', `/api/v1/me/hub/repository?${new URLSearchParams({ name })}`, { signal }),
    ...kept,
  })

export const previewQuery = (source: HubSource | null) =>
  queryOptions({
    queryKey: ['hub', source?.name, source?.subset, source?.split],
    queryFn: ({ signal }): Promise<HubPreview> =>
      call<typeof previewHub>('GET', `/api/v1/me/hub/preview?${new URLSearchParams({ ...source })}`, { signal }),
    enabled: source !== null,
    placeholderData: keepPreviousData,
    ...kept,
  })

export const checkHubPlan = ({ name, subset, split }: HubSource, plan: Plan, signal: AbortSignal): Promise<FileCheck> =>
  call<typeof checkHub>('POST', '/api/v1/me/hub/check', { body: { name, subset, split, ...plan }, signal })

export const beginHubImport = (
  datasetId: string,
  { name, subset, split }: HubSource,
  mapping: BodyInputOf<typeof importDataset>['mapping'],
): Promise<Job> =>
  call<typeof importDataset>('POST', path('/api/v1/datasets', datasetId, 'import'), { body: { name, subset, split, mapping } })

export type PushForm = { readonly name: string; readonly private: boolean; readonly token: string }

export const beginExport = (datasetId: string, form: PushForm): Promise<Job> =>
  call<typeof exportDataset>('POST', path('/api/v1/datasets', datasetId, 'export'), { body: form })

export const stopExport = (jobId: string): Promise<Job> => call<typeof cancelJob>('POST', path('/api/v1/jobs', jobId, 'cancel'))

const running: ReadonlySet<Job['status']> = new Set(['queued', 'started', 'scheduled', 'deferred'])
export const isRunning = ({ status }: Job): boolean => running.has(status)
/** How often a running export is asked how far it is, in milliseconds. */
const askEvery = 1000

export const exportQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['job', jobId],
    queryFn: ({ signal }) => call<typeof getJob>('GET', path('/api/v1/jobs', jobId), { signal }),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? askEvery : false),
    retry: false,
  })
