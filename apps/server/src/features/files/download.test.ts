import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Given, giveDataset, lines, NAMES, ORDER, type Row, TEXT } from './testing/given.ts'

let server: TestServer
let given: Given
beforeAll(async () => {
  server = await bootServer()
  given = await giveDataset(server)
})
afterAll(() => server.close())
const text = (query: string) => given.text(query)
const fetchFile: Given['fetchFile'] = (...args) => given.fetchFile(...args)

describe('JSON lines', () => {
  it('have one row a record with answers side by side', async () => {
    const [one, two, three] = lines(await text('format=jsonl'))
    expect(one).toEqual({
      id: 'one',
      status: 'pending',
      inserted_at: expect.any(String),
      updated_at: expect.any(String),
      _server_id: given.records[0]?.id,
      text: TEXT,
      talk: [{ role: 'user', content: 'hi' }],
      'label.responses': ['yes', null],
      'label.responses.users': [given.ann.id, given.bob.id],
      'label.responses.status': ['submitted', 'draft'],
      'label.suggestion': 'no',
      'label.suggestion.agent': 'm',
      'label.suggestion.score': 0.75,
      'tags.responses': [['x', 'z'], null],
      'tags.responses.users': [given.ann.id, given.bob.id],
      'tags.responses.status': ['submitted', 'draft'],
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
          [`${name}.responses.users`, [given.ann.id, given.bob.id]],
          [`${name}.responses.status`, ['submitted', 'draft']],
          [`${name}.suggestion`, null],
          [`${name}.suggestion.agent`, null],
          [`${name}.suggestion.score`, null],
        ]),
      ),
      'metadata.source': ['web', 'book'],
      'metadata.size': 12,
      'metadata.ratio': 0.25,
      extra_metadata: { more: { a: 1 } },
      'vector.v': [0.5, -1],
    })
    expect(two).toMatchObject({ id: null, 'label.responses': [null], 'metadata.source': ['web'], 'vector.v': null, talk: null })
    expect(three).toMatchObject({ id: '3', 'label.responses': null, 'label.responses.users': null, 'metadata.source': [null] })
  })

  it('have one row an answer in the long shape', async () => {
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
      user_id: given.ann.id,
    })
    expect(rows[1]).toMatchObject({ 'response.label': null, 'response.stars': 1, text: TEXT })
  })

  it('are the same bytes for the same data, and go on after a record', async () => {
    const whole = await text('format=jsonl')
    expect(await text('format=jsonl')).toBe(whole)
    const rest = await text(`format=jsonl&after=${given.records[0]?.id}`)
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
  it('quotes what has to be, keeps lists as JSON and formulas as they are unless asked', async () => {
    const [head = [], one = [], two = []] = parsed(await text('format=csv'))
    const at = (row: readonly string[], name: string) => row[head.indexOf(name)]
    expect(at(one, 'text')).toBe(TEXT)
    expect(at(one, 'label.responses')).toBe('["yes",null]')
    expect(at(one, 'metadata.size')).toBe('12')
    expect(at(two, 'text')).toBe('=1+1')
    expect(at(two, 'id')).toBe('')
    const [, , escaped = []] = parsed(await text('format=csv&escape_formulas=true'))
    expect(at(escaped, 'text')).toBe("'=1+1")
  })

  it('has a heading also when nothing is found, and none when it goes on', async () => {
    const nothing = encodeURIComponent(JSON.stringify({ query: { text: { q: 'nowhere' } } }))
    expect(parsed(await text(`format=csv&search=${nothing}`))).toHaveLength(1)
    expect(parsed(await text(`format=csv&after=${given.records[1]?.id}`))).toHaveLength(1)
    expect(await text(`format=csv&after=${given.records[2]?.id}`)).toBe('')
  })
})

describe('Parquet', () => {
  it('reads back with lists as lists', async () => {
    const answer = await fetchFile('format=parquet')
    expect(answer.headers.get('content-type')).toBe('application/vnd.apache.parquet')
    const rows = (await parquetReadObjects({ file: await answer.arrayBuffer() })) as Row[]
    expect(rows).toHaveLength(3)
    expect(rows[0]).toMatchObject({
      id: 'one',
      text: TEXT,
      talk: '[{"role":"user","content":"hi"}]',
      'label.responses': ['yes', null],
      // NOTE: this reader shows a list that is missing as undefined
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

  it('is refused where it would have to go on', async () => {
    expect((await fetchFile(`format=parquet&after=${given.records[0]?.id}`)).status).toBe(422)
  })
})

describe('spans', () => {
  it('come as characters for spaCy, in the order of the text, from submitted answers only', async () => {
    expect(lines(await text('format=spacy'))).toEqual([
      {
        text: TEXT,
        entities: [
          [6, 18, 'per'],
          [23, 29, 'big city'],
        ],
        meta: { id: 'one', record: given.records[0]?.id, user: 'ann' },
      },
    ])
    expect([...TEXT].slice(6, 18).join('')).toBe('Ada Lovelace')
    expect([...TEXT].slice(23, 29).join('')).toBe('London')
  })

  it('come as words and tags for CoNLL', async () => {
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

  it('need a span question', async () => {
    const answer = await fetchFile('format=conll&question=label')
    expect(answer.status).toBe(422)
    expect(await answer.json()).toEqual({ detail: '`label` is no span question of this dataset: there are `names`' })
    const plain = await server.createDataset({ workspace_id: given.dataset.workspace_id })
    const none = await server.as(given.admin).get(`/datasets/${plain.id}/records/download?format=spacy`)
    expect(none).toMatchObject({ status: 422, body: { detail: expect.stringContaining('no span question') } })
  })
})
