import type { createDataset, deleteDataset, getDataset, publishDataset, updateDataset } from '@postil/contract/datasets.ts'
import type { createField, deleteField, listFields } from '@postil/contract/fields.ts'
import type {
  checkFile,
  checkMyFile,
  chooseMySheet,
  chooseSheet,
  FileCheck,
  ImportFile,
  listImports,
  startImport,
  uploadFile,
  uploadMyFile,
} from '@postil/contract/files/imports.ts'
import type { finishUpload } from '@postil/contract/files/uploads.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type {
  createMetadataProperty,
  deleteMetadataProperty,
  listMyMetadataProperties,
} from '@postil/contract/metadata-properties.ts'
import type { createWorkspace } from '@postil/contract/people/workspace-endpoints.ts'
import type { getProgress } from '@postil/contract/progress.ts'
import type { createQuestion, deleteQuestion, listQuestions } from '@postil/contract/questions.ts'
import { queryOptions } from '@tanstack/react-query'
import { href } from '#lib/api/base.ts'
import { call, path } from '#lib/api/client.ts'
import { undoWithRetry } from '#lib/api/undo-with-retry.ts'
import { isRunning, notifyJobStarted } from '#lib/jobs.ts'
import type { UploadOptions } from '#lib/net/upload.ts'
import { upload } from '#lib/net/upload.ts'
import type { Draft } from './draft.ts'
import type { FileMappingBody, MappingBody, Origin, PlanBody, Stored } from './wire.ts'
import { fieldBody, hasStoredParts, mappingOf, originOf, propertyBody, questionBody } from './wire.ts'

const datasets = '/api/v1/datasets'
const myImports = '/api/v1/me/imports/files'
const maxFileName = 200

type SendOptions = Pick<UploadOptions, 'signal' | 'onProgress'>
/** Keeps the end of a long name, which contains the format. */
export const uploadName = (file: File): string => file.name.slice(-maxFileName)

/** Uploads a file in one piece. @param datasetId null for a dataset that does not exist yet */
export const sendFile = (datasetId: string | null, file: File, sending: SendOptions): Promise<ImportFile> => {
  const options = { ...sending, query: new URLSearchParams({ name: uploadName(file) }) }
  return datasetId === null
    ? upload<typeof uploadMyFile>(myImports, file, options)
    : upload<typeof uploadFile>(path(datasets, datasetId, 'imports', 'files'), file, options)
}

/** Reads another sheet of an uploaded workbook. @param datasetId the same as for the upload */
export const readSheet = (datasetId: string | null, fileId: string, sheet: string): Promise<ImportFile> =>
  datasetId === null
    ? call<typeof chooseMySheet>('POST', path(myImports, fileId, 'sheet'), { body: { sheet } })
    : call<typeof chooseSheet>('POST', path(datasets, datasetId, 'imports', 'files', fileId, 'sheet'), { body: { sheet } })

export const checkPlan = (fileId: string, body: PlanBody, signal: AbortSignal): Promise<FileCheck> =>
  call<typeof checkMyFile>('POST', path(myImports, fileId, 'check'), { body, signal })

export const checkMapping = (
  datasetId: string,
  fileId: string,
  mapping: FileMappingBody,
  signal: AbortSignal,
): Promise<FileCheck> =>
  call<typeof checkFile>('POST', path(datasets, datasetId, 'imports', 'files', fileId, 'check'), { body: { mapping }, signal })

export const startImportJob = (datasetId: string, fileId: string, mapping: MappingBody | FileMappingBody): Promise<Job> =>
  call<typeof startImport>('POST', path(datasets, datasetId, 'imports', 'files', fileId, 'start'), { body: { mapping } }).then(
    notifyJobStarted,
  )

/** The URL of the report of rows that an import skipped. */
export const reportHref = (datasetId: string, fileId: string, format: 'csv' | 'jsonl'): string =>
  href(`${path(datasets, datasetId, 'imports', 'files', fileId, 'report')}?format=${format}`)

/** How often the progress of a running import is requested, in milliseconds. */
const pollInterval = 1000

/** The latest imports into a dataset, newest first. Refreshed while one is running. */
export const importsQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'imports'],
    queryFn: async ({ signal }) =>
      (await call<typeof listImports>('GET', path(datasets, datasetId, 'imports'), { signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(({ job }) => isRunning(job)) ? pollInterval : false),
  })

