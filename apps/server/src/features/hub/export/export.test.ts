import type { ServerResponse } from 'node:http'
import type { Dataset } from '@postil/contract/datasets.ts'
import type { Job } from '@postil/contract/jobs.ts'
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { storeImage } from '#features/images/public.ts'
import { fileStore } from '#platform/files/file-store.ts'
import { everyKind, png } from '../testing/every-kind.ts'
import { importing, setUpHub, worker } from '../testing/fixtures.ts'
import { jobTexts } from '../testing/operations.ts'

const fixture = setUpHub()
const createDataset = () => everyKind(fixture.server)
const token = 'hf_write-token-of-somebody'
const exporting = (dataset: Dataset) => {
  const client = fixture.server.clientFor(fixture.server.owner)
  return {
    ...worker(fixture.server, 'hub.export'),
    start: (body: { readonly [key: string]: unknown }) =>
      client.post<Job & { detail: string }>(`/datasets/${dataset.id}/export`, body),
    job: async (id: string) => (await client.get<Job>(`/jobs/${id}`)).body,
  }
}
const read = async (bytes: Buffer) => {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer
  return { rows: await parquetReadObjects({ file, utf8: false }), metadata: await parquetMetadataAsync(file) }
}

describe('an export to the Hub', () => {
  it('pushes every record as a table row and the dataset description in one commit', async () => {
    fixture.hub.allow(token, ['team'])
    const dataset = await createDataset()
    const { start, run, job } = exporting(dataset)
    const started = await start({ name: 'team/pushed', private: true, token })
    expect(started).toMatchObject({ status: 202, body: { status: 'queued' } })
    expect(await run()).toBe('finished')
    expect(await job(started.body.id)).toMatchObject({ status: 'finished', done: 2, total: 2 })
    const repository = fixture.hub.repositories.get('team/pushed')
    expect(repository).toMatchObject({ isPrivate: true, commits: ['Push subset default, split train'] })
    expect([...(repository?.files.keys() ?? [])].sort()).toEqual([
      '.argilla/dataset.json',
      '.argilla/settings.json',
      '.argilla/version.json',
      'README.md',
      'data/train-00000-of-00001.parquet',
    ])
    const { rows, metadata } = await read(repository?.files.get('data/train-00000-of-00001.parquet') as Buffer)
    const owner = fixture.server.owner.id
    expect(rows[0]).toMatchObject({
      id: 'first',
      status: 'completed',
      text: 'Ann works',
      link: 'https://example.com/a.png',
      talk: [{ role: 'user', content: 'hi' }],
      page: { a: 1, b: [{ c: 'x' }] },
      'label.responses': ['no'],
      'label.responses.users': [owner],
      'label.responses.status': ['submitted'],
      'label.suggestion': 'yes',
      'label.suggestion.agent': 'model',
      'label.suggestion.score': 0.9,
      'tags.responses': [undefined],
      'tags.suggestion': ['x', 'y'],
      'tags.suggestion.score': [0.1, 0.2],
      'rank.responses': [
        [
          { value: 'b', rank: 1n },
          { value: 'a', rank: 2n },
        ],
      ],
      'parts.responses': [[{ start: 0n, end: 3n, label: 'ORG' }]],
      'metadata.source': ['web'],
      'metadata.size': 3n,
      'vector.vec': [0.5, 1],
    })
    expect(Buffer.from(rows[0]?.['picture']?.bytes).length).toBe(Buffer.from(png, 'base64').length)
    expect(rows[0]?.['inserted_at']).toBeInstanceOf(Date)
    expect(rows[0]).not.toHaveProperty('extra_metadata')
    expect(rows[1]).toMatchObject({
      id: 'second',
      status: 'pending',
      page: { a: 2.5, b: undefined },
      'metadata.source': [null],
    })
    expect(rows[1]?.['label.responses'] ?? null).toBeNull()
    const { info } = JSON.parse(metadata.key_value_metadata?.find(({ key }) => key === 'huggingface')?.value ?? '{}')
    expect(info.features).toMatchObject({
      picture: { _type: 'Image' },
      link: { dtype: 'string' },
      inserted_at: { dtype: 'timestamp[us]' },
    })
  })

  it('contains published final answers as answers of the user that the review settings name', async () => {
    const dataset = await createDataset()
    const { server } = fixture
    const owner = server.clientFor(server.owner)
    const publisher = await server.createUser({})
    await owner.patch(`/users/${publisher.id}`, { active: false })
    const { body: found } = await owner.get<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records`)
    const values = { label: { value: 'yes', source: 'adjudicated' } }
    const gold = { mutation_id: crypto.randomUUID(), base_version: null, values, final: true }
    expect(await owner.put(`/records/${found.items[0]?.id}/gold`, gold)).toMatchObject({ status: 200 })
    const settings = { mode: 'all', publish_gold_as: publisher.username }
    expect(await owner.put(`/datasets/${dataset.id}/review-settings`, settings)).toMatchObject({ status: 200 })
    const { start, run } = exporting(dataset)
    await start({ name: 'team/published', token })
    expect(await run()).toBe('finished')
    const table = fixture.hub.repositories.get('team/published')?.files.get('data/train-00000-of-00001.parquet')
    const { rows } = await read(table as Buffer)
    expect(rows[0]).toMatchObject({
      'label.responses': ['no', 'yes'],
      'label.responses.users': [server.owner.id, publisher.id],
      'label.responses.status': ['submitted', 'submitted'],
      'label.gold': 'yes',
      'review.status': 'final',
    })
    expect(rows[1]?.['label.responses'] ?? null).toBeNull()
  })

  it('describes the dataset in files that its clients read', async () => {
    const dataset = await createDataset()
    const owner = fixture.server.clientFor(fixture.server.owner)
    const { body: found } = await owner.get<{ items: { id: string }[] }>(`/datasets/${dataset.id}/records`)
    await owner.post(`/records/${found.items[1]?.id}/responses`, { status: 'draft' })
    const { start, run } = exporting(dataset)
    await start({ name: 'team/described', token })
    expect(await run()).toBe('finished')
    const files = fixture.hub.repositories.get('team/described')?.files
    const text = (path: string) => files?.get(path)?.toString('utf8') ?? ''
    expect(JSON.parse(text('.argilla/version.json'))).toEqual({ argilla: '2.8.0' })
    const { body } = await owner.get<Dataset>(`/datasets/${dataset.id}`)
    expect(body.last_activity_at > body.updated_at).toBe(true)
    expect(JSON.parse(text('.argilla/dataset.json'))).toEqual(body)
    const settings = JSON.parse(text('.argilla/settings.json'))
    expect(Object.keys(settings)).toEqual([
      'guidelines',
      'allow_extra_metadata',
      'distribution',
      'fields',
      'questions',
      'metadata',
      'vectors',
    ])
    expect(settings.questions.map(({ name }: { name: string }) => name)).toEqual(['label', 'tags', 'stars', 'rank', 'parts'])
    const card = text('README.md')
    expect(card).toMatch(
      /^---\nsize_categories: n<1K\ntags:\n- rlfh\n- argilla\n- human-feedback\nconfigs:\n- config_name: "default"\n/,
    )
    expect(card).toContain('from_hub("team/described", settings="auto")')
    expect(card).toContain('Read | twice.')
  })

  it('adds a subset next to existing ones, replaces its own files, and recognizes them later', async () => {
    const dataset = await createDataset()
    const { start, run } = exporting(dataset)
    for (const target of [{}, { subset: 'other', split: 'test' }, {}]) {
      await start({ name: 'team/twice', token, ...target })
      expect(await run()).toBe('finished')
    }
    const repository = fixture.hub.repositories.get('team/twice')
    repository?.files.set('data/train-00000-of-00002.parquet', Buffer.from('older'))
    repository?.files.set('data/train-00001-of-00002.parquet', Buffer.from('older'))
    await start({ name: 'team/twice', token })
    expect(await run()).toBe('finished')
    expect([...(repository?.files.keys() ?? [])].filter((path) => path.endsWith('.parquet')).sort()).toEqual([
      'data/train-00000-of-00001.parquet',
      'other/test-00000-of-00001.parquet',
    ])
    const card = repository?.files.get('README.md')?.toString('utf8') ?? ''
    expect(card).toContain('- config_name: "other"\n  data_files:\n  - split: "test"\n    path: "other/test-*"')
    const features = { text: { dtype: 'string', _type: 'Value' }, picture: { _type: 'Image' } }
    const file = repository?.files.get('data/train-00000-of-00001.parquet') as Buffer
    fixture.hub.put('team/again', [{ subset: 'default', split: 'train', features, files: [file] }])
    const copy = importing(fixture.server, await createDataset())
    const mapping = {
      fields: ['text', 'picture', 'link', 'talk', 'page'].map((name) => ({ source: name, target: name })),
      suggestions: [
        { source: 'label.suggestion', target: 'label' },
        { source: 'parts.suggestion', target: 'parts' },
        { source: 'rank.suggestion', target: 'rank' },
      ],
      external_id: 'id',
    }
    await copy.start({ name: 'team/again', subset: 'default', split: 'train', mapping })
    expect(await copy.run()).toBe('finished')
    expect((await copy.report()).map(({ reason }) => reason)).toEqual([])
    const [first] = await copy.records()
    expect(first).toMatchObject({
      external_id: 'first',
      fields: { picture: `data:image/png;base64,${png}`, link: 'https://example.com/a.png' },
    })
    expect(first?.suggestions?.map(({ value }) => value)).toContainEqual([
      { value: 'b', rank: 1 },
      { value: 'a', rank: 2 },
    ])
  })
})

describe('images stored as files', () => {
  const stored = async () => {
    const { server } = fixture
    const image = { type: 'image' as const }
    const fields = [
      { name: 'picture', required: true, settings: image },
      { name: 'id', settings: image },
    ]
    const dataset = await server.createDataset({ fields })
    const { config } = server.app.ctx
    const bytes = new Uint8Array(Buffer.from(png, 'base64'))
    const url = await storeImage(config, dataset.id, { bytes, ending: 'png', base: `${server.url}/` })
    await server
      .clientFor(server.owner)
      .put(`/datasets/${dataset.id}/records/bulk`, { items: [{ external_id: 'a', fields: { picture: url, id: url } }] })
    return { dataset, config }
  }

  it('are pushed as their content, including for a field with the same name as another column', async () => {
    fixture.hub.allow(token, ['team'])
    const { dataset } = await stored()
    const { start, run } = exporting(dataset)
    await start({ name: 'team/pictures', token })
    expect(await run()).toBe('finished')
    const file = fixture.hub.repositories.get('team/pictures')?.files.get('data/train-00000-of-00001.parquet') as Buffer
    const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer
    const [row] = (await parquetReadObjects({ file: buffer, utf8: false })) as {
      id: Uint8Array
      picture: { bytes: Uint8Array }
      'field.id': { bytes: Uint8Array }
    }[]
    const pushed = [row?.picture, row?.['field.id']].map((image) => Buffer.from(image?.bytes ?? []).toString('base64'))
    expect([Buffer.from(row?.id ?? []).toString(), ...pushed]).toEqual(['a', png, png])
  })

  it('fail the export when one is missing', async () => {
    fixture.hub.allow(token, ['team'])
    const { dataset, config } = await stored()
    await (await fileStore(config)).remove(dataset.id)
    const { start, run, job } = exporting(dataset)
    const { id } = (await start({ name: 'team/lost', token })).body
    expect([await run(), (await job(id)).reason]).toEqual([
      'failed',
      expect.stringContaining('refers to a file that does not exist'),
    ])
  })
})

describe('an export that fails', () => {
  const status = (code: number) => (_: unknown, response: ServerResponse) => {
    response.writeHead(code, { 'content-type': 'application/json' }).end(`{"error": "no, not with ${token}"}`)
    return true
  }

  it('a dataset without records is rejected at once', async () => {
    const answer = await exporting(await fixture.server.createDataset()).start({ name: 'team/empty', token })
    expect(answer).toMatchObject({ status: 422, body: { detail: expect.stringContaining('no records') } })
  })

  it('a token that is invalid in a header is rejected at once, and surrounding whitespace is trimmed', async () => {
    fixture.hub.allow(token, ['team'])
    const { start, run } = exporting(await createDataset())
    for (const broken of [`${token}\n${token}`, `${token}\u200b`, ' ']) {
      expect(await start({ name: 'team/x', token: broken })).toMatchObject({ status: 422 })
    }
    const { id } = (await start({ name: 'team/blanks', token: ` ${token}\n` })).body
    expect([typeof id, await run()]).toEqual(['string', 'finished'])
  })

  it.each([
    ['an unknown token', { name: 'team/x', token: 'hf_unknown' }, 'failed', /rejected the token/],
    ['a token without write access', { name: 'others/x', token }, 'failed', /no write access to others\/x/],
    ['an invalid repository ID', { name: 'a/b/c', token }, 'failed', /Use the form owner\/name/],
    ['a split name that can’t be loaded', { name: 'team/x', token, split: 'a b' }, 'failed', /is not a valid split name/],
    ['a subset name with a path', { name: 'team/x', token, subset: '../../..' }, 'failed', /is not a valid subset name/],
  ])('%s', async (_what, body, state, reason) => {
    fixture.hub.allow(token, ['team'])
    const { start, run, job } = exporting(await createDataset())
    const { id } = (await start(body)).body
    expect(await run()).toBe(state)
    expect((await job(id)).reason).toMatch(reason)
  })

  it.each([
    [401, 'failed'],
    [403, 'failed'],
    [429, 'scheduled'],
    [500, 'scheduled'],
  ])('the Hub returns %i: %s, and the token is revealed to nobody', async (code, state) => {
    const { start, run, job } = exporting(await createDataset())
    const { id } = (await start({ name: 'team/never', token })).body
    fixture.hub.intercept(status(code))
    expect(await run()).toBe(state)
    fixture.hub.intercept(null)
    const { reason } = await job(id)
    expect(reason).toMatch(/\w/)
    expect(reason).not.toContain(token)
    expect((await fixture.tool.read(jobTexts, {})).join()).not.toContain(token)
    expect(fixture.hub.repositories.has('team/never')).toBe(false)
  })

  it('a Hub that hangs: the export is retried later', async () => {
    const { start, run, job } = exporting(await createDataset())
    const { id } = (await start({ name: 'team/never', token })).body
    fixture.hub.intercept(() => true)
    expect(await run()).toBe('scheduled')
    expect((await job(id)).reason).toMatch(/did not respond in time/)
  })

  it('a Hub that redirects file uploads to a private address', async () => {
    const { start, run, job } = exporting(await createDataset())
    const { id } = (await start({ name: 'team/inside', token })).body
    fixture.hub.intercept(({ url }, response) => {
      if (!url.pathname.endsWith('/objects/batch')) return false
      const upload = { href: 'http://10.0.0.1/take', header: {} }
      const oid = JSON.parse(fixture.hub.requests.at(-1)?.body.toString() ?? '{}').objects[0].oid
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ transfer: 'basic', objects: [{ oid, size: 1, actions: { upload } }] }))
      return true
    })
    expect(await run()).toBe('failed')
    expect((await job(id)).reason).toBe('10.0.0.1 is not a public address')
  })
})
