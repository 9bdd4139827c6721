import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addMutation,
  confirmMutation,
  dropAnswer,
  keepMine,
  markAttempted,
  markConflict,
  nextMutation,
  rejectMutation,
} from './outbox-line.ts'
import type { Change, Mutation, OutboxLine, ServerAnswer } from './types.ts'

const place = { user_id: 'u', dataset_id: 'd', record_id: 'r' }
const answer = (id: string, version: number, value: string, status: 'draft' | 'submitted' = 'submitted'): ServerAnswer => ({
  id,
  record_id: 'r',
  user_id: 'u',
  status,
  values: { q: { value } },
  suggestion_outcomes: null,
  returned: null,
  version,
  inserted_at: '',
  updated_at: '',
})
const save = (value: string): Change => ({ kind: 'save', status: 'submitted', values: { q: { value } } })
const remove: Change = { kind: 'remove' }
const entry = (id: string, change: Change): Mutation => ({ mutation_id: id, change, made_at: 0, attempted: false })

describe('the active time of changes that aren’t sent', () => {
  const timed = (id: string, change: Change, active_ms: number): Mutation => ({ ...entry(id, change), active_ms })
  const timesIn = (line: OutboxLine | null) => line?.entries.map(({ active_ms }) => active_ms)
  const rejection = { kind: 'rejected', status: 422, reason: 'no' } as const
  const first = addMutation(null, place, null, timed('1', save('a'), 1_000))

  test('passes to the change that replaces them', () => {
    expect(timesIn(addMutation(first, place, null, timed('2', save('b'), 20)))).toEqual([1_020])
    expect(timesIn(addMutation(first, place, null, entry('2', save('b'))))).toEqual([1_000])
    const sent = addMutation(markAttempted(first, '1'), place, null, timed('2', save('b'), 20))
    expect(timesIn(sent)).toEqual([1_000, 20])
    expect(timesIn(addMutation(sent, place, null, timed('3', remove, 3)))).toEqual([1_000, 23])
  })

  test('passes on after a rejection or conflict, because the server has stored nothing', () => {
    const rejected = rejectMutation(markAttempted(first, '1'), '1', rejection)
    expect(timesIn(addMutation(rejected, place, null, timed('2', save('b'), 20)))).toEqual([1_020])
    const followed = addMutation(markAttempted(first, '1'), place, null, timed('2', save('b'), 20))
    expect(timesIn(rejectMutation(followed, '1', rejection))).toEqual([1_020])
    const conflict = markConflict(followed, '1', answer('x', 3, 'c'))
    expect(timesIn(conflict)).toEqual([1_020])
    expect(timesIn(keepMine(conflict, '3'))).toEqual([1_020])
    expect(timesIn(addMutation(conflict, place, null, timed('3', save('d'), 3)))).toEqual([1_023])
  })

  test('never exceeds what the server accepts, and stays unknown if it wasn’t measured', () => {
    const long = addMutation(null, place, null, timed('1', save('a'), 1_700_000))
    expect(timesIn(addMutation(long, place, null, timed('2', save('b'), 200_000)))).toEqual([1_800_000])
    const unmeasured = addMutation(null, place, null, entry('1', save('a')))
    expect(timesIn(addMutation(unmeasured, place, null, entry('2', save('b'))))).toEqual([undefined])
  })
})

describe('an outbox line', () => {
  test('drops an unsent change when a later one arrives', () => {
    const line = addMutation(addMutation(null, place, null, entry('1', save('a'))), place, null, entry('2', save('b')))
    expect(line?.entries.map((e) => e.mutation_id)).toEqual(['2'])
  })

  test('keeps a change that may have been sent, and bases the next one on its result', () => {
    const sent = markAttempted(addMutation(null, place, null, entry('1', save('a'))), '1')
    const line = addMutation(sent, place, null, entry('2', save('b')))
    expect(line?.entries.map((e) => e.mutation_id)).toEqual(['1', '2'])
    const next = confirmMutation(line, '1', answer('x', 1, 'a'))
    expect(next).toMatchObject({ base: 1, entries: [{ mutation_id: '2' }] })
  })

  test('becomes empty when an unsent answer is deleted', () => {
    const line = addMutation(null, place, null, entry('1', save('a')))
    expect(addMutation(line, place, null, entry('2', remove))).toBeNull()
    expect(addMutation(markAttempted(line, '1'), place, null, entry('2', remove))?.entries).toHaveLength(2)
  })

  test('accepts a deletion of an existing answer', () => {
    expect(addMutation(null, place, 4, entry('1', remove))?.entries).toHaveLength(1)
  })

  test('stops at a rejected change and continues with a new one', () => {
    const line = addMutation(null, place, null, entry('1', save('a')))
    const stopped = rejectMutation(line, '1', { kind: 'rejected', status: 422, reason: 'no' })
    expect(stopped && nextMutation(stopped)).toBeNull()
    expect(addMutation(stopped, place, null, entry('2', save('b')))).toMatchObject({
      issue: null,
      entries: [{ mutation_id: '2' }],
    })
    const followed = addMutation(markAttempted(line, '1'), place, null, entry('2', save('b')))
    expect(rejectMutation(followed, '1', { kind: 'rejected', status: 422, reason: 'no' })).toMatchObject({
      issue: null,
      entries: [{ mutation_id: '2' }],
    })
  })

  test('is settled when the server already has the intended answer', () => {
    const line = addMutation(null, place, null, entry('1', save('a')))
    expect(markConflict(line, '1', answer('x', 3, 'a'))).toBeNull()
    expect(markConflict(line, '1', answer('x', 3, 'b'))).toMatchObject({ issue: { kind: 'conflict' } })
  })

  test('keeps the local change on top of the server’s answer, or discards it', () => {
    const conflict = markConflict(addMutation(null, place, null, entry('1', save('a'))), '1', answer('x', 3, 'b'))
    expect(keepMine(conflict, '2')).toMatchObject({
      base: 3,
      issue: null,
      entries: [{ mutation_id: '2', attempted: false, change: save('a') }],
    })
    expect(dropAnswer(conflict)).toBeNull()
  })

  test('ignores a change that another tab has already settled', () => {
    const line = addMutation(null, place, null, entry('2', save('b')))
    expect(confirmMutation(line, '1', answer('x', 1, 'a'))).toBe(line)
    expect(rejectMutation(line, '1', { kind: 'rejected', status: 422, reason: null })).toBe(line)
    expect(markConflict(null, '1', null)).toBeNull()
  })
})

