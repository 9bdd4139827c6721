import type { Edit } from '#lib/drafts/edit.ts'
import type { LinesByRecord, LineUpdate, LineUpdates } from './disk.ts'
import { newMutationId } from './mutation-id.ts'
import { addMutation, dropAnswer, keepMine } from './outbox-line.ts'
import type { ConfirmedMutation, Sender, SenderState } from './sender.ts'
import { createSender } from './sender.ts'
import { fromStoredLine, type StoredLine, toStoredLine } from './stored-line.ts'
import type { Transport } from './transport.ts'
import type { BaseVersion, Change, OutboxLine, SaveState, ServerAnswer } from './types.ts'
import type { Device } from './with-memory-fallback.ts'

/** Exchanges messages with this browser's other tabs. */
export type Channel = {
  readonly post: (message: unknown) => void
  readonly listen: (listener: (message: unknown) => void) => void
}

export type OutboxSnapshot = {
  /** The user whose answers these are, or null before anyone has signed in. */
  readonly userId: string | null
  readonly sender: SenderState
  /**
   * Records whose answer or edits are only in memory because the browser doesn't store them. They are lost when the tab closes.
   */
  readonly memoryOnly: ReadonlySet<string>
  /** Lines with unconfirmed changes, keyed by record ID. */
  readonly lines: ReadonlyMap<string, OutboxLine>
  /** Records whose last change is shown but not yet stored on the device. If the tab closed now, the change would be lost. */
  readonly unwritten: ReadonlySet<string>
}

export type UnsentCounts = { readonly waiting: number; readonly issues: number }

export const countUnsent = (lines: readonly OutboxLine[]): UnsentCounts => {
  const { length: issues } = lines.filter(({ issue }) => issue !== null)
  return { waiting: lines.length - issues, issues }
}

export type Confirmation = {
  readonly recordId: string
  /** The server's answer, or null if it was removed. */
  readonly standing: ServerAnswer | null
  /** Whether the change was made in this tab since the web app was loaded. */
  readonly isOwn: boolean
}
type Place = { readonly datasetId: string; readonly recordId: string }
/**
 * A change to an answer. `base` is the version of the answer that was changed. `ended` contains the unsaved edits that became
 * part of this change. They are removed from the unsaved edits. `activeMs` is the active time since the previous change.
 */
export type MutationInput = Place & {
  readonly base: BaseVersion
  readonly change: Change
  readonly ended?: Edit | null
  readonly activeMs?: number
}
/**
 * A message between tabs. The properties of each line have the same names as in storage, because the receiving tab may run an
 * older release.
 */
type Message = {
  readonly user_id: string
  readonly lines: ReadonlyMap<string, StoredLine | null>
  readonly confirmed: ReadonlyMap<string, ConfirmedMutation>
}

type Options = {
  readonly device: Promise<Device>
  readonly transport: Transport
  readonly runExclusively: (work: () => Promise<void>) => Promise<void>
  readonly channel: Channel
  /** Called when the server reports that the session has ended or belongs to another user. */
  readonly onSignedOut: () => void
}

export type Outbox = ReturnType<typeof createOutbox>

const noUser = { userId: null, sender: 'idle', lines: new Map() } as const

/**
 * Creates the outbox, which delivers every answer from this browser to the server. It stores an answer on this device first,
 * and then retries until the server has confirmed it. No answer is lost.
 */
