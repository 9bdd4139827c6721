import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { forgetAgreement } from '#features/responses/testing/operations.ts'
import { datasetNoOf } from '#platform/ids.ts'
import { createFixture, type ExportFixture, lines, NAMES, ORDER, type Row, TEXT } from './testing/fixtures.ts'

let idleServer: IdleServer
let server: TestServer
let fixture: ExportFixture
beforeAll(async () => {
  idleServer = await bootIdleServer(new URL('../responses/testing/operations.ts', import.meta.url))
  server = idleServer.server
  fixture = await createFixture(server)
})
afterAll(() => idleServer.close())
const text = (query: string) => fixture.text(query)
const fetchFile: ExportFixture['fetchFile'] = (...args) => fixture.fetchFile(...args)

describe('JSON Lines', () => {
  it('contain one row per record with answers side by side', async () => {
    const [one, two, three] = lines(await text('format=jsonl'))
    expect(one).toEqual({
      id: 'one',
      status: 'pending',
      inserted_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      _server_id: fixture.records[0]?.id,
      text: TEXT,
      talk: [{ role: 'user', content: 'hi' }],
      'label.responses': ['yes', null],
      'label.responses.users': [fixture.ann.id, fixture.bob.id],
      'label.responses.usernames': ['ann', 'bob'],
      'label.responses.status': ['submitted', 'draft'],
      'label.responses.outcome': ['changed', null],
      'label.responses.agent': ['m', null],
      'label.suggestion': 'no',
      'label.suggestion.agent': 'm',
      'label.suggestion.score': 0.75,
      'tags.responses': [['x', 'z'], null],
      'tags.responses.users': [fixture.ann.id, fixture.bob.id],
      'tags.responses.usernames': ['ann', 'bob'],
      'tags.responses.status': ['submitted', 'draft'],
      'tags.responses.outcome': ['confirmed', null],
      'tags.responses.agent': [null, null],
      'tags.suggestion': ['x', 'y'],
      'tags.suggestion.agent': 'm',
      'tags.suggestion.score': [0.5, 0.25],
      ...Object.fromEntries(
        [
          ['stars', [2, 1]],
          ['order', [ORDER, null]],
          ['names', [NAMES, null]],
          ['note', ['fine', null]],
        ].flatMap(([name, responses]) => [
          [`${name}.responses`, responses],
          [`${name}.responses.users`, [fixture.ann.id, fixture.bob.id]],
          [`${name}.responses.usernames`, ['ann', 'bob']],
          [`${name}.responses.status`, ['submitted', 'draft']],
          [`${name}.responses.outcome`, [null, null]],
          [`${name}.responses.agent`, [null, null]],
          [`${name}.suggestion`, null],
          [`${name}.suggestion.agent`, null],
          [`${name}.suggestion.score`, null],
        ]),
      ),
      ...Object.fromEntries(['label', 'tags', 'stars', 'order', 'names'].map((name) => [`${name}.agreement`, null])),
      'metadata.source': ['web', 'book'],
      'metadata.size': 12,
      'metadata.ratio': 0.25,
      extra_metadata: { more: { a: 1 } },
      'vector.v': [0.5, -1],
    })
    expect(two).toMatchObject({ id: null, 'label.responses': [null], 'metadata.source': ['web'], 'vector.v': null, talk: null })
    expect(three).toMatchObject({ id: '3', 'label.responses': null, 'label.responses.users': null, 'metadata.source': [null] })
  })

  it('contain the agreement of the submitted answers', async () => {
    const scale = { type: 'rating', options: [{ value: 1 }, { value: 2 }] }
    const questions = [
      { name: 'note', required: true, settings: { type: 'text' } },
      { name: 'stars', settings: scale },
      { name: 'more', settings: scale },
    ]
    const { id, workspace_id } = await server.createDataset({ questions })
    const people = [0, 1, 2].map(() => server.createUser({ workspaces: [workspace_id] }))
    const [ann, bob, cyd] = (await Promise.all(people)) as [TestUser, TestUser, TestUser]
    const answer = (user_id: string, stars: number) => ({
      user_id,
      status: 'submitted',
      values: { stars: { value: stars }, note: { value: 'fine' } },
    })
    const responses = [answer(ann.id, 1), answer(bob.id, 2), answer(cyd.id, 2)]
    const items = [{ external_id: 'shared', fields: { text: 'text' }, responses }]
    await server.clientFor(server.owner).post(`/datasets/${id}/records/bulk`, { items })
    const download = `${server.url}/api/v1/datasets/${id}/records/download?format=jsonl`
    const firstLine = async () => {
      const file = await fetch(download, { headers: { 'x-argilla-api-key': server.owner.api_key } })
      return lines(await file.text())[0]
    }
    const shared = await firstLine()
    expect(shared).toMatchObject({ 'stars.agreement': 1 / 3, 'more.agreement': null })
    expect(shared).not.toHaveProperty('note.agreement')

    // After an upgrade, the agreement on some records isn't stored yet
    const client = server.clientFor(server.owner)
    const listed = `/datasets/${id}/records?include=agreement`
    const { items: before } = (await client.get<{ items: RecordPayload[] }>(listed)).body
    expect(before[0]).toMatchObject({ agreement: { stars: 1 / 3 } })
    await idleServer.tool.write(forgetAgreement, { dataset_no: datasetNoOf(before[0]?.id ?? '') })
    const early = await firstLine()
    expect(early).toMatchObject({ 'stars.responses': [1, 2, 2] })
    expect(early).not.toHaveProperty('stars.agreement')
    const { items: after } = (await client.get<{ items: RecordPayload[] }>(listed)).body
    expect(after[0]).not.toHaveProperty('agreement')
  })

  it('contain one row per answer in the long format', async () => {
    const rows = lines(await text('format=jsonl&shape=long'))
    expect(rows.map((row) => [row['id'], row['username'], row['response.status']])).toEqual([
      ['one', 'ann', 'submitted'],
      ['one', 'bob', 'draft'],
      [null, 'bob', 'discarded'],
    ])
    expect(rows[0]).toMatchObject({
      'response.label': 'yes',
      'response.tags': ['x', 'z'],
      'response.stars': 2,
      'suggestion_outcome.label': 'changed',
      'suggestion_agent.label': 'm',
      'suggestion_outcome.stars': null,
      user_id: fixture.ann.id,
    })
    expect(rows[1]).toMatchObject({ 'response.label': null, 'response.stars': 1, text: TEXT })
  })

  it('are byte-identical for the same data and resume after a given record', async () => {
    const whole = await text('format=jsonl')
    expect(await text('format=jsonl')).toBe(whole)
    const rest = await text(`format=jsonl&after=${fixture.records[0]?.id}`)
    expect(whole.endsWith(rest)).toBe(true)
    expect(lines(rest)).toHaveLength(2)
  })
})

