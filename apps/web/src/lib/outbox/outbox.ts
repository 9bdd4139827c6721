import type { Device } from './device.ts'
import { added, givenUp, keptMine } from './line.ts'
import { newMutationId } from './mutation-id.ts'
import type { Confirmed, Sender, SenderState } from './sender.ts'
import { createSender } from './sender.ts'
import type { Transport } from './transport.ts'
import type { Base, Change, Line, SaveState, StandingAnswer } from './types.ts'

/** Tells the other tabs of this browser. */
export type Channel = {
  readonly post: (message: unknown) => void
  readonly listen: (listener: (message: unknown) => void) => void
}

export type OutboxSnapshot = {
  /** Whose answers these are; null before anyone has signed in. */
  readonly userId: string | null
  readonly sender: SenderState
  /** False where the browser refuses storage: answers that wait are lost with the tab. */
  readonly isLasting: boolean
  /** What is not confirmed, by record id. */
  readonly lines: ReadonlyMap<string, Line>
}

export type Confirmation = {
  readonly recordId: string
  /** null after a removal. */
  readonly standing: StandingAnswer | null
  /** False when the answer was given in another tab, or before this page was loaded. */
  readonly isOwn: boolean
}
type Place = { readonly datasetId: string; readonly recordId: string }
type Message = {
  readonly user_id: string
  readonly record_id: string
  readonly line: Line | null
  readonly confirmed?: Confirmed
}

type Options = {
  readonly device: Promise<Device>
  readonly transport: Transport
  readonly alone: (work: () => Promise<void>) => Promise<void>
  readonly channel: Channel
}

export type Outbox = ReturnType<typeof createOutbox>

const nobody: OutboxSnapshot = { userId: null, sender: 'idle', isLasting: true, lines: new Map() }