export const createOutbox = ({ device, transport, runExclusively, channel, onSignedOut }: Options) => {
  let snapshot: OutboxSnapshot = { ...noUser, memoryOnly: new Set(), unwritten: new Set() }
  let sender: Sender | null = null
  const listeners = new Set<() => void>()
  const confirmationListeners = new Set<(confirmation: Confirmation) => void>()
  const dropListeners = new Set<(recordId: string) => void>()
  /**
   * Number of this tab's pending writes, keyed by record. Until the writes finish, the screen shows newer data than the device
   * has.
   */
  const writing = new Map<string, number>()
  const unwritten = (): ReadonlySet<string> => new Set(writing.keys())

  const publish = (next: Partial<OutboxSnapshot>): void => {
    snapshot = { ...snapshot, ...next }
    for (const listener of listeners) listener()
  }

  void device.then((storage) => {
    const publishMemoryOnly = (): void => publish({ memoryOnly: storage.memoryOnly() })
    storage.listen(publishMemoryOnly)
    publishMemoryOnly()
  })

  const showLines = (changed: LinesByRecord): void => {
    const lines = new Map(snapshot.lines)
    for (const [recordId, line] of changed) {
      if (line) lines.set(recordId, line)
      else lines.delete(recordId)
    }
    publish({ lines, unwritten: unwritten() })
  }
  /** Shows the lines that are stored on the device. Leaves out records for which this tab is writing a newer change. */
  const showStored = (lines: LinesByRecord): void => showLines(new Map([...lines].filter(([recordId]) => !writing.has(recordId))))

  /** IDs of changes that were made in this tab. */
  const own = new Set<string>()
  /** The last confirmed version of each record that this tab changed, numbered in the order of confirmation. */
  const lastConfirmed = new Map<string, { readonly number: number; readonly base: BaseVersion }>()
  let confirmations = 0

  const notifyConfirmed = (confirmed: ReadonlyMap<string, ConfirmedMutation>): void => {
    for (const [recordId, { mutationId, standing }] of confirmed) {
      for (const listener of confirmationListeners) listener({ recordId, standing, isOwn: own.has(mutationId) })
      confirmations += 1
      if (own.delete(mutationId)) lastConfirmed.set(recordId, { number: confirmations, base: standing?.version ?? null })
    }
  }

  /** The user whose answers this tab accepts. It stays set after a sign-out, because the open page still accepts answers. */
  let owner: string | null = null

  const notifyOtherTabs = (
    userId: string,
    lines: LinesByRecord,
    confirmed: ReadonlyMap<string, ConfirmedMutation> = new Map(),
  ): void => {
    const stored = new Map([...lines].map(([recordId, line]) => [recordId, line && toStoredLine(line)]))
    channel.post({ user_id: userId, lines: stored, confirmed } satisfies Message)
  }

  channel.listen((raw) => {
    const message = raw as Message
    if (message.user_id !== snapshot.userId) return
    showStored(new Map([...message.lines].map(([recordId, line]) => [recordId, line && fromStoredLine(line)])))
    notifyConfirmed(message.confirmed)
  })

  const beginWriting = (recordId: string): void => void writing.set(recordId, (writing.get(recordId) ?? 0) + 1)
  const endWriting = (recordId: string): void => {
    const left = (writing.get(recordId) ?? 1) - 1
    if (left > 0) writing.set(recordId, left)
    else writing.delete(recordId)
  }

  /**
   * Shows the changed lines at once, stores them together, and sends them. Resolves with the lines when all of them are stored on
   * the device.
   */
  const change = async (updates: LineUpdates, ended?: readonly Edit[]): Promise<LinesByRecord> => {
    const userId = owner
    if (userId === null) throw new Error('an answer without a user')
    for (const recordId of updates.keys()) beginWriting(recordId)
    if (snapshot.userId === userId)
      showLines(new Map([...updates].map(([recordId, update]) => [recordId, update(snapshot.lines.get(recordId) ?? null)])))
    const storage = await device
    const lines = await storage.updateLines(userId, updates, ended)
    for (const recordId of updates.keys()) endWriting(recordId)
    if (snapshot.userId !== userId) {
      publish({ unwritten: unwritten() })
      return lines
    }
    showStored(lines)
    notifyOtherTabs(userId, lines)
    sender?.wake()
    return lines
  }
  const updateOne = async (recordId: string, update: LineUpdate): Promise<void> => {
    await change(new Map([[recordId, update]]))
  }

  let starting: Promise<void> | null = null

  const begin = async (userId: string): Promise<void> => {
    owner = userId
    publish({ ...noUser, userId, unwritten: unwritten() })
    const storage = await device
    const lines = await storage.lines(userId)
    if (snapshot.userId !== userId) return
    sender = createSender({
      userId,
      device: storage,
      transport,
      runExclusively,
      onState: () => {
        const state = sender?.state() ?? 'idle'
        publish({ sender: state })
        if (state === 'signed_out') onSignedOut()
      },
      onLines: (changed, confirmed) => {
        if (snapshot.userId !== userId) return
        showStored(changed)
        notifyOtherTabs(userId, changed, confirmed)
        notifyConfirmed(confirmed)
      },
    })
    publish({
      lines: new Map([...lines.map((line) => [line.record_id, line] as const), ...snapshot.lines]),
    })
    sender.wake()
  }

  const start = async (userId: string): Promise<void> => {
    // If the outbox is already running for this user, it only has to be woken. If the session has ended since, everything is
    // reset.
    if (snapshot.userId === userId && starting !== null && snapshot.sender !== 'signed_out') {
      await starting
      return sender?.wake()
    }
    stop()
    starting = begin(userId)
    await starting
  }

  const stop = (): void => {
    sender?.stop()
    sender = null
    starting = null
    publish({ ...noUser, unwritten: unwritten() })
  }

  const updateFor = ({ datasetId, recordId, base, change: requested, activeMs }: MutationInput): LineUpdate => {
    const time = activeMs === undefined ? {} : { active_ms: activeMs }
    const entry = { mutation_id: newMutationId(), change: requested, made_at: Date.now(), attempted: false, ...time }
    own.add(entry.mutation_id)
    const place = { user_id: owner ?? '', dataset_id: datasetId, record_id: recordId }
    const confirmationsBefore = confirmations
    // The previous change may be confirmed while the new change is being written to the device. If so, the new change is based on
    // the confirmed version.
    const latestBase = (): BaseVersion => {
      const last = lastConfirmed.get(recordId)
      return last && last.number > confirmationsBefore ? last.base : base
    }
    return (line) => addMutation(line, place, latestBase(), entry)
  }

  return {
    /**
     * Starts sending this user's answers from this device. Call it after sign-in. Resolves when the outbox lines that are stored
     * on the device have been read.
     */
    start,
    /** Stops sending. Unsent answers stay on the device until the same user returns. */
    stop,
    /** Retries at once, for example when the network is back or the window is visible again. */
    wake: (): void => sender?.wake(),
    /**
     * Stores and sends answers to different records. Stores either all of these answers or none. Also removes the corresponding
     * unsaved edits. Resolves with the records' outbox lines.
     */
    save: (...requested: readonly MutationInput[]): Promise<LinesByRecord> =>
      change(
        new Map(requested.map((input) => [input.recordId, updateFor(input)])),
        requested.flatMap(({ ended }) => ended ?? []),
      ),
    /** Resolves a conflict with the user's own answer. */
    keepMine: (recordId: string): Promise<void> => {
      const mutationId = newMutationId()
      own.add(mutationId)
      return updateOne(recordId, (line) => keepMine(line, mutationId))
    },
    /** Drops a rejected answer, or resolves a conflict with the server's answer. */
    drop: (recordId: string): Promise<void> => {
      // Listeners are called before the outbox line is removed. Otherwise, the answer would briefly count as saved.
      for (const listener of dropListeners) listener(recordId)
      return updateOne(recordId, dropAnswer)
    },
    /** Calls a listener before an answer is dropped anywhere in this tab. Returns a function that removes the listener. */
    onDropped: (listener: (recordId: string) => void): (() => void) => {
      const own: typeof listener = (recordId) => listener(recordId)
      dropListeners.add(own)
      return () => dropListeners.delete(own)
    },
    /**
     * Counts a user's records with unsent changes on this device. The changes to `waiting` records will be sent automatically.
     * The changes to records with `issues` wait for the user's decision.
     */
    unsentCounts: async (userId: string): Promise<UnsentCounts> => countUnsent(await (await device).lines(userId)),
    /**
     * Returns how many answers the server has confirmed since the web app was loaded. Data requested before the last
     * confirmation may not include that answer.
     */
    confirmations: (): number => confirmations,
    /**
     * Registers a listener that is called when the server has confirmed a change to an answer, even if another tab sent it.
     * Returns a function that removes the listener.
     */
    onConfirmed: (listener: (confirmation: Confirmation) => void): (() => void) => {
      const own: typeof listener = (confirmation) => listener(confirmation)
      confirmationListeners.add(own)
      return () => confirmationListeners.delete(own)
    },
    subscribe: (listener: () => void): (() => void) => {
      // Wrapped, so that registering the same function twice and removing it once leaves one registration.
      const own = (): void => listener()
      listeners.add(own)
      return () => listeners.delete(own)
    },
    snapshot: (): OutboxSnapshot => snapshot,
  }
}

/** Returns the save state of a record's answer. */
export const saveStateOf = ({ lines, sender, unwritten }: OutboxSnapshot, recordId: string): SaveState => {
  const line = lines.get(recordId)
  // A change that is not yet written to the device is not safe, whatever the state of the network.
  if (unwritten.has(recordId)) return 'saving'
  if (!line) return 'saved'
  if (line.issue) return line.issue.kind
  return sender === 'waiting' || sender === 'signed_out' ? 'kept' : 'saving'
}

/**
 * Whether closing the tab now would lose an answer, because it is still being written to the device or the browser refused to
 * store it.
 */
export const wouldLoseAnswers = ({ unwritten, memoryOnly }: OutboxSnapshot): boolean => unwritten.size > 0 || memoryOnly.size > 0

export type SaveCounts = { readonly [S in SaveState]: number }

/** Counts the answers to these records by save state. */
export const saveCounts = (snapshot: OutboxSnapshot, recordIds: readonly string[]): SaveCounts => {
  const counts = { saved: 0, saving: 0, kept: 0, rejected: 0, conflict: 0 }
  for (const id of recordIds) counts[saveStateOf(snapshot, id)] += 1
  return counts
}
