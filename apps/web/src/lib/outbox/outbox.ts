import type { Edit } from '#lib/drafts/edit.ts'
import type { LinesByRecord, Step, Steps } from './disk.ts'
import { added, givenUp, keptMine } from './line.ts'
import { newMutationId } from './mutation-id.ts'
import type { Confirmed, Sender, SenderState } from './sender.ts'
import { createSender } from './sender.ts'
import type { Transport } from './transport.ts'
import type { Base, Change, Line, SaveState, StandingAnswer } from './types.ts'
import type { Device } from './unfailing.ts'

/** Tells the other tabs of this browser. */
export type Channel = {
  readonly post: (message: unknown) => void
  readonly listen: (listener: (message: unknown) => void) => void
}

export type OutboxSnapshot = {
  /** Whose answers these are; null before anyone has signed in. */
  readonly userId: string | null
  readonly sender: SenderState
  /** Records with an answer or edits that the browser does not keep: they are lost with the tab. */
  readonly onlyHere: ReadonlySet<string>
  /** What is not confirmed, by record id. */
  readonly lines: ReadonlyMap<string, Line>
  /** Records whose last change is on the screen and on its way to the device: closed now, the tab would lose it. */
  readonly unwritten: ReadonlySet<string>
}

export type UnsentCounts = { readonly waiting: number; readonly troubled: number }

export const unsentIn = (lines: readonly Line[]): UnsentCounts => {
  const { length: troubled } = lines.filter(({ trouble }) => trouble !== null)
  return { waiting: lines.length - troubled, troubled }
}

export type Confirmation = {
  readonly recordId: string
  /** null after a removal. */
  readonly standing: StandingAnswer | null
  /** False when the answer was given in another tab, or before this page was loaded. */
  readonly isOwn: boolean
}
type Place = { readonly datasetId: string; readonly recordId: string }
/** A change of one's own answer; `base` is the answer that it was made from, `ended` what becomes of the unsaved edits that it was made of. */
export type Wanted = Place & { readonly base: Base; readonly change: Change; readonly ended?: Edit | null }
type Message = {
  readonly user_id: string
  readonly lines: LinesByRecord
  readonly confirmed: ReadonlyMap<string, Confirmed>
}

type Options = {
  readonly device: Promise<Device>
  readonly transport: Transport
  readonly alone: (work: () => Promise<void>) => Promise<void>
  readonly channel: Channel
  /** Called when the server has said that the session is over, or that of somebody else. */
  readonly onSignedOut: () => void
}

export type Outbox = ReturnType<typeof createOutbox>

const nobody = { userId: null, sender: 'idle', lines: new Map() } as const

