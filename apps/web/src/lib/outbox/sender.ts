import { bulkChunk } from '#lib/constants.ts'
import type { Edit } from '#lib/drafts/edit.ts'
import { backoff } from './backoff.ts'
import type { Disk, LinesByRecord, Step, Steps } from './disk.ts'
import { attempted, confirmed, contested, nextEntry, refused } from './line.ts'
import type { Outcome, Transport } from './transport.ts'
import type { Entry, Line, StandingAnswer } from './types.ts'

export type SenderState = 'idle' | 'sending' | 'waiting' | 'signed_out'

export type Sender = {
  /** Tries at once, also when it was waiting. */
  readonly wake: () => void
  readonly stop: () => void
  readonly state: () => SenderState
}

/** What the server has confirmed. */
export type Confirmed = { readonly mutationId: string; readonly standing: StandingAnswer | null }

type Options = {
  readonly userId: string
  readonly device: Disk
  readonly transport: Transport
  /** Runs `work` while no other tab sends. */
  readonly alone: (work: () => Promise<void>) => Promise<void>
  /** After every change of lines, with what the server has confirmed of them, by record id. */
  readonly onLines: (lines: LinesByRecord, confirmed: ReadonlyMap<string, Confirmed>) => void
  readonly onState: () => void
}

type Ready = { readonly line: Line; readonly entry: Entry }
type Sent = Pick<Line, 'record_id' | 'dataset_id'> & { readonly mutation_id: string; readonly outcome: Outcome }

const readyIn = (line: Line | null): readonly Ready[] => {
  const entry = line && nextEntry(line)
  return entry ? [{ line, entry }] : []
}

/** What an outcome makes of its line; null when it is to be sent again. */
const stepAfter = ({ record_id, mutation_id, outcome }: Sent): [[string, Step]] | null => {
  if (outcome.kind === 'done') return [[record_id, (line) => confirmed(line, mutation_id, outcome.standing)]]
  if (outcome.kind === 'contested') return [[record_id, (line) => contested(line, mutation_id, outcome.standing)]]
  if (outcome.kind === 'refused') return [[record_id, (line) => refused(line, mutation_id, outcome.status, outcome.reason)]]
  return null
}

const confirmedBy = ({ record_id, mutation_id, outcome }: Sent): [[string, Confirmed]] | null =>
  outcome.kind === 'done' ? [[record_id, { mutationId: mutation_id, standing: outcome.standing }]] : null

/** Edits that were made of an answer on its way are edits of what the server has now. */
const editsAfter = (userId: string, { record_id, dataset_id, mutation_id, outcome }: Sent): readonly Edit[] => {
  if (outcome.kind !== 'done') return []
  const base_version = { seen: mutation_id, now: outcome.standing?.version ?? null }
  return [{ user_id: userId, dataset_id, record_id, edited_at: Date.now(), answers: new Map(), base_version }]
}

/** Requests under way at once. A browser opens six connections to a server: the page needs some for itself. */
const lanes = 4

const none: ReadonlyMap<string, Confirmed> = new Map()

