import type { ImportFile } from '@postil/contract/files/imports.ts'
import type { Upload } from '@postil/contract/files/uploads.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { call } from '#lib/api/client.ts'
import { rememberedUploadsMax, uploadPartSize, uploadRetryDelay, uploadRetryDelayMax } from '#lib/constants.ts'
import { isOnline } from '#lib/net/connection.ts'
import { upload } from '#lib/net/upload.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { uploadName } from './api.ts'

type PartUploadOptions = {
  readonly signal: AbortSignal
  /** Called with the number of bytes that are in flight or have arrived. */
  readonly onProgress: (sent: number, total: number) => void
  /** Called when the server becomes unreachable, and when it is reachable again. */
  readonly onWaiting: (isWaiting: boolean) => void
}

/** Returns a key by which a file is recognized if the user chooses it again. */
const fileKey = (datasetId: string | null, { name, size, lastModified }: File): string =>
  JSON.stringify([datasetId, name, size, lastModified])
const uploadIdFor = (file: string): string | undefined => preferences.read().uploads.find(([one]) => one === file)?.[1]
const remember = (file: string, id: string | null): void => {
  const others = preferences.read().uploads.filter(([one]) => one !== file)
  preferences.write({ uploads: id === null ? others : [...others.slice(1 - rememberedUploadsMax), [file, id]] })
}

const goneStatuses: ReadonlySet<number> = new Set([403, 404, 422])
/** Returns the upload that was started for the file earlier. Null if there is none or it no longer exists. */
const findStartedUpload = async (key: string, signal: AbortSignal): Promise<Upload | null> => {
  const id = uploadIdFor(key)
  if (id === undefined) return null
  try {
    return await call('GET /me/imports/uploads/:file_id', { params: { file_id: id }, signal })
  } catch (error) {
    if (!(error instanceof ApiError && goneStatuses.has(error.status))) throw error
    remember(key, null)
    return null
  }
}

/** Whether a retry may succeed. 409 means that a part did arrive, although it seemed lost. */
const isRetryable = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.isTransient || error.status === 408 || error.status === 409) && error.status !== 500

/** Waits, but resolves early when the network returns. */
const waitBeforeRetry = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done, fail) => {
    const end = (): void => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      if (signal.aborted) fail(signal.reason)
      else done()
    }
    const timer = setTimeout(end, ms)
    if (!isOnline()) window.addEventListener('online', end)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })

/** Retries a step until it succeeds, is rejected or is canceled. */
const retryUntilDone = async <T>(step: () => Promise<T>, { signal, onWaiting }: PartUploadOptions): Promise<T> => {
  for (let tries = 0; ; tries += 1) {
    try {
      const result = await step()
      if (tries > 0) onWaiting(false)
      return result
    } catch (error) {
      if (signal.aborted || !isRetryable(error)) throw error
      onWaiting(true)
      const requestedDelay = (error.retryAfter ?? 0) * 1000
      await waitBeforeRetry(Math.max(requestedDelay, Math.min(uploadRetryDelayMax, uploadRetryDelay * 2 ** tries)), signal)
    }
  }
}

/**
 * Uploads a file in parts. Failed parts are retried without a limit. An incomplete upload is resumed when the same file is
 * chosen again in this browser.
 * @param datasetId null for a dataset that does not exist yet
 * @throws ApiError if the server rejects the file; AbortError when aborted
 */
export const uploadInParts = async (datasetId: string | null, file: File, options: PartUploadOptions): Promise<ImportFile> => {
  const { signal, onProgress } = options
  const key = fileKey(datasetId, file)
  const body = { name: uploadName(file), size: file.size, dataset_id: datasetId }
  const { id, received } = await retryUntilDone(
    async () => (await findStartedUpload(key, signal)) ?? (await call('POST /me/imports/uploads', { body, signal })),
    options,
  )
  remember(key, id)
  const params = { file_id: id }
  let at = received
  let isSure = true
  const step = async (): Promise<void> => {
    if (!isSure) at = (await call('GET /me/imports/uploads/:file_id', { params, signal })).received
    isSure = false
    onProgress(at, file.size)
    if (at < file.size) {
      const part = file.slice(at, at + uploadPartSize, file.type)
      const onPart = (sent: number): void => onProgress(Math.min(at + sent, file.size - 1), file.size)
      const sending = { params, query: { at }, signal, onProgress: onPart }
      at = (await upload('PUT /me/imports/uploads/:file_id', part, sending)).received
    }
    isSure = true
  }
  while (at < file.size) await retryUntilDone(step, options)
  onProgress(file.size, file.size)
  try {
    return await retryUntilDone(() => call('POST /me/imports/uploads/:file_id/finish', { params, signal }), options)
  } finally {
    // Whatever the server responds when the upload is complete, there is nothing left to resume.
    if (!signal.aborted) remember(key, null)
  }
}

/** Deletes the uploaded parts of a file. */
export const dropUploadedParts = async (datasetId: string | null, file: File): Promise<void> => {
  const key = fileKey(datasetId, file)
  const id = uploadIdFor(key)
  if (id === undefined) return
  remember(key, null)
  await call('DELETE /me/imports/uploads/:file_id', { params: { file_id: id } }).catch(() => undefined)
}
