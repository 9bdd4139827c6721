import type { HubPreview, HubRepository } from '@postil/contract/files/hub.ts'
import type { FileCheck } from '@postil/contract/files/imports.ts'
import { describe, expect, it } from 'vitest'
import { parquetOf } from '#platform/parquet/testing/parquet.ts'
import { setUpHub } from '../testing/fixtures.ts'

const READ_TOKEN = 'hf_the-token-of-the-server'
const fixture = setUpHub({ HF_TOKEN: READ_TOKEN })
const value = (dtype: string) => ({ dtype, _type: 'Value' })
const rows = 120
const each = <T>(make: (i: number) => T): T[] => Array.from({ length: rows }, (_, i) => make(i))
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3])

const columns = () =>
  parquetOf({
    text: ['text', each((i) => `A text of its own, number ${i}`)],
    label: ['integer', each((i) => BigInt(i % 2))],
    tags: ['integers', each((i) => (i % 3 === 0 ? [0n] : [0n, 2n]))],
    picture: ['image', each(() => ({ bytes: png, path: null }))],
    talk: ['messages', each(() => [{ role: 'user', content: 'hi' }])],
    stars: ['integer', each((i) => BigInt(i % 5))],
    size: ['integer', each((i) => BigInt(1000 + i))],
    share: ['float', each((i) => i / 7)],
    idx: ['text', each((i) => `doc-${i}`)],
  })
const features = {
  text: value('string'),
  label: { names: ['neg', 'pos', 'never seen'], _type: 'ClassLabel' },
  tags: { feature: { names: ['x', 'y', 'z'], _type: 'ClassLabel' }, _type: 'Sequence' },
  picture: { _type: 'Image' },
  talk: [{ role: value('string'), content: value('string') }],
  stars: value('int64'),
  size: value('int64'),
  share: value('float64'),
  idx: value('string'),
}
const put = (name: string, isPrivate = false) => {
  const split = { subset: 'en', features, files: [columns()], rows: 25_000 }
  return fixture.hub.put(
    name,
    [
      { ...split, split: 'train' },
      { ...split, split: 'test' },
    ],
    { isPrivate },
  )
}
const me = () => fixture.server.clientFor(fixture.server.owner)
const query = (name: string, more = {}) => new URLSearchParams({ name, ...more })
const repositoryOf = (name: string) => me().get<HubRepository & { detail: string }>(`/me/hub/repository?${query(name)}`)
const previewOf = (name: string, split = 'train') =>
  me().get<HubPreview & { detail: string }>(`/me/hub/preview?${query(name, { subset: 'en', split })}`)

