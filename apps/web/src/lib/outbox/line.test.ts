import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { added, attempted, confirmed, contested, givenUp, keptMine, nextEntry, refused } from './line.ts'
import type { Change, Entry, Line, StandingAnswer } from './types.ts'

const place = { user_id: 'u', dataset_id: 'd', record_id: 'r' }
const answer = (id: string, version: number, value: string, status: 'draft' | 'submitted' = 'submitted'): StandingAnswer => ({
  id,
  record_id: 'r',
  user_id: 'u',
  status,
  values: { q: { value } },
  version,
  inserted_at: '',
  updated_at: '',
})
const save = (value: string): Change => ({ kind: 'save', status: 'submitted', values: { q: { value } } })
const remove: Change = { kind: 'remove' }
const entry = (id: string, change: Change): Entry => ({ mutation_id: id, change, made_at: 0, attempted: false })

describe('a line', () => {
  test('drops what was never tried when a later change comes', () => {
    const line = added(added(null, place, null, entry('1', save('a'))), place, null, entry('2', save('b')))
    expect(line?.entries.map((e) => e.mutation_id)).toEqual(['2'])
  })

  test('keeps what the server may have, and builds the next change upon its result', () => {
    const sent = attempted(added(null, place, null, entry('1', save('a'))), '1')
    const line = added(sent, place, null, entry('2', save('b')))
    expect(line?.entries.map((e) => e.mutation_id)).toEqual(['1', '2'])
    const next = confirmed(line, '1', answer('x', 1, 'a'))
    expect(next).toMatchObject({ base: 1, entries: [{ mutation_id: '2' }] })
  })

  test('is nothing when an answer that never left is taken back', () => {
    const line = added(null, place, null, entry('1', save('a')))
    expect(added(line, place, null, entry('2', remove))).toBeNull()
    expect(added(attempted(line, '1'), place, null, entry('2', remove))?.entries).toHaveLength(2)
  })

  test('takes a removal where there is an answer', () => {
    expect(added(null, place, 4, entry('1', remove))?.entries).toHaveLength(1)
  })

  test('stops at a refusal and goes on with what follows it', () => {
    const line = added(null, place, null, entry('1', save('a')))
    const stopped = refused(line, '1', 422, 'no')
    expect(stopped && nextEntry(stopped)).toBeNull()
    expect(added(stopped, place, null, entry('2', save('b')))).toMatchObject({ trouble: null, entries: [{ mutation_id: '2' }] })
    const followed = added(attempted(line, '1'), place, null, entry('2', save('b')))
    expect(refused(followed, '1', 422, 'no')).toMatchObject({ trouble: null, entries: [{ mutation_id: '2' }] })
  })

  test('is settled when the answer that stands is the one that was meant', () => {
    const line = added(null, place, null, entry('1', save('a')))
    expect(contested(line, '1', answer('x', 3, 'a'))).toBeNull()
    expect(contested(line, '1', answer('x', 3, 'b'))).toMatchObject({ trouble: { kind: 'conflict' } })
  })

  test('keeps mine upon the one that stands, or gives up', () => {
    const conflict = contested(added(null, place, null, entry('1', save('a'))), '1', answer('x', 3, 'b'))
    expect(keptMine(conflict, '2')).toMatchObject({
      base: 3,
      trouble: null,
      entries: [{ mutation_id: '2', attempted: false, change: save('a') }],
    })
    expect(givenUp(conflict)).toBeNull()
  })

  test('ignores what another tab has settled before', () => {
    const line = added(null, place, null, entry('2', save('b')))
    expect(confirmed(line, '1', answer('x', 1, 'a'))).toBe(line)
    expect(refused(line, '1', 422, null)).toBe(line)
    expect(contested(null, '1', null)).toBeNull()
  })
})

/** The server's side, as the wire has it. */
const makeServer = () => {
  let standing: StandingAnswer | null = null
  let lastMutation = ''
  let ids = 0
  return {
    standing: () => standing,
    elsewhere: (value: string) => {
      standing = answer(standing?.id ?? `id${++ids}`, (standing?.version ?? 0) + 1, value)
      lastMutation = `elsewhere${standing.version}`
    },
    handle: (line: Line, { change, mutation_id }: Entry): { contested: boolean; standing: StandingAnswer | null } => {
      if (lastMutation === mutation_id) return { contested: false, standing }
      if ((standing?.version ?? null) !== line.base) return { contested: true, standing }
      if (change.kind === 'remove') {
        standing = null
        lastMutation = mutation_id
        return { contested: false, standing: null }
      }
      const value = String(change.values['q']?.value)
      standing = answer(standing?.id ?? `id${++ids}`, (standing?.version ?? 0) + 1, value, 'submitted')
      lastMutation = mutation_id
      return { contested: false, standing }
    },
  }
}

/** A browser and its person: what they wish, what is on its way, and what they last heard of the server. */
const makeClient = (server: ReturnType<typeof makeServer>) => {
  let line: Line | null = null
  let known: StandingAnswer | null = null
  let wish: string | null = null
  let count = 0
  const change = (wanted: Change): void => {
    const base = known?.version ?? null
    line = added(line, place, base, entry(`m${++count}`, wanted))
  }
  const send = (replyArrives: boolean): void => {
    const next = line && nextEntry(line)
    if (!line || !next) return
    const sent = attempted(line, next.mutation_id) as Line
    const { contested: isContested, standing } = server.handle(sent, next)
    line = sent
    if (!replyArrives) return
    line = (isContested ? contested : confirmed)(sent, next.mutation_id, standing)
    known = standing
  }
  const giveUp = (): void => {
    const trouble = line?.trouble
    if (trouble?.kind !== 'conflict') return
    known = trouble.standing
    wish = trouble.standing ? String(trouble.standing.values['q']?.value) : null
    line = givenUp(line)
  }
  return {
    line: () => line,
    wish: () => wish,
    do: {
      save: () => {
        wish = `v${count}`
        change(save(wish))
      },
      remove: () => {
        wish = null
        change(remove)
      },
      send: () => send(true),
      'lose the request': () => {
        line = attempted(line, (line && nextEntry(line)?.mutation_id) ?? '')
      },
      'lose the reply': () => send(false),
      elsewhere: () => server.elsewhere('other'),
      'keep mine': () => {
        line = keptMine(line, `m${++count}`)
      },
      'give up': giveUp,
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

test('whatever gets lost on the way: in the end the server has the last wish, unless it was changed elsewhere', () => {
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
      if (!plan.includes('elsewhere')) expect(server.standing()?.values['q']?.value ?? null).toBe(client.wish())
    }),
    { numRuns: 2000 },
  )
})