describe('CSV', () => {
  const parsed = (content: string): string[][] => {
    const rows: string[][] = [[]]
    for (const [, quotedCell, bare, end] of content.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
      rows.at(-1)?.push(quotedCell?.replaceAll('""', '"') ?? bare ?? '')
      if (end === '\r\n') rows.push([])
      if (end === '') break
    }
    return rows.slice(0, -1)
  }
  it('quotes where needed, keeps lists as JSON and leaves formulas unchanged unless escaping is requested', async () => {
    const [head = [], one = [], two = []] = parsed(await text('format=csv'))
    const at = (row: readonly string[], name: string) => row[head.indexOf(name)]
    expect(at(one, 'text')).toBe(TEXT)
    expect(at(one, 'label.responses')).toBe('["yes",null]')
    expect(at(one, 'label.responses.outcome')).toBe('["changed",null]')
    expect(at(one, 'metadata.size')).toBe('12')
    expect(at(two, 'text')).toBe('=1+1')
    expect(at(two, 'id')).toBe('')
    const [escapedHead = [], , escaped = []] = parsed(await text('format=csv&escape_formulas=true'))
    expect(escaped[escapedHead.indexOf('text')]).toBe("'=1+1")
  })

  it('has a header even without results, and none when it resumes', async () => {
    const nothing = encodeURIComponent(JSON.stringify({ query: { text: { q: 'nowhere' } } }))
    expect(parsed(await text(`format=csv&search=${nothing}`))).toHaveLength(1)
    expect(parsed(await text(`format=csv&after=${fixture.records[1]?.id}`))).toHaveLength(1)
    expect(await text(`format=csv&after=${fixture.records[2]?.id}`)).toBe('')
  })
})

