import type { Record as WireRecord } from '@postil/contract/records.ts'
import { describe, expect, it } from 'vitest'
import { importer, same, setUpImports, spec } from './testing/fixtures.ts'

const fixture = setUpImports()

const options = ['yes', 'no'].map((value) => ({ value, text: value }))
const wide = {
  ...spec,
  allow_extra_metadata: true,
  fields: [
    { name: 't', required: true, settings: { type: 'text' as const } },
    { name: 't2', settings: { type: 'text' as const } },
  ],
  questions: [{ name: 'label', required: true, settings: { type: 'label_selection' as const, options } }],
  metadata_properties: [
    { name: 'int', settings: { type: 'integer' as const } },
    { name: 'fl', settings: { type: 'float' as const } },
  ],
}

/** Creates a dataset with the record `1`, which has a value in every part. */
const begin = async () => {
  const dataset = await fixture.server.createDataset(wide)
  const owner = fixture.server.clientFor(fixture.server.owner)
  const { body: questions } = await owner.get<{ items: { id: string }[] }>(`/datasets/${dataset.id}/questions`)
  const suggestions = [{ question_id: questions.items[0]?.id, value: 'yes', agent: 'model', score: 0.5 }]
  const metadata = { int: 5, fl: 2.5, note: 'extra' }
  const items = [{ external_id: '1', fields: { t: 'old', t2: 'second' }, metadata, suggestions }]
  expect((await owner.post(`/datasets/${dataset.id}/records/bulk`, { items })).status).toBe(201)
  const at = importer(fixture.server, dataset)
  return {
    ...at,
    import: async (name: string, content: string, mapping?: object) => {
      const file = (await at.upload(name, content)).body
      const { id } = (await at.start(file.id, mapping ?? file.mapping)).body
      await at.finish()
      return (await at.job(id)).import
    },
    find: async (id: string): Promise<WireRecord | undefined> =>
      (await at.records()).find(({ external_id }) => external_id === id),
    foundBy: async (q: string) => {
      const { body } = await owner.post<{ total: number }>(`/datasets/${dataset.id}/records/search`, { query: { text: { q } } })
      return body.total
    },
  }
}

describe('a file with some of the columns', () => {
  it('leaves values without a column unchanged', async () => {
    const dataset = await begin()
    const counts = await dataset.import('some.csv', 'id,t,fl\n1,new,3.5\n2,other,1.5\n')
    expect(counts).toEqual({ rows: 2, created: 1, updated: 1, failed: 0 })
    expect(await dataset.find('1')).toMatchObject({
      fields: { t: 'new', t2: 'second' },
      metadata: { int: 5, fl: 3.5, note: 'extra' },
      suggestions: [{ value: 'yes', agent: 'model', score: 0.5 }],
    })
    expect(await dataset.find('2')).toMatchObject({ fields: { t: 'other' }, metadata: { fl: 1.5 } })
    const found = await Promise.all(['new', 'second', 'old'].map(dataset.foundBy))
    expect(found).toEqual([1, 1, 0])
  })

  it('can omit a required field for records that have it, but a new record needs it', async () => {
    const dataset = await begin()
    const mapping = { fields: same('t2'), external_id: 'id' }
    const content = 'id,t2\n1,changed\n2,alone\n'
    const checked = (await dataset.check((await dataset.upload('check.csv', content)).body.id, mapping)).body
    expect(checked.errors.map(({ row }) => row)).toEqual([2])
    expect(await dataset.import('one.csv', content, mapping)).toEqual({ rows: 2, created: 0, updated: 1, failed: 1 })
    expect((await dataset.find('1'))?.fields).toEqual({ t: 'old', t2: 'changed' })
  })

  it('clears values whose cell is empty, except suggestions', async () => {
    const dataset = await begin()
    await dataset.import('empty.csv', 'id,t,t2,int,label\n1,new,,,\n')
    expect(await dataset.find('1')).toMatchObject({
      fields: { t: 'new' },
      metadata: { fl: 2.5, note: 'extra' },
      suggestions: [{ value: 'yes' }],
    })
    const { fields, metadata } = (await dataset.find('1')) ?? {}
    expect([Object.keys(fields ?? {}), Object.keys(metadata ?? {}).sort()]).toEqual([['t'], ['fl', 'note']])
  })

  it('in JSON also leaves values unchanged that a row omits, and clears those set to null', async () => {
    const dataset = await begin()
    const rows = [
      { id: '1', t: 'new', int: 6 },
      { id: '2', t: 'other', t2: 'two', int: 1, fl: 1 },
    ]
    const lines = (of: readonly object[]) => of.map((row) => JSON.stringify(row)).join('\n')
    expect(await dataset.import('rows.jsonl', lines(rows))).toMatchObject({ created: 1, updated: 1, failed: 0 })
    expect(await dataset.find('1')).toMatchObject({
      fields: { t: 'new', t2: 'second' },
      metadata: { int: 6, fl: 2.5, note: 'extra' },
    })
    await dataset.import(
      'nulls.json',
      JSON.stringify([
        { id: '1', t: 'new', t2: null, fl: null },
        { id: '2', int: 2 },
      ]),
    )
    const [one, two] = [await dataset.find('1'), await dataset.find('2')]
    expect([one?.fields, one?.metadata]).toEqual([{ t: 'new' }, { int: 6, note: 'extra' }])
    expect([two?.fields, two?.metadata]).toEqual([
      { t: 'other', t2: 'two' },
      { int: 2, fl: 1 },
    ])
  })

  it('keeps agent and score of a repeated suggestion, and replaces a different one', async () => {
    const dataset = await begin()
    await dataset.import('same.csv', 'id,t,label\n1,old,yes\n')
    expect((await dataset.find('1'))?.suggestions).toMatchObject([{ value: 'yes', agent: 'model', score: 0.5 }])
    await dataset.import('other.csv', 'id,t,label\n1,old,no\n')
    expect((await dataset.find('1'))?.suggestions).toMatchObject([{ value: 'no', agent: null, score: null }])
  })
})

describe('a table with quotes around every cell', () => {
  const quoted = '"id","t","t2","label","fl","more"\n"2","a","","","",""\n"3","b","c","no","1.5","x"\n'

  it('is described by its non-empty cells', async () => {
    const { columns } = (await (await begin()).upload('quoted.csv', quoted)).body
    const found = columns.map(({ type, complete, proposal }) => [type, complete, proposal?.type])
    expect(found.slice(3)).toEqual([
      ['text', true, 'text'],
      ['float', true, 'float'],
      ['text', true, 'text'],
    ])
  })

  it('treats an empty cell as a missing number or label, and as an empty text', async () => {
    const dataset = await begin()
    const mapping = { fields: same('t', 't2'), metadata: same('fl'), suggestions: same('label'), external_id: 'id' }
    const file = (await dataset.upload('quoted.csv', quoted)).body
    expect((await dataset.check(file.id, mapping)).body).toMatchObject({ rows: 2, errors: [] })
    expect(await dataset.import('quoted.csv', quoted, mapping)).toEqual({ rows: 2, created: 2, updated: 0, failed: 0 })
    expect(await dataset.find('2')).toMatchObject({ fields: { t: 'a', t2: '' }, metadata: {}, suggestions: [] })
    expect(await dataset.find('3')).toMatchObject({ metadata: { fl: 1.5 }, suggestions: [{ value: 'no' }] })
  })
})
