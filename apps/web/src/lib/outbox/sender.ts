import { bulkChunk } from '#lib/constants.ts'
import type { Edit } from '#lib/drafts/edit.ts'
import { backoff } from './backoff.ts'
import type { Disk, LinesByRecord, LineUpdate, LineUpdates } from './disk.ts'
import { confirmMutation, markAttempted, markConflict, nextMutation, rejectMutation } from './outbox-line.ts'
import type { MutationResult, Transport } from './transport.ts'
import type { Mutation, OutboxLine, ServerAnswer } from './types.ts'

export type SenderState = 'idle' | 'sending' | 'waiting' | 'signed_out'

export type Sender = {
  /** Retries at once, even during a pause. */
  readonly wake: () => void
  readonly stop: () => void
  readonly state: () => SenderState
}

/** A change that the server has confirmed. */
export type ConfirmedMutation = { readonly mutationId: string; readonly standing: ServerAnswer | null }

type Options = {
  readonly userId: string
  readonly device: Disk
  readonly transport: Transport
  /** Runs `work` while no other tab sends. */
  readonly runExclusively: (work: () => Promise<void>) => Promise<void>
  /** Called after every change to lines, with the changed lines and the confirmed changes. Both are keyed by record ID. */
  readonly onLines: (lines: LinesByRecord, confirmed: ReadonlyMap<string, ConfirmedMutation>) => void
  readonly onState: () => void
}

type ReadyMutation = { readonly line: OutboxLine; readonly entry: Mutation }
type SentMutation = Pick<OutboxLine, 'record_id' | 'dataset_id'> & {
  readonly mutation_id: string
  readonly result: MutationResult
}

const readyMutationsIn = (line: OutboxLine | null): readonly ReadyMutation[] => {
  const entry = line && nextMutation(line)
  return entry ? [{ line, entry }] : []
}

/** Returns how to update a record's line in the outbox after a request. Null if the entry must be sent again. */
const updateAfter = ({ record_id, mutation_id, result }: SentMutation): [[string, LineUpdate]] | null => {
  if (result.kind === 'done') return [[record_id, (line) => confirmMutation(line, mutation_id, result.standing)]]
  if (result.kind === 'conflict') return [[record_id, (line) => markConflict(line, mutation_id, result.standing)]]
  if (result.kind === 'rejected') return [[record_id, (line) => rejectMutation(line, mutation_id, result)]]
  return null
}

const confirmationIn = ({ record_id, mutation_id, result }: SentMutation): [[string, ConfirmedMutation]] | null =>
  result.kind === 'done' ? [[record_id, { mutationId: mutation_id, standing: result.standing }]] : null

/** Rebases edits onto the server's new version if they are based on an answer that was being sent. */
const editsAfter = (userId: string, { record_id, dataset_id, mutation_id, result }: SentMutation): readonly Edit[] => {
  if (result.kind !== 'done') return []
  const base_version = { previous: mutation_id, next: result.standing?.version ?? null }
  return [{ user_id: userId, dataset_id, record_id, edited_at: Date.now(), answers: new Map(), base_version }]
}

/**
 * Maximum number of parallel requests. A browser opens six connections to a server, and the web app needs some of them for
 * other requests.
 */
const maxParallelRequests = 4

const noConfirmations: ReadonlyMap<string, ConfirmedMutation> = new Map()

/**
 * Creates a sender for one user's changes on this device. It sends changes until none are left, the oldest first. It sends the
 * changes of several records in parallel, but the changes of each record in order.
 */
