import type { ReadAs } from '@postil/contract/files/foreign-formats.ts'
import type { FileCheck, ImportFile, ReadingBody } from '@postil/contract/files/imports.ts'
import type { Job } from '@postil/contract/jobs.ts'
import { queryOptions } from '@tanstack/react-query'
import { href } from '#lib/api/base.ts'
import { call, pathOf } from '#lib/api/client.ts'
import { undoWithRetry } from '#lib/api/undo-with-retry.ts'
import { isRunning, notifyJobStarted } from '#lib/jobs.ts'
import type { UploadOptions } from '#lib/net/upload.ts'
import { upload } from '#lib/net/upload.ts'
import type { AnnotatorBody } from './annotators.ts'
import type { Draft } from './draft.ts'
import type { FileMappingBody, MappingBody, Origin, PlanBody, Stored } from './wire.ts'
import { fieldBody, hasStoredParts, mappingOf, originOf, propertyBody, questionBody } from './wire.ts'

const maxFileName = 200

/** Returns the file's name for the upload. A long name is shortened at the start, because its end contains the format. */
export const uploadName = (file: File): string => file.name.slice(-maxFileName)

/** Uploads a file in one piece. @param datasetId null for a dataset that does not exist yet */
export const sendFile = (datasetId: string | null, file: File, sending: UploadOptions): Promise<ImportFile> => {
  const options = { ...sending, query: { name: uploadName(file) } }
  return datasetId === null
    ? upload('POST /me/imports/files', file, options)
    : upload('POST /datasets/:dataset_id/imports/files', file, { ...options, params: { dataset_id: datasetId } })
}

/** Reads another sheet of an uploaded workbook. @param datasetId the same as for the upload */
export const readSheet = (datasetId: string | null, fileId: string, sheet: string): Promise<ImportFile> =>
  datasetId === null
    ? call('POST /me/imports/files/:file_id/sheet', { params: { file_id: fileId }, body: { sheet } })
    : call('POST /datasets/:dataset_id/imports/files/:file_id/sheet', {
        params: { dataset_id: datasetId, file_id: fileId },
        body: { sheet },
      })

/**
 * Reads an uploaded file in the format of another program, or as a plain table.
 * @param datasetId the same value as in the upload
 */
export const readFileAs = (datasetId: string | null, fileId: string, as: ReadAs): Promise<ImportFile> =>
  datasetId === null
    ? call('POST /me/imports/files/:file_id/read-as', { params: { file_id: fileId }, body: { as } })
    : call('POST /datasets/:dataset_id/imports/files/:file_id/read-as', {
        params: { dataset_id: datasetId, file_id: fileId },
        body: { as },
      })

/** Reads an uploaded file again, with a different encoding, separator, heading or unit. @param datasetId the same as for the upload */
export const rereadFile = (datasetId: string | null, fileId: string, body: ReadingBody): Promise<ImportFile> =>
  datasetId === null
    ? call('POST /me/imports/files/:file_id/reading', { params: { file_id: fileId }, body })
    : call('POST /datasets/:dataset_id/imports/files/:file_id/reading', {
        params: { dataset_id: datasetId, file_id: fileId },
        body,
      })

export const checkPlan = (fileId: string, body: PlanBody, signal: AbortSignal): Promise<FileCheck> =>
  call('POST /me/imports/files/:file_id/check', { params: { file_id: fileId }, body, signal })

export const checkMapping = (
  datasetId: string,
  fileId: string,
  mapping: FileMappingBody,
  signal: AbortSignal,
): Promise<FileCheck> =>
  call('POST /datasets/:dataset_id/imports/files/:file_id/check', {
    params: { dataset_id: datasetId, file_id: fileId },
    body: { mapping },
    signal,
  })

export const startImportJob = (datasetId: string, fileId: string, mapping: MappingBody | FileMappingBody): Promise<Job> =>
  call('POST /datasets/:dataset_id/imports/files/:file_id/start', {
    params: { dataset_id: datasetId, file_id: fileId },
    body: { mapping },
  }).then(notifyJobStarted)

/** The URL of the report of rows that an import skipped. */
export const reportHref = (datasetId: string, fileId: string, format: 'csv' | 'jsonl'): string => {
  const params = { dataset_id: datasetId, file_id: fileId }
  return href(`${pathOf('GET /datasets/:dataset_id/imports/files/:file_id/report', params)}?format=${format}`)
}

/** How often the progress of a running import is requested, in milliseconds. */
const pollInterval = 1000

/** The latest imports into a dataset, newest first. Refreshed while one is running. */
export const importsQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'imports'],
    queryFn: async ({ signal }) =>
      (await call('GET /datasets/:dataset_id/imports', { params: { dataset_id: datasetId }, signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(({ job }) => isRunning(job)) ? pollInterval : false),
  })