describe('Parquet', () => {
  it('round-trips lists as lists', async () => {
    const answer = await fetchFile('format=parquet')
    expect(answer.headers.get('content-type')).toBe('application/vnd.apache.parquet')
    const rows = (await parquetReadObjects({ file: await answer.arrayBuffer() })) as Row[]
    expect(rows).toHaveLength(3)
    expect(rows[0]).toMatchObject({
      id: 'one',
      text: TEXT,
      talk: '[{"role":"user","content":"hi"}]',
      'label.responses': ['yes', null],
      'label.responses.outcome': ['changed', null],
      // This reader returns a missing list as undefined
      'tags.responses': [['x', 'z'], undefined],
      'stars.responses': [2n, 1n],
      'label.suggestion.score': 0.75,
      'tags.suggestion.score': [0.5, 0.25],
      'order.responses': [JSON.stringify(ORDER), null],
      'metadata.size': 12n,
      'metadata.ratio': 0.25,
      'metadata.source': ['web', 'book'],
      'vector.v': [0.5, -1],
    })
    expect(rows[2]).toMatchObject({ 'label.responses': undefined, 'metadata.source': [null], 'metadata.size': null })
  })

  it('rejects a resume', async () => {
    expect((await fetchFile(`format=parquet&after=${fixture.records[0]?.id}`)).status).toBe(422)
  })
})

describe('span exports', () => {
  it('use character offsets for spaCy, in text order, from submitted answers only', async () => {
    expect(lines(await text('format=spacy'))).toEqual([
      {
        text: TEXT,
        entities: [
          [6, 18, 'per'],
          [23, 29, 'big city'],
        ],
        meta: { id: 'one', record: fixture.records[0]?.id, user: 'ann' },
      },
    ])
    expect([...TEXT].slice(6, 18).join('')).toBe('Ada Lovelace')
    expect([...TEXT].slice(23, 29).join('')).toBe('London')
  })

  it('use words and tags for CoNLL', async () => {
    expect((await text('format=conll&question=names')).split('\n')).toEqual([
      '-DOCSTART- -X- -X- O',
      '',
      '👩‍👩‍👧 -X- -X- O',
      'Ada -X- -X- B-per',
      'Lovelace -X- -X- I-per',
      ', -X- -X- O',
      'of -X- -X- O',
      'London -X- -X- B-big_city',
      '',
      '" -X- -X- O',
      'wrote -X- -X- O',
      '" -X- -X- O',
      'to -X- -X- O',
      'Babbage -X- -X- O',
      '',
      '',
    ])
  })

  it('require a span question', async () => {
    const answer = await fetchFile('format=conll&question=label')
    expect(answer.status).toBe(422)
    expect(await answer.json()).toEqual({
      detail: 'The format conll cannot hold answers to "label". Questions whose answers it can hold: `names`',
    })
    const plain = await server.createDataset({ workspace_id: fixture.dataset.workspace_id })
    const none = await server.clientFor(fixture.admin).get(`/datasets/${plain.id}/records/download?format=spacy`)
    expect(none).toMatchObject({
      status: 422,
      body: { detail: 'The dataset has no question whose answers the format spacy can hold' },
    })
  })
})
