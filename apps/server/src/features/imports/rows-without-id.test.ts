import { describe, expect, it } from 'vitest'
import { importer, same, setUpImports, spec } from './testing/fixtures.ts'

const fixture = setUpImports()

const begin = async () => importer(fixture.server, await fixture.server.createDataset(spec))
const uploadRows = async ({ upload }: ReturnType<typeof importer>, name: string, word: string): Promise<string> =>
  (await upload(name, JSON.stringify([1, 2].map((n) => ({ text: `${word} ${n}` }))))).body.id

describe('an import without IDs', () => {
  it('creates new records for rows without an ID, even if another file had the same name', async () => {
    const dataset = await begin()
    const { check, start, job, finish, records } = dataset
    const mapping = { fields: same('text') }
    for (const word of ['first', 'second', 'third']) {
      const file = await uploadRows(dataset, 'my rows.json', word)
      const planned = (await check(file, mapping)).body.records.map(({ external_id }) => external_id)
      const { id } = (await start(file, mapping)).body
      await finish()
      expect((await job(id)).import).toEqual({ rows: 2, created: 2, updated: 0, failed: 0 })
      expect((await records()).slice(-2).map(({ external_id }) => external_id)).toEqual(planned)
    }
    expect((await records()).map(({ external_id, fields }) => [external_id, fields['text']])).toEqual([
      ['my rows_1', 'first 1'],
      ['my rows_2', 'first 2'],
      ['my rows-2_1', 'second 1'],
      ['my rows-2_2', 'second 2'],
      ['my rows-3_1', 'third 1'],
      ['my rows-3_2', 'third 2'],
    ])
  })

  it('creates new records even if two files with the same name are queued', async () => {
    const dataset = await begin()
    const files = [await uploadRows(dataset, 'a.json', 'one'), await uploadRows(dataset, 'a.json', 'two')]
    await Promise.all(files.map((id) => dataset.start(id, { fields: same('text') })))
    await dataset.finish()
    const ids = (await dataset.records()).map(({ external_id }) => external_id)
    expect(ids.toSorted()).toEqual(['a-2_1', 'a-2_2', 'a_1', 'a_2'])
  })

  it('doesn’t change a record that has taken the ID of such a row, and reports it', async () => {
    const made = await fixture.server.createDataset(spec)
    const dataset = importer(fixture.server, made)
    const { id } = (await dataset.start(await uploadRows(dataset, 'a.json', 'row'), { fields: same('text') })).body
    const items = [{ external_id: 'a_2', fields: { text: 'mine' } }]
    expect(
      (await fixture.server.clientFor(fixture.server.owner).post(`/datasets/${made.id}/records/bulk`, { items })).status,
    ).toBe(201)
    await dataset.finish()
    expect((await dataset.job(id)).import).toEqual({ rows: 2, created: 1, updated: 0, failed: 1 })
    const stored = (await dataset.records()).map(({ external_id, fields }) => [external_id, fields['text']])
    expect(stored.toSorted()).toEqual([
      ['a_1', 'row 1'],
      ['a_2', 'mine'],
    ])
  })

  it('skips a row whose ID was generated for an earlier row without one', async () => {
    const { upload, start, job, finish, report } = await begin()
    const file = (await upload('a.csv', 'id,text\n,one\na_1,two\nb,three\nc,four\n')).body.id
    const { id } = (await start(file, { fields: same('text'), external_id: 'id' })).body
    await finish()
    expect((await job(id)).import).toEqual({ rows: 4, created: 3, updated: 0, failed: 1 })
    expect(JSON.parse(await report(file))).toMatchObject({ row: 2, column: 'id' })
  })
})