/** The way of every answer from this browser to the server: kept here first, sent until the server has it, never lost. */
export const createOutbox = ({ device, transport, alone, channel }: Options) => {
  let snapshot = nobody
  let sender: Sender | null = null
  const listeners = new Set<() => void>()
  const confirmationListeners = new Set<(confirmation: Confirmation) => void>()
  /** Writes of this tab under way by record: until they are done, what is on the screen is newer than the device. */
  const writing = new Map<string, number>()

  const publish = (next: Partial<OutboxSnapshot>): void => {
    snapshot = { ...snapshot, ...next }
    for (const listener of listeners) listener()
  }

  const show = (recordId: string, line: Line | null): void => {
    const lines = new Map(snapshot.lines)
    if (line) lines.set(recordId, line)
    else lines.delete(recordId)
    publish({ lines })
  }

  /** The changes that were made in this tab. */
  const own = new Set<string>()
  /** What became of them last, by record, numbered in the order of their confirmations. */
  const settled = new Map<string, { readonly number: number; readonly base: Base }>()
  let confirmations = 0

  const tellConfirmed = (recordId: string, { mutationId, standing }: Confirmed): void => {
    for (const listener of confirmationListeners) listener({ recordId, standing, isOwn: own.has(mutationId) })
    confirmations += 1
    if (own.delete(mutationId)) settled.set(recordId, { number: confirmations, base: standing?.version ?? null })
  }

  const tellOthers = (userId: string, recordId: string, line: Line | null, confirmed?: Confirmed): void =>
    channel.post({ user_id: userId, record_id: recordId, line, ...(confirmed && { confirmed }) } satisfies Message)

  channel.listen((raw) => {
    const message = raw as Message
    if (message.user_id !== snapshot.userId) return
    if (!writing.has(message.record_id)) show(message.record_id, message.line)
    if (message.confirmed) tellConfirmed(message.record_id, message.confirmed)
  })

  /** Shows the step at once, stores it, and sends. Resolves when it is on the device. */
  const change = async (recordId: string, step: (line: Line | null) => Line | null, dropDraft = false): Promise<void> => {
    const { userId } = snapshot
    if (userId === null) throw new Error('an answer without a user')
    writing.set(recordId, (writing.get(recordId) ?? 0) + 1)
    show(recordId, step(snapshot.lines.get(recordId) ?? null))
    const storage = await device
    const line = await storage.changeLine(userId, recordId, step, { dropDraft })
    const left = (writing.get(recordId) ?? 1) - 1
    if (left > 0) writing.set(recordId, left)
    else writing.delete(recordId)
    if (snapshot.userId !== userId) return
    if (left === 0) show(recordId, line)
    if (storage.isLasting !== snapshot.isLasting) publish({ isLasting: storage.isLasting })
    tellOthers(userId, recordId, line)
    sender?.wake()
  }

  let started: Promise<void> | null = null

  const begin = async (userId: string): Promise<void> => {
    publish({ ...nobody, userId })
    const storage = await device
    const lines = await storage.lines(userId)
    if (snapshot.userId !== userId) return
    sender = createSender({
      userId,
      device: storage,
      transport,
      alone,
      onState: () => publish({ sender: sender?.state() ?? 'idle' }),
      onLine: (recordId, line, confirmed) => {
        if (snapshot.userId !== userId) return
        if (!writing.has(recordId)) show(recordId, line)
        tellOthers(userId, recordId, line, confirmed)
        if (confirmed) tellConfirmed(recordId, confirmed)
      },
    })
    publish({
      isLasting: storage.isLasting,
      lines: new Map([...lines.map((line) => [line.record_id, line] as const), ...snapshot.lines]),
    })
    sender.wake()
  }

  const start = async (userId: string): Promise<void> => {
    if (snapshot.userId === userId && started !== null) {
      await started
      return sender?.wake()
    }
    stop()
    started = begin(userId)
    await started
  }

  const stop = (): void => {
    sender?.stop()
    sender = null
    started = null
    publish(nobody)
  }

  return {
    /** Sends what this user has on this device, from now on. Call it once they have signed in; resolves when it is known. */
    start,
    /** Stops sending. What is unsent stays on the device for when the same user is back. */
    stop,
    /** Tries at once: the network is back, or the window is looked at again. */
    wake: (): void => sender?.wake(),
    /** Keeps an answer and sends it; `base` is the answer it was made from. Also removes the record's unsaved edits. */
    save: ({ datasetId, recordId }: Place, base: Base, wanted: Change): Promise<void> => {
      const userId = snapshot.userId ?? ''
      const entry = { mutation_id: newMutationId(), change: wanted, made_at: Date.now(), attempted: false }
      own.add(entry.mutation_id)
      const place = { user_id: userId, dataset_id: datasetId, record_id: recordId }
      const known = confirmations
      // The change before this one may be confirmed while this one is on its way to the device: then it is built upon that.
      const latestBase = (): Base => {
        const last = settled.get(recordId)
        return last && last.number > known ? last.base : base
      }
      return change(recordId, (line) => added(line, place, latestBase(), entry), true)
    },
    /** Settles a conflict with this person's own answer. */
    keepMine: (recordId: string): Promise<void> => {
      const mutationId = newMutationId()
      own.add(mutationId)
      return change(recordId, (line) => keptMine(line, mutationId))
    },
    /** Gives up an answer that was refused, or settles a conflict with the answer that stands. */
    giveUp: (recordId: string): Promise<void> => change(recordId, givenUp),
    /** How many records of a user have something unsent on this device. */
    pendingCount: async (userId: string): Promise<number> => (await (await device).lines(userId)).length,
    /** Called whenever the server has taken an answer, also one that another tab has sent. Gives the way to end it. */
    onConfirmed: (listener: (confirmation: Confirmation) => void): (() => void) => {
      confirmationListeners.add(listener)
      return () => confirmationListeners.delete(listener)
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot: (): OutboxSnapshot => snapshot,
  }
}

/** Where the answer to one record is. */
export const saveStateOf = ({ lines, sender }: OutboxSnapshot, recordId: string): SaveState => {
  const line = lines.get(recordId)
  if (!line) return 'saved'
  if (line.trouble) return line.trouble.kind
  return sender === 'waiting' || sender === 'signed_out' ? 'kept' : 'saving'
}

const byUrgency: readonly SaveState[] = ['refused', 'conflict', 'kept', 'saving']

/** Of the answers to several records, the state that most needs to be known. */
export const worstSaveState = (snapshot: OutboxSnapshot, recordIds: readonly string[]): SaveState => {
  const states = new Set(recordIds.map((id) => saveStateOf(snapshot, id)))
  return byUrgency.find((state) => states.has(state)) ?? 'saved'
}
