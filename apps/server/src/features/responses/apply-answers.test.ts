import { scaled } from '@postil/testkit/run-size.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StoredResponse } from './rows.ts'
import type { SentAnswer } from './sent-answer.ts'
import { createFixture, type ResponsesFixture } from './testing/fixtures.ts'
import { applyList, insertLeases, insertWebhook, rowsOf, type TestChange } from './testing/operations.ts'

const RECORDS = 3

let fixture: ResponsesFixture
let authors: readonly string[]
beforeAll(async () => {
  fixture = await createFixture()
  authors = [fixture.ann.id, fixture.bob.id, fixture.admin.id]
  await fixture.server.tool.write(insertWebhook, {
    id: crypto.randomUUID(),
    events: ['record.updated', 'record.completed', 'response.created', 'response.updated', 'response.deleted'],
  })
})
afterAll(() => fixture.server.close())

type Row = { readonly [column: string]: unknown }
type TableName = Parameters<typeof rowsOf.run>[1]['table']

const newDataset = async (minSubmitted: number): Promise<number> => {
  const { server, workspace } = fixture
  const { id } = await server.createDataset({
    workspace_id: workspace,
    distribution: { strategy: 'overlap', min_submitted: minSubmitted },
    questions: [
      {
        name: 'label',
        required: true,
        settings: { type: 'label_selection', options: ['a', 'b'].map((value) => ({ value, text: value })) },
      },
      { name: 'stars', settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }] } },
    ],
  })
  await server.addRecords(id, RECORDS)
  const datasets = await server.tool.read(rowsOf, { table: 'datasets' })
  return Number(datasets.find((row) => row.id === id)?.no)
}

const ascending = (rows: readonly unknown[]): readonly string[] => rows.map((row) => JSON.stringify(row)).sort()

/** Everything about a dataset's answers, except IDs and times that can't be compared. */
const traces = async (no: number) => {
  const read = async (table: TableName) =>
    (await fixture.server.tool.read(rowsOf, { table })).filter((row) => row.dataset_no === no)
  const firstSeq = Math.min(...(await read('records')).map(({ seq }) => Number(seq)))
  const place = (row: Row) => Number(row.seq) - firstSeq
  const plain = (response: StoredResponse) => {
    const { user_id, status, values, version, last_mutation_id } = response
    return { user_id, status, values, version, last_mutation_id }
  }
  const seqsById = new Map((await read('records')).map((row) => [row.id, place(row)]))
  const counts = new Map<string, number>()
  for (const { kind, n } of await read('dataset_counts')) counts.set(String(kind), (counts.get(String(kind)) ?? 0) + Number(n))
  const outbox = (await read('outbox')).sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
  return {
    records: ascending(
      (await read('records')).map((row) => ({
        seq: place(row),
        status: row.status,
        submitted: row.submitted,
        moved: row.updated_at !== row.inserted_at,
      })),
    ),
    responses: ascending(
      (await read('responses')).map((row) => ({ seq: place(row), ...plain(row as unknown as StoredResponse) })),
    ),
    history: ascending(
      (await read('history')).map((row) => ({
        seq: place(row),
        action: row.action,
        user_id: row.user_id,
        image: plain(row.image as unknown as StoredResponse),
      })),
    ),
    tombstones: ascending(
      (await read('response_tombstones')).map((row) => ({
        seq: place(row),
        user_id: row.user_id,
        version: row.version,
        last_mutation_id: row.last_mutation_id,
      })),
    ),
    terms: ascending((await read('response_terms')).map((row) => ({ ...row, dataset_no: 0, seq: place(row) }))),
    numbers: ascending((await read('response_numbers')).map((row) => ({ ...row, dataset_no: 0, seq: place(row) }))),
    leases: ascending((await read('leases')).map((row) => ({ seq: place(row), user_id: row.user_id }))),
    users: (await read('dataset_users'))
      .sort((a, b) => Number(a.inserted_at) - Number(b.inserted_at))
      .map(({ user_id }) => user_id),
    userCounts: ascending((await read('user_counts')).filter(({ n }) => n !== 0).map((row) => ({ ...row, dataset_no: 0 }))),
    counts: ascending([...counts].filter(([, n]) => n !== 0)),
    events: outbox.map(({ event, subject_id, payload }) => ({
      event,
      seq: seqsById.get(subject_id),
      status: (payload as Row).status,
      values: (payload as Row).values,
    })),
  }
}

const sent: fc.Arbitrary<SentAnswer> = fc.record({
  status: fc.constantFrom('draft', 'submitted', 'discarded'),
  values: fc.record(
    {
      // 'z' is not an option, so the answer is invalid.
      label: fc.record({ value: fc.constantFrom('a', 'a', 'b', 'b', 'z') }),
      stars: fc.record({ value: fc.constantFrom(1, 2) }),
    },
    { requiredKeys: [] },
  ),
})
const who = fc.nat({ max: 2 })
const place = fc.nat({ max: RECORDS - 1 })
const change = fc.record({
  place,
  who,
  after: fc.oneof({ weight: 4, arbitrary: sent }, { weight: 1, arbitrary: fc.constant(null) }),
  base: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }) },
  ),
  mutationId: fc.option(fc.uuid(), { nil: undefined }),
})
const plan = fc.record({
  minSubmitted: fc.integer({ min: 1, max: 3 }),
  keepsEqual: fc.boolean(),
  actor: who,
  changes: fc.array(change, { minLength: 1, maxLength: 14 }),
  leases: fc.uniqueArray(fc.record({ place, who }), { selector: (lease) => `${lease.place} ${lease.who}`, maxLength: 4 }),
  /** Number of changes in each list. The remaining changes form the last list. */
  lists: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
})

it('a list of changes gives the same rows, counters, history, index rows and events as its changes one by one', async () => {
  const authorOf = (i: number) => authors[i] ?? ''
  await fc.assert(
    fc.asyncProperty(plan, async ({ minSubmitted, keepsEqual, actor, changes, leases, lists }) => {
      const { tool } = fixture.server
      const apply = async (no: number, sizes: readonly number[]) => {
        const records = (await tool.read(rowsOf, { table: 'records' })).filter((row) => row.dataset_no === no)
        const seqs = records.map(({ seq }) => Number(seq)).sort((a, b) => a - b)
        const seqOf = (at: number) => seqs[at] ?? -1
        const rows = leases.map((lease) => ({ seq: seqOf(lease.place), user_id: authorOf(lease.who) }))
        await tool.write(insertLeases, { dataset_no: no, leases: rows })
        const all = changes.map(({ place: at, who: by, ...rest }): TestChange => {
          return { ...rest, seq: seqOf(at), author: authorOf(by) }
        })
        const outcomes: unknown[] = []
        let from = 0
        for (const size of [...sizes, all.length]) {
          const list = all.slice(from, from + size)
          from += size
          if (list.length === 0) continue
          const args = { dataset_no: no, actor: authorOf(actor), keepsEqual, changes: list }
          outcomes.push(...(await tool.write(applyList, args)).map(({ outcome }) => outcome))
        }
        return { outcomes, ...(await traces(no)) }
      }
      const oneByOne = await apply(
        await newDataset(minSubmitted),
        changes.map(() => 1),
      )
      expect(await apply(await newDataset(minSubmitted), lists)).toEqual(oneByOne)
    }),
    { numRuns: scaled(15, 40) },
  )
  expect(await fixture.differences()).toEqual([])
}, 240_000)
