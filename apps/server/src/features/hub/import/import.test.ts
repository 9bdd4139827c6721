import { detail } from '@postil/testkit/detail.ts'
import type { DatasetSpec } from '@postil/testkit/factories.ts'
import { describe, expect, it } from 'vitest'
import { parquetOf } from '#platform/parquet/testing/parquet.ts'
import { importing, setUpHub } from '../testing/fixtures.ts'

const fixture = setUpHub()
const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))
const same = (...names: readonly string[]) => names.map((name) => ({ source: name, target: name }))

const spec: DatasetSpec = {
  allow_extra_metadata: false,
  fields: [
    { name: 'text', required: true, settings: { type: 'text' } },
    { name: 'picture', settings: { type: 'image' } },
    { name: 'talk', settings: { type: 'chat' } },
    { name: 'number', settings: { type: 'text' } },
  ],
  questions: [
    { name: 'label', required: true, settings: { type: 'label_selection', options: options('neg', 'pos') } },
    { name: 'tags', settings: { type: 'multi_label_selection', options: options('x', 'y', 'z') } },
    { name: 'one', settings: { type: 'multi_label_selection', options: options('neg', 'pos') } },
    { name: 'stars', settings: { type: 'rating', options: [1, 2, 3].map((value) => ({ value })) } },
    { name: 'note', settings: { type: 'text' } },
  ],
  metadata_properties: [
    { name: 'source', settings: { type: 'terms' } },
    { name: 'size', settings: { type: 'integer' } },
    { name: 'share', settings: { type: 'float' } },
  ],
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
const value = (dtype: string) => ({ dtype, _type: 'Value' })
const label = { names: ['neg', 'pos'], _type: 'ClassLabel' }

const features = {
  text: value('string'),
  picture: { _type: 'Image' },
  talk: [{ role: value('string'), content: value('string') }],
  number: value('int64'),
  label,
  tags: { feature: { names: ['x', 'y', 'z'], _type: 'ClassLabel' }, _type: 'Sequence' },
  stars: value('int64'),
  source: value('string'),
  size: value('int64'),
  share: value('float64'),
  key: value('string'),
}
const file = () =>
  parquetOf({
    text: ['text', ['first', 'second', 'third']],
    picture: ['image', [{ bytes: new Uint8Array(png), path: 'a.png' }, { bytes: new Uint8Array(jpeg), path: null }, null]],
    talk: ['messages', [[{ role: 'user', content: 'hi' }], [], null]],
    number: ['integer', [7n, 9_007_199_254_740_993n, null]],
    label: ['integer', [1n, 0n, -1n]],
    tags: ['integers', [[0n, 2n], [], null]],
    stars: ['integer', [3n, 1n, null]],
    source: ['text', ['web', null, 'book']],
    size: ['integer', [12n, 13n, null]],
    share: ['float', [0.5, 1, null]],
    key: ['text', ['k-1', 'k-2', null]],
  })

const source = (name: string) => ({ name, subset: 'default', split: 'train' })
const put = (name: string, files: readonly Uint8Array[], more: object = features) =>
  fixture.hub.put(name, [{ subset: 'default', split: 'train', features: more as typeof features, files }])

const mapping = {
  fields: same('text', 'picture', 'talk', 'number'),
  suggestions: [...same('label', 'tags', 'stars'), { source: 'label', target: 'one' }, { source: 'size', target: 'note' }],
  metadata: same('source', 'size', 'share'),
  external_id: 'key',
}

describe('an import from the Hub', () => {
  it('casts every kind of cell to its target’s type', async () => {
    put('team/all', [file()])
    const dataset = await fixture.server.createDataset(spec)
    const { start, run, job, records, imports, report } = importing(fixture.server, dataset)
    const started = await start({ ...source('team/all'), mapping })
    expect(started).toMatchObject({ status: 202, body: { status: 'queued' } })
    expect(await run()).toBe('finished')
    expect(await report()).toEqual([])
    expect(await job(started.body.id)).toMatchObject({
      status: 'finished',
      done: 3,
      total: 3,
      import: { rows: 3, created: 3, updated: 0, failed: 0 },
    })
    const [first, second, third] = await records()
    expect(first).toMatchObject({
      external_id: 'k-1',
      fields: { text: 'first', picture: `data:image/png;base64,${png.toString('base64')}`, number: '7' },
      metadata: { source: 'web', size: 12, share: 0.5 },
    })
    expect(first?.fields.talk).toEqual([{ role: 'user', content: 'hi' }])
    expect(second).toMatchObject({
      external_id: 'k-2',
      fields: { text: 'second', picture: `data:image/jpeg;base64,${jpeg.toString('base64')}`, number: '9007199254740993' },
    })
    expect(third).toMatchObject({ external_id: 'train_2', fields: { text: 'third' }, metadata: { source: 'book' } })
    expect(Object.keys(third?.fields ?? {})).toEqual(['text'])
    const values = [first, second, third].map((record) => record?.suggestions?.map((one) => one.value))
    expect(values).toEqual([['pos', ['x', 'z'], 3, ['pos'], '12'], ['neg', 1, ['neg'], '13'], []])
    expect(await imports()).toMatchObject([{ file: { name: 'team/all (default, train)' }, job: { id: started.body.id } }])
  })

  it('skips and lists bad rows, and never mixes values between records', async () => {
    put('team/bad', [
      parquetOf({
        text: ['text', ['a', 'b', null, 'd', 'e']],
        label: ['integer', [0n, 7n, 1n, 1n, 0n]],
        stars: ['integer', [1n, 2n, 3n, 9n, 2n]],
      }),
    ])
    const dataset = await fixture.server.createDataset(spec)
    const { start, run, job, records, report } = importing(fixture.server, dataset)
    const body = { ...source('team/bad'), mapping: { fields: same('text'), suggestions: same('label', 'stars') } }
    const { id } = (await start(body)).body
    expect(await run()).toBe('finished')
    expect((await job(id)).import).toEqual({ rows: 5, created: 2, updated: 0, failed: 3 })
    expect((await report()).map(({ row, column }) => [row, column])).toEqual([
      [2, null],
      [3, 'text'],
      [4, 'stars'],
    ])
    expect((await report())[0]?.reason).toBe('Column "label": class 7 has no name')
    const storedRecords = (await records()).map((record) => [
      record.external_id,
      record.fields.text,
      record.suggestions?.map((s) => s.value),
    ])
    expect(storedRecords).toEqual([
      ['train_0', 'a', ['neg', 1]],
      ['train_4', 'e', ['neg', 2]],
    ])
    const again = (await start(body)).body
    expect(await run()).toBe('finished')
    expect((await job(again.id)).import).toEqual({ rows: 5, created: 0, updated: 2, failed: 3 })
  })

  it('treats null as an empty list, skips unknown targets, and reads several files as one', async () => {
    const part = (from: number) => parquetOf({ text: ['text', Array.from({ length: 120 }, (_, i) => `row ${from + i}`)] }, 50)
    put('team/files', [part(0), part(120)], { text: value('string') })
    const dataset = await fixture.server.createDataset(spec)
    const { start, run, records } = importing(fixture.server, dataset)
    const nowhere = [{ source: 'text', target: 'nowhere' }]
    const lists = { fields: [...same('text'), ...nowhere], metadata: nowhere, suggestions: null }
    expect((await start({ ...source('team/files'), mapping: lists })).status).toBe(202)
    expect(await run()).toBe('finished')
    const made = await records()
    expect(made.map(({ fields }) => fields.text)).toEqual(Array.from({ length: 240 }, (_, i) => `row ${i}`))
    expect(made.at(-1)).toMatchObject({ external_id: 'train_239', metadata: {} })
  })

  detail('imports the first 10,000 rows, and fetches only the part of the file that they need', async () => {
    const length = 12_000
    const wide = parquetOf(
      {
        text: ['text', Array.from({ length }, (_, i) => `row ${i}`)],
        unused: ['text', Array.from({ length }, (_, i) => `${i}`.repeat(30))],
      },
      1000,
    )
    put('team/many', [wide], { text: value('string'), unused: value('string') })
    const dataset = await fixture.server.createDataset(spec)
    const { start, run, job } = importing(fixture.server, dataset)
    const before = fixture.hub.requests.length
    const { id } = (await start({ ...source('team/many'), mapping: { fields: same('text') } })).body
    expect(await run()).toBe('finished')
    expect(await job(id)).toMatchObject({ done: 10_000, total: 10_000, import: { rows: 10_000, created: 10_000 } })
    const parts = fixture.hub.requests.slice(before).filter(({ headers }) => headers.range !== undefined)
    const bytes = parts.map(
      ({ headers }) =>
        /bytes=(\d+)-(\d+)/
          .exec(headers.range ?? '')
          ?.slice(1)
          .map(Number) ?? [0, 0],
    )
    const largest = Math.max(...bytes.map(([start = 0, end = 0]) => end - start))
    expect(parts.length).toBeGreaterThan(10)
    expect(largest).toBeLessThanOrEqual(2 ** 19)
    expect(bytes.slice(2).reduce((sum, [start = 0, end = 0]) => sum + end - start, 0)).toBeLessThan(wide.length / 2)
  })
})