describe('a preview of a Hub dataset', () => {
  it('takes labels from the Hub’s statistics of all rows, because the first rows may be sorted or all alike', async () => {
    const ofColumns = (tone: string, stars: bigint) =>
      parquetOf({
        text: ['text', each((i) => `Text ${i}`)],
        tone: ['text', each(() => tone)],
        stars: ['integer', each(() => stars)],
      })
    const split = {
      subset: 'en',
      features: { text: value('string'), tone: value('string'), stars: value('int64') },
      files: [ofColumns('calm', 3n)],
    }
    const statistics = [
      { column_name: 'text', column_type: 'string_text', column_statistics: { min: 6, max: 9 } },
      {
        column_name: 'tone',
        column_type: 'string_label',
        column_statistics: { n_unique: 3, frequencies: { calm: 120, angry: 5, glad: 1 } },
      },
      { column_name: 'stars', column_type: 'int', column_statistics: { min: 1, max: 400 } },
    ]
    fixture.hub.put('team/sorted', [
      { ...split, split: 'train', statistics },
      { ...split, split: 'test' },
      { ...split, split: 'odd', statistics: [{ column_name: 7 }] },
    ])
    const messageFor = async (name: string) =>
      (await previewOf('team/sorted', name)).body.columns.map((column) => [column.proposal?.type, column.values?.length ?? null])
    expect(await messageFor('train')).toEqual([
      ['text', 120],
      ['label_selection', 3],
      ['integer', 1],
    ])
    for (const name of ['test', 'odd'])
      expect(await messageFor(name)).toEqual([
        ['text', 120],
        ['terms', 1],
        ['integer', 1],
      ])
  })

  it('lists its subsets and splits, and proposes a role for each column', async () => {
    put('team/look')
    expect((await repositoryOf('team/look')).body).toEqual({
      name: 'team/look',
      private: false,
      gated: false,
      splits: [
        { subset: 'en', split: 'train' },
        { subset: 'en', split: 'test' },
      ],
    })
    const { body } = await previewOf('team/look')
    expect(body).toMatchObject({ name: 'team/look', subset: 'en', split: 'train', total: rows, all: 25_000 })
    expect(body.columns.map(({ name, proposal }) => [name, proposal?.role, proposal?.type])).toEqual([
      ['text', 'field', 'text'],
      ['label', 'suggestion', 'label_selection'],
      ['tags', 'suggestion', 'multi_label_selection'],
      ['picture', 'field', 'image'],
      ['talk', 'field', 'chat'],
      ['stars', 'suggestion', 'rating'],
      ['size', 'metadata', 'integer'],
      ['share', 'metadata', 'float'],
      ['idx', 'field', 'text'],
    ])
    const valuesOf = (name: string) => body.columns.find((column) => column.name === name)?.values
    expect(valuesOf('label')).toEqual(['neg', 'pos', 'never seen'])
    expect(valuesOf('tags')).toEqual(['x', 'y', 'z'])
    expect(body.rows).toHaveLength(5)
    expect(body.rows[0]?.slice(0, 3)).toEqual(['A text of its own, number 0', 'neg', '["x"]'])
  })

  it('requests repeated data from the Hub only once', async () => {
    put('team/kept')
    await previewOf('team/kept')
    const before = fixture.hub.requests.length
    expect((await previewOf('team/kept')).status).toBe(200)
    expect(fixture.hub.requests.length).toBe(before)
  })

  it('shows what the first rows would become, and their errors', async () => {
    put('team/plan')
    const plan = {
      name: 'team/plan',
      subset: 'en',
      split: 'train',
      mapping: { fields: [{ source: 'text', target: 'text' }], suggestions: [{ source: 'stars', target: 'stars' }] },
      fields: [{ name: 'text', title: 'Text', required: true, settings: { type: 'text' } }],
      questions: [
        {
          name: 'stars',
          title: 'Stars',
          required: true,
          settings: { type: 'rating', options: [1, 2, 3].map((one) => ({ value: one })) },
        },
      ],
    }
    const { status, body } = await me().post<FileCheck>('/me/hub/check', plan)
    expect([status, body.rows, body.errors.length]).toEqual([200, 100, 40])
    expect(body.errors[0]).toMatchObject({ row: 1, column: 'stars' })
    expect(body.records[0]).toMatchObject({ row: 2, external_id: 'train_1', suggestions: [{ question: 'stars', value: 1 }] })
  })

  it('reads private datasets with the server’s token, and reports inaccessible ones as not found', async () => {
    put('hidden/rows', true)
    expect((await previewOf('hidden/rows')).status).toBe(404)
    fixture.hub.allow(READ_TOKEN, ['open'])
    put('open/rows', true)
    expect((await repositoryOf('open/rows')).body).toMatchObject({ private: true })
    expect((await previewOf('open/rows')).status).toBe(200)
  })

  it.each([
    ['an unknown dataset', 'team/nobody', 404, /does not have/],
    ['an invalid dataset ID', '../../etc', 404, /Use the form owner\/name/],
  ])('%s', async (_what, name, status, detail) => {
    const answer = await repositoryOf(name)
    expect([answer.status, answer.body.detail]).toEqual([status, expect.stringMatching(detail)])
  })

  it('doesn’t cache a Hub outage', async () => {
    put('team/away')
    fixture.hub.intercept((_asked, response) => {
      response.writeHead(503).end()
      return true
    })
    expect(await repositoryOf('team/away')).toMatchObject({ status: 503, body: { detail: expect.stringContaining('503') } })
    fixture.hub.intercept(null)
    expect((await repositoryOf('team/away')).status).toBe(200)
    expect((await previewOf('team/away', 'none')).status).toBe(404)
  })
})

describe('the caller’s own token', () => {
  const own = 'hf_token-of-somebody'
  const requestsFor = (path: string, token: string | null) =>
    me().get<{ detail: string; private: boolean; rows: unknown[] }>(
      `/me/hub/${path}?${query('secret/look', path === 'preview' ? { subset: 'en', split: 'train' } : {})}`,
      token === null ? {} : { 'x-postil-hub-token': token },
    )

  it('gives access to what the server can’t read, to nobody else, and is never stored', async () => {
    put('secret/look', true)
    fixture.hub.allow(own, ['secret'])
    for (const path of ['repository', 'preview']) {
      expect((await requestsFor(path, null)).status).toBe(404)
      expect((await requestsFor(path, 'hf_wrong')).status).toBe(404)
      expect((await requestsFor(path, own)).status).toBe(200)
      // A response for one token isn't served to requests without it.
      expect((await requestsFor(path, null)).status).toBe(404)
      expect((await requestsFor(path, 'hf_wrong')).status).toBe(404)
      expect((await requestsFor(path, '')).status).toBe(404)
    }
    expect((await requestsFor('repository', own)).body.private).toBe(true)
    expect((await requestsFor('preview', own)).body.rows).toHaveLength(5)
  })

  it('is also used for checks', async () => {
    put('secret/look', true)
    fixture.hub.allow(own, ['secret'])
    const body = {
      ...{ name: 'secret/look', subset: 'en', split: 'train', questions: [], metadata_properties: [] },
      fields: [{ name: 'text', title: 'Text', required: true, settings: { type: 'text' } }],
      mapping: { fields: [{ source: 'text', target: 'text' }] },
    }
    expect((await me().post('/me/hub/check', body)).status).toBe(404)
    expect(await me().post('/me/hub/check', body, { 'x-postil-hub-token': own })).toMatchObject({
      status: 200,
      body: { errors: [] },
    })
  })
})