export const recordCountQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'record-count'],
    queryFn: async ({ signal }) =>
      (await call<typeof getProgress>('GET', path(datasets, datasetId, 'progress'), { signal })).total,
    staleTime: 0,
  })

const bodyOf = (draft: Draft) => ({
  name: draft.name.trim(),
  guidelines: draft.guidelines.trim() || null,
  distribution: { strategy: 'overlap' as const, min_submitted: Number(draft.minSubmitted) },
})

/** Questions are created last, because a span question needs its field. */
const createParts = async (id: string, { fields, questions, properties }: Draft): Promise<void> => {
  for (const part of fields) await call<typeof createField>('POST', path(datasets, id, 'fields'), { body: fieldBody(part) })
  for (const part of questions)
    await call<typeof createQuestion>('POST', path(datasets, id, 'questions'), { body: questionBody(part) })
  for (const part of properties) {
    const body = propertyBody(part)
    await call<typeof createMetadataProperty>('POST', path(datasets, id, 'metadata-properties'), { body })
  }
}

/** Returns a draft dataset with its current parts. */
export const readStored = async (id: string): Promise<Stored> => {
  const [dataset, fields, questions, properties] = await Promise.all([
    call<typeof getDataset>('GET', path(datasets, id)),
    call<typeof listFields>('GET', path(datasets, id, 'fields')),
    call<typeof listQuestions>('GET', path(datasets, id, 'questions')),
    call<typeof listMyMetadataProperties>('GET', path('/api/v1/me/datasets', id, 'metadata-properties')),
  ])
  return { dataset, fields: fields.items, questions: questions.items, properties: properties.items }
}

export const storedQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'draft'],
    queryFn: () => readStored(id),
    // The form is initialized from this data, which must not change afterwards.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** An uploaded file of the user that has not been imported, as long as the server keeps it. */
export const storedFileQuery = (fileId: string) =>
  queryOptions({
    queryKey: ['kept-file', fileId],
    queryFn: () => call<typeof finishUpload>('POST', path('/api/v1/me/imports/uploads', fileId, 'finish')),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

const removeParts = async ({ fields, questions, properties }: Stored): Promise<void> => {
  for (const { id } of questions) await call<typeof deleteQuestion>('DELETE', path('/api/v1/questions', id))
  for (const { id } of fields) await call<typeof deleteField>('DELETE', path('/api/v1/fields', id))
  for (const { id } of properties) await call<typeof deleteMetadataProperty>('DELETE', path('/api/v1/metadata-properties', id))
}

export const removeDataset = async (id: string): Promise<void> => {
  await call<typeof deleteDataset>('DELETE', path(datasets, id))
}

/**
 * Creates a draft dataset with its parts. If that fails halfway, the dataset is deleted.
 * @param onUndone called after that deletion, which may be delayed if the server can't be reached
 * @returns its ID
 */
export const createDatasetWithParts = async (draft: Draft, file: Origin, onUndone?: () => void): Promise<string> => {
  const body = { ...bodyOf(draft), metadata: originOf(draft, file), workspace_id: draft.workspaceId }
  const { id } = await call<typeof createDataset>('POST', datasets, { body })
  try {
    await createParts(id, draft)
    return id
  } catch (error) {
    await undoWithRetry(() => removeDataset(id), onUndone)
    throw error
  }
}

/** Saves the changes of a draft dataset. */
export const updateDatasetParts = async (id: string, draft: Draft, file: Origin): Promise<void> => {
  // Read here to see changes from an earlier attempt or by another user.
  const stored = await readStored(id)
  const { metadata } = stored.dataset
  // If no file fills the columns any more, no file is stored.
  const cleared = metadata?.['mapping'] ? { file: null, file_id: null, mapping: mappingOf(draft) } : null
  const origin = originOf(draft, file) ?? cleared
  const body = { ...bodyOf(draft), ...(origin && { metadata: { ...metadata, ...origin } }) }
  await call<typeof updateDataset>('PATCH', path(datasets, id), { body })
  if (hasStoredParts(stored, draft)) return
  await removeParts(stored)
  await createParts(id, draft)
}

export const publish = async (id: string): Promise<void> => {
  await call<typeof publishDataset>('PUT', path(datasets, id, 'publish'))
}

/** Creates a workspace. For owners. @throws ApiError */
export const addWorkspace = (name: string) => call<typeof createWorkspace>('POST', '/api/v1/workspaces', { body: { name } })
