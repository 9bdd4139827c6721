import { describe, expect, it } from 'vitest'
import { importedIds } from './store/job.ts'
import { importer, same, setUpImports, spec } from './testing/fixtures.ts'
import { ageHolds } from './testing/operations.ts'

const fixture = setUpImports()
const begin = async () => importer(fixture.server, await fixture.server.createDataset(spec))
const mapping = { fields: same('text'), external_id: 'id' }
const faultsOf = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const REPEATED = 'id,text\na,one\nb,two\na,three\n ,four\n ,five\nb,six\n'
const faults = [
  { row: 3, line: 4, column: 'id', reason: 'Row 1 already uses the ID "a"' },
  { row: 6, line: 7, column: 'id', reason: 'Row 2 already uses the ID "b"' },
]

describe('an ID column', () => {
  it('identifies records even if some rows have no ID and create new records', async () => {
    const { upload, start, finish, job, records } = await begin()
    const first = (await upload('rows.csv', 'id,text\na,one\nb,two\n')).body
    await start(first.id, mapping)
    await finish()
    for (const [name, content] of [
      ['more.csv', 'id,text\na,three\n,four\n  ,five\nc,six\nd,seven\n'],
      [
        'more.jsonl',
        [
          ['a', 'three'],
          [null, 'four'],
          ['d', 'seven'],
        ]
          .map(([id, text]) => JSON.stringify({ id, text }))
          .join('\n'),
      ],
    ] as const) {
      const { body } = await upload(name, content)
      expect(body.mapping).toMatchObject({ external_id: 'id', fields: same('text') })
      const { id } = (await start(body.id, mapping)).body
      await finish()
      expect((await job(id)).import?.failed).toBe(0)
    }
    const ids = (await records()).map(({ external_id, fields }) => [external_id, fields['text']])
    expect(ids.slice(0, 3)).toEqual([
      ['a', 'three'],
      ['b', 'two'],
      ['more_2', 'four'],
    ])
    // A column in which most rows are empty is not an ID column.
    const few = (await upload('few.csv', 'id,text\na,one\n,two\n,three\n')).body
    expect(few.mapping.external_id).toBeNull()
  })
})

describe('an ID that occurs in several rows of a file', () => {
  it('is reported by the check, for an existing and a planned dataset', async () => {
    const { upload, check } = await begin()
    const { body } = await check((await upload('rows.csv', REPEATED)).body.id, mapping)
    expect([body.rows, body.errors]).toMatchObject([6, faults])
    expect(body.records.map(({ external_id }) => external_id)).toEqual(['a', 'b', 'rows_4', 'rows_5'])
    const owner = fixture.server.clientFor(fixture.server.owner)
    const ownUpload = await owner.post<{ id: string }>('/me/imports/files?name=rows.csv', REPEATED, {
      'content-type': 'text/plain',
    })
    const plan = { mapping, fields: [{ name: 'text', title: 'Text', required: true, settings: { type: 'text' } }], questions: [] }
    const checked = await owner.post(`/me/imports/files/${ownUpload.body.id}/check`, plan)
    expect(checked.body).toMatchObject({ rows: 6, errors: faults })
  })

  it('creates a record for its first row, and reports and skips the others', async () => {
    const { upload, start, job, finish, records, report } = await begin()
    const { id } = (await upload('rows.csv', REPEATED)).body
    const started = (await start(id, mapping)).body
    await finish()
    expect((await job(started.id)).import).toEqual({ rows: 6, created: 4, updated: 0, failed: 2 })
    expect((await records()).map(({ fields }) => fields['text'])).toEqual(['one', 'two', 'four', 'five'])
    expect(faultsOf(await report(id))).toEqual(faults)
    // An existing record is still updated, but only once.
    const again = (await upload('rows.jsonl', '{"id": "a", "text": "new"}\n{"id": "a", "text": "newer"}')).body.id
    const { id: second } = (await start(again, mapping)).body
    await finish()
    expect((await job(second)).import).toEqual({ rows: 2, created: 0, updated: 1, failed: 1 })
    expect((await records())[0]?.fields).toEqual({ text: 'new' })
  })

  it('is found at any distance, even by a process that takes over the job', async () => {
    const rows = 1300
    const text = Array.from({ length: rows }, (_, i) => `k${i === 900 ? 0 : i === 1200 ? 700 : i},row ${i + 1}`).join('\n')
    const { upload, start, take, step, job, finish, report } = await begin()
    const { id } = (await upload('many.csv', `id,text\n${text}\n`)).body
    const started = (await start(id, mapping)).body
    const first = await take()
    if (first === undefined) throw new Error('there is no job')
    await step(first)
    // Simulates another process, which doesn't know what this one has read.
    importedIds.forget(started.id)
    await fixture.tool.write(ageHolds, {})
    await finish()
    expect((await job(started.id)).import).toEqual({ rows, created: rows - 2, updated: 0, failed: 2 })
    expect(faultsOf(await report(id))).toMatchObject([
      { row: 901, reason: 'Row 1 already uses the ID "k0"' },
      { row: 1201, reason: 'Row 701 already uses the ID "k700"' },
    ])
  })
})
