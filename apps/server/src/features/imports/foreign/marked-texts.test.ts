import { expect, it, test } from 'vitest'
import { setUpImports } from '../testing/fixtures.ts'
import { importAsProposed } from '../testing/import-as-proposed.ts'

const fixture = setUpImports()
const lines = (...rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n')
const read = (name: string, content: string) => importAsProposed(fixture.server, name, content)

const proposals = ({ file }: Awaited<ReturnType<typeof read>>) =>
  file.columns.map(({ name, proposal }) => `${name}: ${proposal?.role} ${proposal?.type}`)

it('reads spans of doccano with offsets in code points', async () => {
  const rows = [
    { id: 1, data: 'Ville de Québec', label: [[9, 15, 'CITY']], Comments: [] },
    {
      id: 2,
      data: '👩‍🔬 Dr. Lee visited Bonn',
      label: [
        [4, 11, 'PER'],
        [20, 24, 'CITY'],
      ],
      Comments: ['check'],
    },
    { id: 3, data: 'No entity here', label: [] },
    { id: 4, data: 'Short', label: [[0, 99, 'CITY']] },
  ]
  const imported = await read('admin.jsonl', lines(...rows))
  expect(imported.file.recognized).toBe('doccano')
  expect(proposals(imported)).toEqual(['id: external_id null', 'text: field text', 'label: suggestion span'])
  expect(imported.file.columns[2]?.values).toEqual(['CITY', 'PER'])
  expect(imported.file.contents?.left_out).toEqual([{ part: 'comments', reason: 'unmapped', rows: 1 }])
  expect(imported.job.import).toEqual({
    rows: 4,
    created: 3,
    updated: 0,
    failed: 1,
    comments: { stored: 0, kept: 0, invalid: 0, left_out: 1 },
  })
  expect(imported.records.map(({ external_id, found }) => [external_id, found])).toEqual([
    ['1', { label: [{ label: 'CITY', start: 9, end: 15 }] }],
    [
      '2',
      {
        label: [
          { label: 'PER', start: 4, end: 11 },
          { label: 'CITY', start: 20, end: 24 },
        ],
      },
    ],
    ['3', {}],
  ])
})

it('reads relations of doccano as left out', async () => {
  const entities = [{ id: 1, label: 'PER', start_offset: 0, end_offset: 3 }]
  const { file, records } = await read('rel.jsonl', lines({ text: 'Ann left', entities, relations: [{ from_id: 1, to_id: 1 }] }))
  expect([file.recognized, file.contents?.left_out]).toEqual(['doccano', [{ part: 'relations', reason: 'unsupported', rows: 1 }]])
  expect(records[0]?.found).toEqual({ entities: [{ label: 'PER', start: 0, end: 3 }] })
})

it('reads categories of spaCy, with and without spans', async () => {
  const rows = [
    { text: 'Uber blew', cats: { GOOD: 0, BAD: 1 } },
    { text: 'Nice', cats: { GOOD: 1, BAD: 0 } },
    { text: 'Hm', cats: { GOOD: 0, BAD: 0 } },
  ]
  const { file, records } = await read('cats.jsonl', lines(...rows))
  expect(file.recognized).toBe('spacy')
  expect(file.columns.map(({ name, proposal, values }) => [name, proposal?.type, values])).toContainEqual([
    'cats',
    'label_selection',
    ['GOOD', 'BAD'],
  ])
  expect(records.map(({ found }) => found)).toEqual([{ cats: 'BAD' }, { cats: 'GOOD' }, {}])
  const pairs = JSON.stringify([
    ['Ann left', { entities: [[0, 3, 'PER']], cats: { A: true, B: true } }],
    ['Paris', { entities: [[0, 5, 'LOC']], cats: { A: true, B: false } }],
  ])
  const ofPairs = await read('train.json', pairs)
  expect(ofPairs.records.map(({ found }) => found['cats'])).toEqual([['A', 'B'], ['A']])
})

it('reads its own spaCy download, with metadata and other columns', async () => {
  const rows = [
    { text: 'Uber blew', entities: [[0, 4, 'ORG']], meta: { id: 'a', user: 'ann' }, mood: 'sad' },
    { text: 'Paris', entities: [[0, 5, 'LOC']], meta: { id: 'b', user: 'ann' }, mood: 'glad' },
    { text: 'Rome', entities: [[0, 4, 'LOC']], meta: { id: 'c', user: 'ben' }, mood: 'glad' },
    { text: 'none', entities: [], meta: { id: 'd', user: 'ben' }, mood: 'sad' },
  ]
  const imported = await read('train.jsonl', lines(...rows))
  expect(imported.file.recognized).toBe('spacy')
  expect(proposals(imported)).toEqual([
    'text: field text',
    'entities: suggestion span',
    'mood: suggestion label_selection',
    'id: metadata terms',
    'user: metadata terms',
  ])
  expect(imported.job.import).toEqual({ rows: 4, created: 4, updated: 0, failed: 0 })
  expect(imported.records[0]).toMatchObject({ metadata: { id: 'a', user: 'ann' }, found: { mood: 'sad' } })
})

it('reads tasks of Prodigy: spans, choices, and no rejected annotations', async () => {
  const task = (text: string, more: object) => ({ text, _input_hash: 1, _task_hash: 2, tokens: [{ text, id: 0 }], ...more })
  const spans = [{ start: 0, end: 6, label: 'GPE', token_start: 0, token_end: 0 }]
  const ner = await read(
    'ner.jsonl',
    lines(
      task('Lisbon is warm', { spans, answer: 'accept', meta: { source: 'news' }, _annotator_id: 's1' }),
      task('Lisbon again', { spans, answer: 'reject', meta: { source: 'news' } }),
    ),
  )
  expect([ner.file.recognized, ner.file.contents?.annotators]).toEqual(['prodigy', 1])
  expect(proposals(ner)).toEqual([
    'text: field text',
    'spans: suggestion span',
    'source: metadata terms',
    'answer: metadata terms',
  ])
  expect(ner.file.contents?.left_out).toContainEqual({ part: 'spans', reason: 'rejected', rows: 1 })
  expect(ner.file.contents?.left_out).toContainEqual({ part: '_input_hash', reason: 'technical', rows: 2 })
  expect(ner.records.map(({ found }) => found)).toEqual([{ spans: [{ label: 'GPE', start: 0, end: 6 }] }, {}])
  const options = ['buyback', 'dividend'].map((id) => ({ id, text: id.toUpperCase() }))
  const choice = await read(
    'choice.jsonl',
    lines(
      task('one', { options, accept: ['buyback', 'dividend'], answer: 'accept' }),
      task('two', { options, accept: ['buyback'], answer: 'accept' }),
    ),
  )
  expect(choice.records.map(({ found }) => found)).toEqual([{ accept: ['buyback', 'dividend'] }, { accept: ['buyback'] }])
  expect(choice.job.import).toEqual({ rows: 2, created: 2, updated: 0, failed: 0 })
})

test.each([
  ['names', ['B-ORG', 'O', 'B-MISC', 'I-MISC', 'B-MISC', 'O'], ['ORG', 'MISC', 'MISC']],
  ['IOB1', ['I-ORG', 'O', 'I-MISC', 'I-MISC', 'B-MISC', 'O'], ['ORG', 'MISC', 'MISC']],
  ['BIOES', ['S-ORG', 'O', 'B-MISC', 'E-MISC', 'S-MISC', 'O'], ['ORG', 'MISC', 'MISC']],
  ['numbers', [3, 0, 7, 8, 7, 0], ['class 3', 'class 7', 'class 7']],
])('reads tokens with tags as %s', async (_, ner_tags, labels) => {
  const tokens = ['EU', 'rejects', '😡', 'call', 'today', '.']
  const { file, records, job } = await read('tokens.jsonl', lines({ id: '0', tokens, ner_tags }, { id: '1', tokens, ner_tags }))
  expect([file.recognized, job.import?.created]).toEqual(['token_tags', 2])
  expect(records[0]?.fields['text']).toBe('EU rejects 😡 call today.')
  expect(records[0]?.found).toEqual({
    ner_tags: [
      { label: labels[0], start: 0, end: 2 },
      { label: labels[1], start: 11, end: 17 },
      { label: labels[2], start: 18, end: 23 },
    ],
  })
})

it('reads files with one token per line: a record per sentence, whatever the line ends', async () => {
  const file = [
    '-DOCSTART- -X- -X- O',
    '',
    'EU NNP B-NP B-ORG',
    'rejects VBZ B-VP O',
    'German JJ B-NP B-MISC',
    '',
    '',
    '# SYM B-NP O',
    'Peter NNP B-NP B-PER',
    'Blackburn NNP I-NP I-PER',
    '',
    'Broken O',
    'line NN I-NP O',
  ]
  for (const end of ['\n', '\r\n']) {
    const imported = await read('train.conll', file.join(end))
    expect([imported.file.format, imported.file.recognized]).toEqual(['conll', 'token_tags'])
    expect(imported.file.contents?.left_out).toEqual([
      { part: 'pos_tags', reason: 'further', rows: 2 },
      { part: 'chunk_tags', reason: 'further', rows: 2 },
    ])
    expect(imported.job.import).toEqual({ rows: 3, created: 2, updated: 0, failed: 1 })
    expect(imported.records.map(({ fields, found }) => [fields['text'], found])).toEqual([
      [
        'EU rejects German',
        {
          ner_tags: [
            { label: 'ORG', start: 0, end: 2 },
            { label: 'MISC', start: 11, end: 17 },
          ],
        },
      ],
      ['#Peter Blackburn', { ner_tags: [{ label: 'PER', start: 1, end: 16 }] }],
    ])
  }
})

it('reads CoNLL-U with its texts and comments, and many sentences with one count', async () => {
  const word = (id: string, form: string, upos: string) => [id, form, form, upos, '_', '_', '0', 'root', '_', '_'].join('\t')
  const sentence = (no: number) =>
    [
      '# newpar',
      `# sent_id = s${no}`,
      '# text = Don’t stop!',
      word('1-2', 'Don’t', '_'),
      word('1', 'Do', 'AUX'),
      word('2', 'n’t', 'PART'),
      word('3', 'stop', 'VERB'),
      word('4', '!', 'PUNCT'),
    ].join('\n')
  const count = 3000
  const all = Array.from({ length: count }, (_, i) => sentence(i)).join('\n\n')
  const imported = await read('ud.conllu', all)
  expect(imported.job.import).toEqual({ rows: count, created: count, updated: 0, failed: 0 })
  expect(imported.records[7]).toMatchObject({ external_id: 's7', fields: { text: 'Don’t stop!' } })
  expect(imported.records[7]?.found).toEqual({
    upos_tags: [
      { label: 'AUX', start: 0, end: 2 },
      { label: 'PART', start: 2, end: 5 },
      { label: 'VERB', start: 6, end: 10 },
      { label: 'PUNCT', start: 10, end: 11 },
    ],
  })
})