/** Sends what one user has on this device, oldest first, several records at once, in order per record, until nothing is left. */
export const createSender = ({ userId, device, transport, alone, onLines, onState }: Options): Sender => {
  let state: SenderState = 'idle'
  let stopped = false
  let running = false
  let wokenMeanwhile = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const become = (next: SenderState): void => {
    if (state === next) return
    state = next
    onState()
  }

  const change = async (steps: Steps, done = none, edits?: readonly Edit[]): Promise<LinesByRecord> => {
    const lines = await device.changeLines(userId, steps, edits)
    onLines(lines, done)
    return lines
  }

  /** What is to be sent of these records now, marked as tried on the device before any of it leaves. */
  const claim = async (recordIds: readonly string[]): Promise<readonly Ready[]> => {
    const mark: Step = (line) => attempted(line, (line && nextEntry(line)?.mutation_id) ?? '')
    const lines = await change(new Map(recordIds.map((id) => [id, mark])))
    return [...lines.values()].flatMap(readyIn)
  }

  const request = async ({ line, entry }: Ready): Promise<Sent> => {
    const { record_id, dataset_id, base: base_version } = line
    const { change: wanted, mutation_id } = entry
    const common = { record_id, user_id: userId, mutation_id, base_version }
    if (wanted.kind === 'remove') return { record_id, dataset_id, mutation_id, outcome: await transport.remove(common) }
    const { status, values } = wanted
    return { record_id, dataset_id, mutation_id, outcome: await transport.put({ ...common, status, values }) }
  }

  /** Several at a time, until one outcome says that no other would get through. */
  const requestAll = async (claimed: readonly Ready[]): Promise<readonly Sent[]> => {
    const sent: Sent[] = []
    const left = [...claimed]
    let goesOn = true
    const lane = async (): Promise<void> => {
      for (let next = left.shift(); next && goesOn && !stopped; next = left.shift()) {
        const one = await request(next)
        sent.push(one)
        goesOn &&= !(one.outcome.kind === 'signed_out' || (one.outcome.kind === 'failed' && one.outcome.everything))
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    return sent
  }

  /** Sends one entry of each record; false when nothing else should be tried now. */
  const send = async (recordIds: readonly string[], setAside: Set<string>): Promise<boolean> => {
    const claimed = await claim(recordIds)
    const sent = await requestAll(claimed)
    if (stopped) return false
    const steps = new Map(sent.flatMap((one) => stepAfter(one) ?? []))
    const done = new Map(sent.flatMap((one) => confirmedBy(one) ?? []))
    if (steps.size > 0) {
      failures = 0
      await change(
        steps,
        done,
        sent.flatMap((one) => editsAfter(userId, one)),
      )
    }
    if (sent.some(({ outcome }) => outcome.kind === 'signed_out')) {
      become('signed_out')
      return false
    }
    const failed = sent.flatMap(({ record_id, outcome }) => (outcome.kind === 'failed' ? { record_id, ...outcome } : []))
    if (failed.length === 0) return true
    failures += 1
    for (const { record_id } of failed) setAside.add(record_id)
    become('waiting')
    wakeIn(Math.max(...failed.map(({ after }) => after ?? backoff(failures))))
    return !failed.some(({ everything }) => everything)
  }

  /** Records with something to send, the oldest first. */
  const readyRecords = async (setAside: ReadonlySet<string>): Promise<readonly string[]> => {
    const ready = (await device.lines(userId)).filter((line) => !setAside.has(line.record_id)).flatMap(readyIn)
    return ready.sort((a, b) => a.entry.made_at - b.entry.made_at).map(({ line }) => line.record_id)
  }

  /** The session belongs to the browser, not to this tab: another tab may have signed in as someone else. */
  const isStillMe = async (): Promise<boolean> => {
    const current = await transport.currentUser()
    if (current === userId) return true
    if (current !== undefined) become('signed_out')
    else fail()
    return false
  }

  const fail = (): void => {
    failures += 1
    become('waiting')
    wakeIn(backoff(failures))
  }

  const sendAll = async (recordIds: readonly string[], setAside: Set<string>): Promise<boolean> => {
    for (let at = 0; at < recordIds.length; at += bulkChunk) {
      if (stopped || !(await send(recordIds.slice(at, at + bulkChunk), setAside))) return false
    }
    return true
  }

  const drain = async (): Promise<void> => {
    const setAside = new Set<string>()
    let ready = await readyRecords(setAside)
    if (stopped) return
    if (ready.length === 0) {
      if (state !== 'signed_out') become('idle')
      return
    }
    become('sending')
    if (!(await isStillMe())) return
    while (ready.length > 0) {
      if (!(await sendAll(ready, setAside))) return
      ready = await readyRecords(setAside)
    }
    if (setAside.size > 0) become('waiting')
  }

  const run = async (): Promise<void> => {
    running = true
    clearTimeout(timer)
    try {
      await alone(drain)
    } catch {
      // The device's storage failed: what is in it stays there, and is tried again.
      fail()
    }
    running = false
    if (state === 'sending') become('idle')
    if (wokenMeanwhile && !stopped) wake()
  }

  const wake = (): void => {
    if (stopped) return
    wokenMeanwhile = running
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