/** Creates a fake server that accepts or rejects changes by the same rules as the real server. */
const makeServer = () => {
  let standing: ServerAnswer | null = null
  let lastMutation = ''
  let ids = 0
  return {
    standing: () => standing,
    elsewhere: (value: string) => {
      standing = answer(standing?.id ?? `id${++ids}`, (standing?.version ?? 0) + 1, value)
      lastMutation = `elsewhere${standing.version}`
    },
    handle: (line: OutboxLine, { change, mutation_id }: Mutation): { conflicts: boolean; standing: ServerAnswer | null } => {
      if (lastMutation === mutation_id) return { conflicts: false, standing }
      if ((standing?.version ?? null) !== line.base) return { conflicts: true, standing }
      if (change.kind === 'remove') {
        standing = null
        lastMutation = mutation_id
        return { conflicts: false, standing: null }
      }
      const value = String(change.values['q']?.value)
      standing = answer(standing?.id ?? `id${++ids}`, (standing?.version ?? 0) + 1, value, 'submitted')
      lastMutation = mutation_id
      return { conflicts: false, standing }
    },
  }
}

/** Simulates a browser and its user, with the user's changes, the requests in flight, and the last known server state. */
const makeClient = (server: ReturnType<typeof makeServer>) => {
  let line: OutboxLine | null = null
  let known: ServerAnswer | null = null
  let intended: string | null = null
  let count = 0
  const change = (wanted: Change): void => {
    const base = known?.version ?? null
    line = addMutation(line, place, base, entry(`m${++count}`, wanted))
  }
  const send = (replyArrives: boolean): void => {
    const next = line && nextMutation(line)
    if (!line || !next) return
    const sent = markAttempted(line, next.mutation_id) as OutboxLine
    const { conflicts: isContested, standing } = server.handle(sent, next)
    line = sent
    if (!replyArrives) return
    line = (isContested ? markConflict : confirmMutation)(sent, next.mutation_id, standing)
    known = standing
  }
  const discard = (): void => {
    const issue = line?.issue
    if (issue?.kind !== 'conflict') return
    known = issue.standing
    intended = issue.standing ? String(issue.standing.values['q']?.value) : null
    line = dropAnswer(line)
  }
  return {
    line: () => line,
    intended: () => intended,
    do: {
      save: () => {
        intended = `v${count}`
        change(save(intended))
      },
      remove: () => {
        intended = null
        change(remove)
      },
      send: () => send(true),
      'lose the request': () => {
        line = markAttempted(line, (line && nextMutation(line)?.mutation_id) ?? '')
      },
      'lose the reply': () => send(false),
      elsewhere: () => server.elsewhere('other'),
      'keep mine': () => {
        line = keepMine(line, `m${++count}`)
      },
      'give up': discard,
    },
  }
}

type Step = keyof ReturnType<typeof makeClient>['do']
const steps = fc.array(
  fc.constantFrom<Step>(
    'save',
    'save',
    'remove',
    'send',
    'lose the request',
    'lose the reply',
    'elsewhere',
    'keep mine',
    'give up',
  ),
  { maxLength: 40 },
)

test('ends with the last change on the server whatever requests get lost, unless the answer was changed elsewhere', () => {
  fc.assert(
    fc.property(steps, (plan) => {
      const server = makeServer()
      const client = makeClient(server)
      for (const step of plan) client.do[step]()
      for (let i = 0; i < 20 && client.line(); i += 1) {
        client.do['keep mine']()
        client.do.send()
      }
      expect(client.line()).toBeNull()
      if (!plan.includes('elsewhere')) expect(server.standing()?.values['q']?.value ?? null).toBe(client.intended())
    }),
    { numRuns: 2000 },
  )
})
