import type { ImportFile } from '@postil/contract/files/imports.ts'
import type { beginUpload, dropUpload, finishUpload, getUpload, sendPart, Upload } from '@postil/contract/files/uploads.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { call, path } from '#lib/api/client.ts'
import { uploadPart, uploadPause, uploadPauseMax, uploadsKept } from '#lib/constants.ts'
import { isOnline } from '#lib/net/connection.ts'
import { upload } from '#lib/net/upload.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { sentName } from './api.ts'

export type InParts = {
  readonly signal: AbortSignal
  /** Told of the bytes that are on their way or there. */
  readonly onProgress: (sent: number, total: number) => void
  /** Told when the server cannot be reached, and when it can be again. */
  readonly onWaiting: (isWaiting: boolean) => void
}

const uploads = '/api/v1/me/imports/uploads'

/** What tells a file from others that were chosen before. */
const signOf = (datasetId: string | null, { name, size, lastModified }: File): string =>
  JSON.stringify([datasetId, name, size, lastModified])
const idFor = (file: string): string | undefined => preferences.read().uploads.find(([one]) => one === file)?.[1]
const remember = (file: string, id: string | null): void => {
  const others = preferences.read().uploads.filter(([one]) => one !== file)
  preferences.write({ uploads: id === null ? others : [...others.slice(1 - uploadsKept), [file, id]] })
}

const gone: ReadonlySet<number> = new Set([403, 404, 422])
/** What has arrived of the file before; null when nothing has, or it is not there any more. */
const begun = async (sign: string, signal: AbortSignal): Promise<Upload | null> => {
  const id = idFor(sign)
  if (id === undefined) return null
  try {
    return await call<typeof getUpload>('GET', path(uploads, id), { signal })
  } catch (error) {
    if (!(error instanceof ApiError && gone.has(error.status))) throw error
    remember(sign, null)
    return null
  }
}

/** Whether the same may succeed a moment later; 409: a part that was thought lost has arrived. */
const mayPass = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.isTransient || error.status === 408 || error.status === 409) && error.status !== 500

/** Waits; not as long when the network comes back meanwhile. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
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

/** Does a step until it succeeds, is refused, or is not wanted any more. */
const persist = async <T>(step: () => Promise<T>, { signal, onWaiting }: InParts): Promise<T> => {
  for (let tries = 0; ; tries += 1) {
    try {
      const result = await step()
      if (tries > 0) onWaiting(false)
      return result
    } catch (error) {
      if (signal.aborted || !mayPass(error)) throw error
      onWaiting(true)
      const asked = (error.retryAfter ?? 0) * 1000
      await pause(Math.max(asked, Math.min(uploadPauseMax, uploadPause * 2 ** tries)), signal)
    }
  }
}

/**
 * Sends a file in parts. What does not get through is sent again, for as long as it takes; a file that was left half-way is gone on with
 * when it is chosen again, in this browser.
 * @param datasetId null: for a dataset that does not exist yet
 * @throws ApiError for what the server refuses; AbortError when aborted
 */
export const sendInParts = async (datasetId: string | null, file: File, options: InParts): Promise<ImportFile> => {
  const { signal, onProgress } = options
  const sign = signOf(datasetId, file)
  const body = { name: sentName(file), size: file.size, dataset_id: datasetId }
  const { id, received } = await persist(
    async () => (await begun(sign, signal)) ?? (await call<typeof beginUpload>('POST', uploads, { body, signal })),
    options,
  )
  remember(sign, id)
  const one = path(uploads, id)
  let at = received
  let isSure = true
  const step = async (): Promise<void> => {
    if (!isSure) at = (await call<typeof getUpload>('GET', one, { signal })).received
    isSure = false
    onProgress(at, file.size)
    if (at < file.size) {
      const part = file.slice(at, at + uploadPart, file.type)
      const query = new URLSearchParams({ at: String(at) })
      const onPart = (sent: number): void => onProgress(Math.min(at + sent, file.size - 1), file.size)
      at = (await upload<typeof sendPart>(one, part, { query, method: 'PUT', signal, onProgress: onPart })).received
    }
    isSure = true
  }
  while (at < file.size) await persist(step, options)
  onProgress(file.size, file.size)
  try {
    return await persist(() => call<typeof finishUpload>('POST', path(one, 'finish'), { signal }), options)
  } finally {
    // Whatever the server says of the whole file, there is nothing left to go on with.
    if (!signal.aborted) remember(sign, null)
  }
}

/** Gives up what has arrived of a file. */
export const forgetParts = async (datasetId: string | null, file: File): Promise<void> => {
  const sign = signOf(datasetId, file)
  const id = idFor(sign)
  if (id === undefined) return
  remember(sign, null)
  await call<typeof dropUpload>('DELETE', path(uploads, id)).catch(() => undefined)
}
