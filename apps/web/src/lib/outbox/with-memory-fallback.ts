import { backoff } from './backoff.ts'
import type { Disk } from './disk.ts'
import { createHeldEdits } from './held-edits.ts'
import { createHeldLines } from './held-lines.ts'

/**
 * Stores a user's work on the device. Work that the browser refuses to store is kept in this tab's memory. The functions never
 * reject.
 */
export type Device = Disk & {
  /** Returns the records whose answer or edits would be lost if the tab closed. */
  readonly memoryOnly: () => ReadonlySet<string>
  readonly listen: (listener: () => void) => void
}

const isSameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((one) => b.has(one))

/**
 * Keeps writes in memory while the disk refuses them, because a full disk must not stop anyone from answering. Refused writes
 * are retried after the next successful one, and periodically.
 */
export const withMemoryFallback = (disk: Disk): Device => {
  const lines = createHeldLines(disk)
  const edits = createHeldEdits(disk, lines.isMemoryOnly)
  const listeners = new Set<() => void>()
  let memoryOnly: ReadonlySet<string> = new Set()
  let last: Promise<unknown> = Promise.resolve()
  let isRetrying = false
  let retries = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  /**
   * Runs writes one after another. Otherwise, an answer that the disk refused at first could be written to the disk after a newer
   * answer.
   */
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  const updateState = (): void => {
    const hasHeld = lines.keys().length + edits.keys().length > 0
    if (!hasHeld) {
      clearTimeout(timer)
      timer = undefined
      retries = 0
    } else timer ??= setTimeout(retryLater, backoff(retries))
    const next = new Set([...lines.memoryOnlyRecords(), ...edits.memoryOnlyRecords()])
    if (isSameSet(next, memoryOnly)) return
    memoryOnly = next
    for (const listener of listeners) listener()
  }

  const tryOrFallBack = <T>(work: () => Promise<T>, fallback: () => T): Promise<T> =>
    enqueue(async () => {
      try {
        return await work()
      } catch {
        return fallback()
      } finally {
        updateState()
      }
    })

  /** Retries each write separately, because a write that is too large must not block the others. */
  const retryAll = async (): Promise<void> => {
    if (isRetrying) return
    isRetrying = true
    const ignoreFailure = (): void => undefined
    for (const key of lines.keys()) await tryOrFallBack(() => lines.retry(key), ignoreFailure)
    for (const key of edits.keys()) await tryOrFallBack(() => edits.retry(key), ignoreFailure)
    isRetrying = false
  }
  const retryLater = (): void => {
    timer = undefined
    retries += 1
    void retryAll().then(updateState)
  }
  /** Called when the disk accepts a write, possibly after failures. */
  const afterWrite = (): void => {
    if (lines.keys().length + edits.keys().length > 0) void retryAll()
  }

  return {
    memoryOnly: () => memoryOnly,
    listen: (listener) => void listeners.add(listener),
    lines: (userId) =>
      tryOrFallBack(
        () => lines.read(userId),
        () => lines.visible(userId),
      ),
    updateLines: (userId, updates, ended = []) =>
      tryOrFallBack(
        async () => {
          const changed = await lines.change(userId, updates, ended.map(edits.mergeWithHeld))
          for (const edit of ended) edits.release(edit)
          afterWrite()
          return changed
        },
        () => {
          const changed = lines.changeInMemory(userId, updates)
          for (const edit of ended) edits.hold(edit)
          return changed
        },
      ),
    drafts: (userId, datasetId) =>
      tryOrFallBack(
        async () => edits.applyTo(await disk.drafts(userId, datasetId), userId, datasetId),
        () => edits.applyTo([], userId, datasetId),
      ),
    updateDraft: (edit) =>
      tryOrFallBack(
        () => edits.write(edit).then(afterWrite),
        () => edits.hold(edit),
      ),
  }
}
