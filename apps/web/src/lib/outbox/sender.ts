import { backoff } from './backoff.ts'
import type { Device } from './device.ts'
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

export type Confirmed = { readonly mutationId: string; readonly standing: StandingAnswer | null }

type Options = {
  readonly userId: string
  readonly device: Device
  readonly transport: Transport
  /** Runs `work` while no other tab sends. */
  readonly alone: (work: () => Promise<void>) => Promise<void>
  /** After every change of a line, with what the server has confirmed, if that was it. */
  readonly onLine: (recordId: string, line: Line | null, confirmed?: Confirmed) => void
  readonly onState: () => void
}

/** Sends what one user has on this device, oldest first, one at a time, in order per record, until nothing is left. */
export const createSender = ({ userId, device, transport, alone, onLine, onState }: Options): Sender => {
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

  const change = async (recordId: string, step: (line: Line | null) => Line | null, done?: Confirmed): Promise<void> => {
    onLine(recordId, await device.changeLine(userId, recordId, step), done)
  }

  const request = ({ record_id, base: base_version }: Line, { change: wanted, mutation_id }: Entry): Promise<Outcome> => {
    const common = { record_id, user_id: userId, mutation_id, base_version }
    if (wanted.kind === 'remove') return transport.remove(common)
    const { status, values } = wanted
    return transport.put({ ...common, status, values })
  }

  /** Sends one entry; false when nothing else should be tried now. */
  const sendOne = async (line: Line, entry: Entry, setAside: Set<string>): Promise<boolean> => {
    const { record_id } = line
    const { mutation_id } = entry
    if (!entry.attempted) await change(record_id, (stored) => attempted(stored, mutation_id))
    const outcome = await request(line, entry)
    if (stopped) return false
    if (outcome.kind === 'signed_out') {
      become('signed_out')
      return false
    }
    if (outcome.kind === 'failed') {
      failures += 1
      setAside.add(record_id)
      become('waiting')
      wakeIn(outcome.after ?? backoff(failures))
      return !outcome.everything
    }
    failures = 0
    if (outcome.kind === 'done') {
      const { standing } = outcome
      await change(record_id, (stored) => confirmed(stored, mutation_id, standing), { mutationId: mutation_id, standing })
    } else if (outcome.kind === 'contested') {
      await change(record_id, (stored) => contested(stored, mutation_id, outcome.standing))
    } else {
      await change(record_id, (stored) => refused(stored, mutation_id, outcome.status, outcome.reason))
    }
    return true
  }

  const nextLine = async (setAside: ReadonlySet<string>): Promise<{ line: Line; entry: Entry } | null> => {
    const ready = (await device.lines(userId)).flatMap((line) => {
      const entry = setAside.has(line.record_id) ? null : nextEntry(line)
      return entry ? [{ line, entry }] : []
    })
    return ready.sort((a, b) => a.entry.made_at - b.entry.made_at)[0] ?? null
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

  const drain = async (): Promise<void> => {
    const setAside = new Set<string>()
    let next = await nextLine(setAside)
    if (stopped) return
    if (!next) {
      if (state !== 'signed_out') become('idle')
      return
    }
    become('sending')
    if (!(await isStillMe())) return
    while (next && !stopped) {
      if (!(await sendOne(next.line, next.entry, setAside))) return
      next = await nextLine(setAside)
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