export const createSender = ({ userId, device, transport, runExclusively, onLines, onState }: Options): Sender => {
  let state: SenderState = 'idle'
  let stopped = false
  let running = false
  let wokenWhileRunning = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const setState = (next: SenderState): void => {
    if (state === next) return
    state = next
    onState()
  }

  const change = async (updates: LineUpdates, done = noConfirmations, edits?: readonly Edit[]): Promise<LinesByRecord> => {
    const lines = await device.updateLines(userId, updates, edits)
    onLines(lines, done)
    return lines
  }

  /** Marks the next outbox entry of each record as attempted, and returns these entries. */
  const claim = async (recordIds: readonly string[]): Promise<readonly ReadyMutation[]> => {
    const mark: LineUpdate = (line) => markAttempted(line, (line && nextMutation(line)?.mutation_id) ?? '')
    const lines = await change(new Map(recordIds.map((id) => [id, mark])))
    return [...lines.values()].flatMap(readyMutationsIn)
  }

  const request = async ({ line, entry }: ReadyMutation): Promise<SentMutation> => {
    const { record_id, dataset_id, base: base_version } = line
    const { change: requested, mutation_id, active_ms } = entry
    const common = { record_id, user_id: userId, mutation_id, base_version, ...(active_ms !== undefined && { active_ms }) }
    if (requested.kind === 'remove') return { record_id, dataset_id, mutation_id, result: await transport.remove(common) }
    const { kind: _, ...answer } = requested
    return { record_id, dataset_id, mutation_id, result: await transport.put({ ...common, ...answer }) }
  }

  /** Sends several entries in parallel. Stops when an outcome shows that the remaining entries would fail, too. */
  const requestAll = async (claimed: readonly ReadyMutation[]): Promise<readonly SentMutation[]> => {
    const sent: SentMutation[] = []
    const remaining = [...claimed]
    let canContinue = true
    const sendNext = async (): Promise<void> => {
      for (let next = remaining.shift(); next && canContinue && !stopped; next = remaining.shift()) {
        const one = await request(next)
        sent.push(one)
        canContinue &&= !(one.result.kind === 'signed_out' || (one.result.kind === 'failed' && one.result.affectsAll))
      }
    }
    await Promise.all(Array.from({ length: maxParallelRequests }, sendNext))
    return sent
  }

  /** Sends one entry per record. Returns false if nothing more should be sent now. */
  const send = async (recordIds: readonly string[], deferred: Set<string>): Promise<boolean> => {
    const claimed = await claim(recordIds)
    const sent = await requestAll(claimed)
    if (stopped) return false
    const updates = new Map(sent.flatMap((one) => updateAfter(one) ?? []))
    const done = new Map(sent.flatMap((one) => confirmationIn(one) ?? []))
    if (updates.size > 0) {
      failures = 0
      await change(
        updates,
        done,
        sent.flatMap((one) => editsAfter(userId, one)),
      )
    }
    if (sent.some(({ result }) => result.kind === 'signed_out')) {
      setState('signed_out')
      return false
    }
    const failed = sent.flatMap(({ record_id, result }) => (result.kind === 'failed' ? { record_id, ...result } : []))
    if (failed.length === 0) return true
    failures += 1
    for (const { record_id } of failed) deferred.add(record_id)
    setState('waiting')
    wakeIn(Math.max(...failed.map(({ retryAfterMs }) => retryAfterMs ?? backoff(failures))))
    return !failed.some(({ affectsAll }) => affectsAll)
  }

  /** Returns the records with something to send, oldest first. */
  const readyRecords = async (deferred: ReadonlySet<string>): Promise<readonly string[]> => {
    const ready = (await device.lines(userId)).filter((line) => !deferred.has(line.record_id)).flatMap(readyMutationsIn)
    return ready.sort((a, b) => a.entry.made_at - b.entry.made_at).map(({ line }) => line.record_id)
  }

  /**
   * Whether the session still belongs to this sender's user. All tabs share the session, and another tab may have signed in as
   * someone else.
   */
  const isSameUser = async (): Promise<boolean> => {
    const current = await transport.currentUser()
    if (current === userId) return true
    if (current !== undefined) setState('signed_out')
    else fail()
    return false
  }

  const fail = (): void => {
    failures += 1
    setState('waiting')
    wakeIn(backoff(failures))
  }

  const sendAll = async (recordIds: readonly string[], deferred: Set<string>): Promise<boolean> => {
    for (let at = 0; at < recordIds.length; at += bulkChunk) {
      if (stopped || !(await send(recordIds.slice(at, at + bulkChunk), deferred))) return false
    }
    return true
  }

  const drain = async (): Promise<void> => {
    const deferred = new Set<string>()
    let ready = await readyRecords(deferred)
    if (stopped) return
    if (ready.length === 0) {
      if (state !== 'signed_out') setState('idle')
      return
    }
    setState('sending')
    if (!(await isSameUser())) return
    while (ready.length > 0) {
      if (!(await sendAll(ready, deferred))) return
      ready = await readyRecords(deferred)
    }
    if (deferred.size > 0) setState('waiting')
  }

  const run = async (): Promise<void> => {
    running = true
    clearTimeout(timer)
    try {
      await runExclusively(drain)
    } catch {
      // Reading or writing the device's storage failed. The data stays in the storage, and sending is retried.
      fail()
    }
    running = false
    if (state === 'sending') setState('idle')
    if (wokenWhileRunning && !stopped) wake()
  }

  const wake = (): void => {
    if (stopped) return
    wokenWhileRunning = running
    if (!running) void run()
  }

  const wakeIn = (milliseconds: number): void => {
    clearTimeout(timer)
    timer = setTimeout(wake, milliseconds)
  }

  return {
    wake,
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
    state: () => state,
  }
}