export const recordCountQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'record-count'],
    queryFn: async ({ signal }) =>
      (await call('GET /datasets/:dataset_id/progress', { params: { dataset_id: datasetId }, signal })).total,
    staleTime: 0,
  })

/** A form's state. `annotators` is undefined if all annotations in the file are imported as suggestions. */
type Content = { readonly draft: Draft; readonly file: Origin; readonly annotators: readonly AnnotatorBody[] | undefined }

const bodyOf = (draft: Draft) => ({
  name: draft.name.trim(),
  guidelines: draft.guidelines.trim() || null,
  distribution: { strategy: 'overlap' as const, min_submitted: Number(draft.minSubmitted) },
})

/** Questions are created last, because a span question needs its field, and a condition may refer to metadata. */
const createParts = async (id: string, { fields, questions, properties }: Draft): Promise<void> => {
  for (const part of fields)
    await call('POST /datasets/:dataset_id/fields', { params: { dataset_id: id }, body: fieldBody(part) })
  for (const part of properties) {
    const body = propertyBody(part)
    await call('POST /datasets/:dataset_id/metadata-properties', { params: { dataset_id: id }, body })
  }
  for (const part of questions)
    await call('POST /datasets/:dataset_id/questions', { params: { dataset_id: id }, body: questionBody(part) })
}

/** Returns a draft dataset with its current parts. */
const readStored = async (id: string): Promise<Stored> => {
  const [dataset, fields, questions, properties] = await Promise.all([
    call('GET /datasets/:dataset_id', { params: { dataset_id: id } }),
    call('GET /datasets/:dataset_id/fields', { params: { dataset_id: id } }),
    call('GET /datasets/:dataset_id/questions', { params: { dataset_id: id } }),
    call('GET /me/datasets/:dataset_id/metadata-properties', { params: { dataset_id: id } }),
  ])
  return { dataset, fields: fields.items, questions: questions.items, properties: properties.items }
}

export const storedQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'draft'],
    queryFn: () => readStored(id),
    // The form is initialized from this data, which must not change afterward.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** A file that the user has uploaded but not imported. The server keeps it for a while. */
export const storedFileQuery = (fileId: string) =>
  queryOptions({
    queryKey: ['kept-file', fileId],
    queryFn: () => call('POST /me/imports/uploads/:file_id/finish', { params: { file_id: fileId } }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

const removeParts = async ({ fields, questions, properties }: Stored): Promise<void> => {
  // A question can't be deleted while the condition of a later one refers to it.
  for (const { id } of questions.toReversed()) await call('DELETE /questions/:question_id', { params: { question_id: id } })
  for (const { id } of fields) await call('DELETE /fields/:field_id', { params: { field_id: id } })
  for (const { id } of properties)
    await call('DELETE /metadata-properties/:metadata_property_id', { params: { metadata_property_id: id } })
}

export const removeDataset = async (id: string): Promise<void> => {
  await call('DELETE /datasets/:dataset_id', { params: { dataset_id: id } })
}

/**
 * Creates a draft dataset with its parts. If that fails halfway, the dataset is deleted.
 * @param onUndone called after that deletion, which may be delayed if the server can't be reached
 * @returns its ID
 */
export const createDatasetWithParts = async ({ draft, file, annotators }: Content, onUndone?: () => void): Promise<string> => {
  const body = { ...bodyOf(draft), metadata: originOf(draft, file, annotators), workspace_id: draft.workspaceId }
  const { id } = await call('POST /datasets', { body })
  try {
    await createParts(id, draft)
    return id
  } catch (error) {
    await undoWithRetry(() => removeDataset(id), onUndone)
    throw error
  }
}

/** Saves the changes to a draft dataset. */
export const updateDatasetParts = async (id: string, { draft, file, annotators }: Content): Promise<void> => {
  // The stored dataset is read here, so that changes from an earlier attempt or by another user are included.
  const stored = await readStored(id)
  const { metadata } = stored.dataset
  // If no part is filled from a file anymore, no file is stored.
  const cleared = metadata?.['mapping'] ? { file: null, file_id: null, mapping: mappingOf(draft) } : null
  const origin = originOf(draft, file, annotators) ?? cleared
  const body = { ...bodyOf(draft), ...(origin && { metadata: { ...metadata, ...origin } }) }
  await call('PATCH /datasets/:dataset_id', { params: { dataset_id: id }, body })
  if (hasStoredParts(stored, draft)) return
  await removeParts(stored)
  await createParts(id, draft)
}

export const publish = async (id: string): Promise<void> => {
  await call('PUT /datasets/:dataset_id/publish', { params: { dataset_id: id } })
}

/** Creates a workspace. For owners. @throws ApiError */
export const addWorkspace = (name: string) => call('POST /workspaces', { body: { name } })
