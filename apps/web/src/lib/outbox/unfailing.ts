import { backoff } from './backoff.ts'
import type { Disk } from './disk.ts'
import { createHeldEdits } from './held-edits.ts'
import { createHeldLines } from './held-lines.ts'

/** What the browser keeps of a person's work, or this tab alone where the browser refuses. Nothing of it rejects. */
export type Device = Disk & {
  /** Records with an answer or edits that are lost with the tab. */
  readonly onlyHere: () => ReadonlySet<string>
  /** Calls whenever those are others. */
  readonly listen: (listener: () => void) => void
}

const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => a.size === b.size && [...a].every((one) => b.has(one))

/**
 * Goes on in memory while the disk refuses: a full one must not stop anyone from answering. What it has refused is offered to it
 * again after the next write that it takes, and now and then without one.
 */
export const unfailing = (disk: Disk): Device => {
  const lines = createHeldLines(disk)
  const edits = createHeldEdits(disk, lines.isOnlyHere)
  const listeners = new Set<() => void>()
  let onlyHere: ReadonlySet<string> = new Set()
  let last: Promise<unknown> = Promise.resolve()
  let isOffering = false
  let offers = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  /** One after the other: an answer that was refused must not come to the disk after the one that follows it. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  const settle = (): void => {
    const isHeld = lines.keys().length + edits.keys().length > 0
    if (!isHeld) {
      clearTimeout(timer)
      timer = undefined
      offers = 0
    } else timer ??= setTimeout(offerLater, backoff(offers))
    const next = new Set([...lines.recordsOnlyHere(), ...edits.recordsOnlyHere()])
    if (isSame(next, onlyHere)) return
    onlyHere = next
    for (const listener of listeners) listener()
  }

  const attempt = <T>(first: () => Promise<T>, instead: () => T): Promise<T> =>
    inTurn(async () => {
      try {
        return await first()
      } catch {
        return instead()
      } finally {
        settle()
      }
    })

  /** Each on its own: one that is too large must not hold up the others. */
  const offerAll = async (): Promise<void> => {
    if (isOffering) return
    isOffering = true
    const nothing = (): void => undefined
    for (const key of lines.keys()) await attempt(() => lines.offer(key), nothing)
    for (const key of edits.keys()) await attempt(() => edits.offer(key), nothing)
    isOffering = false
  }
  const offerLater = (): void => {
    timer = undefined
    offers += 1
    void offerAll().then(settle)
  }
  /** The disk takes writes, perhaps again. */
  const taken = (): void => {
    if (lines.keys().length + edits.keys().length > 0) void offerAll()
  }

  return {
    onlyHere: () => onlyHere,
    listen: (listener) => void listeners.add(listener),
    lines: (userId) =>
      attempt(
        () => lines.read(userId),
        () => lines.visible(userId),
      ),
    changeLines: (userId, steps, ended = []) =>
      attempt(
        async () => {
          const changed = await lines.change(userId, steps, ended.map(edits.withHeld))
          for (const edit of ended) edits.release(edit)
          taken()
          return changed
        },
        () => {
          const changed = lines.changeHere(userId, steps)
          for (const edit of ended) edits.hold(edit)
          return changed
        },
      ),
    drafts: (userId, datasetId) =>
      attempt(
        async () => edits.over(await disk.drafts(userId, datasetId), userId, datasetId),
        () => edits.over([], userId, datasetId),
      ),
    changeDraft: (edit) =>
      attempt(
        () => edits.write(edit).then(taken),
        () => edits.hold(edit),
      ),
  }
}