/** The way of every answer from this browser to the server: kept here first, sent until the server has it, never lost. */
export const createOutbox = ({ device, transport, alone, channel, onSignedOut }: Options) => {
  let snapshot: OutboxSnapshot = { ...nobody, onlyHere: new Set(), unwritten: new Set() }
  let sender: Sender | null = null
  const listeners = new Set<() => void>()
  const confirmationListeners = new Set<(confirmation: Confirmation) => void>()
  const givenUpListeners = new Set<(recordId: string) => void>()
  /** Writes of this tab under way by record: until they are done, what is on the screen is newer than the device. */
  const writing = new Map<string, number>()
  const unwritten = (): ReadonlySet<string> => new Set(writing.keys())

  const publish = (next: Partial<OutboxSnapshot>): void => {
    snapshot = { ...snapshot, ...next }
    for (const listener of listeners) listener()
  }

  void device.then((storage) => {
    const tell = (): void => publish({ onlyHere: storage.onlyHere() })
    storage.listen(tell)
    tell()
  })

  const show = (changed: LinesByRecord): void => {
    const lines = new Map(snapshot.lines)
    for (const [recordId, line] of changed) {
      if (line) lines.set(recordId, line)
      else lines.delete(recordId)
    }
    publish({ lines, unwritten: unwritten() })
  }
  /** Shows what is on the device, where nothing newer is on its way to it. */
  const showStored = (lines: LinesByRecord): void => show(new Map([...lines].filter(([recordId]) => !writing.has(recordId))))

  /** The changes that were made in this tab. */
  const own = new Set<string>()
  /** What became of them last, by record, numbered in the order of their confirmations. */
  const settled = new Map<string, { readonly number: number; readonly base: Base }>()
  let confirmations = 0

  const tellConfirmed = (confirmed: ReadonlyMap<string, Confirmed>): void => {
    for (const [recordId, { mutationId, standing }] of confirmed) {
      for (const listener of confirmationListeners) listener({ recordId, standing, isOwn: own.has(mutationId) })
      confirmations += 1
      if (own.delete(mutationId)) settled.set(recordId, { number: confirmations, base: standing?.version ?? null })
    }
  }

  /** Whose answers are given here: also those of who has gone, as long as their page is still there and takes some. */
  let owner: string | null = null

  const tellOthers = (userId: string, lines: LinesByRecord, confirmed: ReadonlyMap<string, Confirmed> = new Map()): void =>
    channel.post({ user_id: userId, lines, confirmed } satisfies Message)

  channel.listen((raw) => {
    const message = raw as Message
    if (message.user_id !== snapshot.userId) return
    showStored(message.lines)
    tellConfirmed(message.confirmed)
  })

  const beginWriting = (recordId: string): void => void writing.set(recordId, (writing.get(recordId) ?? 0) + 1)
  const endWriting = (recordId: string): void => {
    const left = (writing.get(recordId) ?? 1) - 1
    if (left > 0) writing.set(recordId, left)
    else writing.delete(recordId)
  }

  /** Shows the steps at once, stores them together, and sends. Resolves when all are on the device. */
  const change = async (steps: Steps, ended?: readonly Edit[]): Promise<void> => {
    const userId = owner
    if (userId === null) throw new Error('an answer without a user')
    for (const recordId of steps.keys()) beginWriting(recordId)
    if (snapshot.userId === userId)
      show(new Map([...steps].map(([recordId, step]) => [recordId, step(snapshot.lines.get(recordId) ?? null)])))
    const storage = await device
    const lines = await storage.changeLines(userId, steps, ended)
    for (const recordId of steps.keys()) endWriting(recordId)
    if (snapshot.userId !== userId) return publish({ unwritten: unwritten() })
    showStored(lines)
    tellOthers(userId, lines)
    sender?.wake()
  }
  const changeOne = (recordId: string, step: Step): Promise<void> => change(new Map([[recordId, step]]))

  let started: Promise<void> | null = null

  const begin = async (userId: string): Promise<void> => {
    owner = userId
    publish({ ...nobody, userId, unwritten: unwritten() })
    const storage = await device
    const lines = await storage.lines(userId)
    if (snapshot.userId !== userId) return
    sender = createSender({
      userId,
      device: storage,
      transport,
      alone,
      onState: () => {
        const state = sender?.state() ?? 'idle'
        publish({ sender: state })
        if (state === 'signed_out') onSignedOut()
      },
      onLines: (changed, confirmed) => {
        if (snapshot.userId !== userId) return
        showStored(changed)
        tellOthers(userId, changed, confirmed)
        tellConfirmed(confirmed)
      },
    })
    publish({
      lines: new Map([...lines.map((line) => [line.record_id, line] as const), ...snapshot.lines]),
    })
    sender.wake()
  }

  const start = async (userId: string): Promise<void> => {
    // Whoever has been signed out, and is back, begins anew: nothing is known to be kept until it is tried.
    if (snapshot.userId === userId && started !== null && snapshot.sender !== 'signed_out') {
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
    publish({ ...nobody, unwritten: unwritten() })
  }

  const stepFor = ({ datasetId, recordId, base, change: wanted }: Wanted): Step => {
    const entry = { mutation_id: newMutationId(), change: wanted, made_at: Date.now(), attempted: false }
    own.add(entry.mutation_id)
    const place = { user_id: owner ?? '', dataset_id: datasetId, record_id: recordId }
    const known = confirmations
    // The change before this one may be confirmed while this one is on its way to the device: then it is built upon that.
    const latestBase = (): Base => {
      const last = settled.get(recordId)
      return last && last.number > known ? last.base : base
    }
    return (line) => added(line, place, latestBase(), entry)
  }

  return {
    /** Sends what this user has on this device, from now on. Call it once they have signed in; resolves when it is known. */
    start,
    /** Stops sending. What is unsent stays on the device for when the same user is back. */
    stop,
    /** Tries at once: the network is back, or the window is looked at again. */
    wake: (): void => sender?.wake(),
    /** Keeps answers to different records and sends them, all of them or none. The unsaved edits that they were made of end with it. */
    save: (...wanted: readonly Wanted[]): Promise<void> =>
      change(
        new Map(wanted.map((one) => [one.recordId, stepFor(one)])),
        wanted.flatMap(({ ended }) => ended ?? []),
      ),
    /** Settles a conflict with this person's own answer. */
    keepMine: (recordId: string): Promise<void> => {
      const mutationId = newMutationId()
      own.add(mutationId)
      return changeOne(recordId, (line) => keptMine(line, mutationId))
    },
    /** Gives up an answer that was refused, or settles a conflict with the answer that stands. */
    giveUp: (recordId: string): Promise<void> => {
      // Before its line goes: an answer without one would count as taken.
      for (const listener of givenUpListeners) listener(recordId)
      return changeOne(recordId, givenUp)
    },
    /** Called before an answer is given up, wherever in this tab. Gives the way to end it. */
    onGivenUp: (listener: (recordId: string) => void): (() => void) => {
      const own: typeof listener = (recordId) => listener(recordId)
      givenUpListeners.add(own)
      return () => givenUpListeners.delete(own)
    },
    /** How many records of a user have something unsent on this device: what is sent by itself, and what has to be decided about first. */
    unsentCounts: async (userId: string): Promise<UnsentCounts> => unsentIn(await (await device).lines(userId)),
    /** How many answers the server has taken since the page is there: what was asked for before the last one may be without it. */
    confirmations: (): number => confirmations,
    /** Called whenever the server has taken an answer, also one that another tab has sent. Gives the way to end it. */
    onConfirmed: (listener: (confirmation: Confirmation) => void): (() => void) => {
      const own: typeof listener = (confirmation) => listener(confirmation)
      confirmationListeners.add(own)
      return () => confirmationListeners.delete(own)
    },
    subscribe: (listener: () => void): (() => void) => {
      // Whoever listens twice with the same function, and ends it once, goes on listening.
      const own = (): void => listener()
      listeners.add(own)
      return () => listeners.delete(own)
    },
    snapshot: (): OutboxSnapshot => snapshot,
  }
}

/** Where the answer to one record is. */
export const saveStateOf = ({ lines, sender, unwritten }: OutboxSnapshot, recordId: string): SaveState => {
  const line = lines.get(recordId)
  // What the device has not written is not kept yet, whatever became of the network.
  if (unwritten.has(recordId)) return 'saving'
  if (!line) return 'saved'
  if (line.trouble) return line.trouble.kind
  return sender === 'waiting' || sender === 'signed_out' ? 'kept' : 'saving'
}

/** Whether closing the tab now would lose an answer, which is on its way to the device, or what the browser has refused to keep. */
export const wouldLose = ({ unwritten, onlyHere }: OutboxSnapshot): boolean => unwritten.size > 0 || onlyHere.size > 0

export type SaveCounts = { readonly [S in SaveState]: number }

/** Of the answers to several records, how many are where. */
export const saveCounts = (snapshot: OutboxSnapshot, recordIds: readonly string[]): SaveCounts => {
  const counts = { saved: 0, saving: 0, kept: 0, refused: 0, conflict: 0 }
  for (const id of recordIds) counts[saveStateOf(snapshot, id)] += 1
  return counts
}
