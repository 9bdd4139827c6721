import { describe, expect, it } from 'vitest'
import { importer, same, setUpImports, spec } from './testing/given.ts'

const ground = setUpImports()

const begin = async () => importer(ground.server, await ground.server.createDataset(spec))
const uploadRows = async ({ upload }: ReturnType<typeof importer>, name: string, word: string): Promise<string> =>
  (await upload(name, JSON.stringify([1, 2].map((n) => ({ text: `${word} ${n}` }))))).body.id

describe('an import', () => {
  it('makes new records of rows without an id, whatever other file had the same name', async () => {
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

  it('makes new records also where two files of a name wait side by side', async () => {
    const dataset = await begin()
    const files = [await uploadRows(dataset, 'a.json', 'one'), await uploadRows(dataset, 'a.json', 'two')]
    await Promise.all(files.map((id) => dataset.start(id, { fields: same('text') })))
    await dataset.finish()
    const ids = (await dataset.records()).map(({ external_id }) => external_id)
    expect(ids.toSorted()).toEqual(['a-2_1', 'a-2_2', 'a_1', 'a_2'])
  })

  it('changes no record that got the id of such a row meanwhile, and says so', async () => {
    const made = await ground.server.createDataset(spec)
    const dataset = importer(ground.server, made)
    const { id } = (await dataset.start(await uploadRows(dataset, 'a.json', 'row'), { fields: same('text') })).body
    const items = [{ external_id: 'a_2', fields: { text: 'mine' } }]
    expect((await ground.server.as(ground.server.owner).post(`/datasets/${made.id}/records/bulk`, { items })).status).toBe(201)
    await dataset.finish()
    expect((await dataset.job(id)).import).toEqual({ rows: 2, created: 1, updated: 0, failed: 1 })
    const stored = (await dataset.records()).map(({ external_id, fields }) => [external_id, fields['text']])
    expect(stored.toSorted()).toEqual([
      ['a_1', 'row 1'],
      ['a_2', 'mine'],
    ])
  })

  it('leaves out a row whose id was made for one without before it', async () => {
    const { upload, start, job, finish, report } = await begin()
    const file = (await upload('a.csv', 'id,text\n,one\na_1,two\nb,three\nc,four\n')).body.id
    const { id } = (await start(file, { fields: same('text'), external_id: 'id' })).body
    await finish()
    expect((await job(id)).import).toEqual({ rows: 4, created: 3, updated: 0, failed: 1 })
    expect(JSON.parse(await report(file))).toMatchObject({ row: 2, column: 'id' })
  })
})
