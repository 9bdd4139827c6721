import type { ImportColumn } from '@postil/contract/files/imports.ts'
import { describe, expect, test } from 'vitest'
import {
  emptyDraft,
  roleOf,
  withColumns,
  withField,
  withFile,
  withOtherColumns,
  withoutFile,
  withQuestion,
  withRole,
} from './draft.ts'
import { faultsOf } from './faults.ts'
import { draftOf, keptMapping, mappingOf, originOf, planOf } from './wire.ts'

const column = (name: string, rest: Partial<ImportColumn>): ImportColumn => ({
  name,
  type: 'text',
  samples: [],
  values: null,
  complete: true,
  proposal: null,
  ...rest,
})
const columns = [
  column('id', { proposal: { role: 'external_id', type: null } }),
  column('text', { proposal: { role: 'field', type: 'text' } }),
  column('label', { values: ['yes', 'no'], proposal: { role: 'suggestion', type: 'label_selection' } }),
  column('tags', { type: 'list', values: ['x', 'y'], proposal: { role: 'suggestion', type: 'multi_label_selection' } }),
  column('size', { type: 'integer', values: ['1', '20'], proposal: { role: 'metadata', type: 'integer' } }),
  column('more', { type: 'object' }),
]
const filled = withColumns({ ...emptyDraft, name: 'n', workspaceId: 'w' }, columns)

describe('the draft of a file', () => {
  test('has what the server proposes, with the values as labels, and one required question', () => {
    expect(columns.map(({ name }) => roleOf(filled, name))).toEqual(['id', 'field', 'question', 'question', 'metadata', 'none'])
    expect(planOf(filled)).toMatchObject({
      fields: [{ name: 'text', title: 'text', required: true }],
      questions: [
        { name: 'label', required: true, settings: { options: [{ value: 'yes' }, { value: 'no' }] } },
        { name: 'tags', required: false, settings: { type: 'multi_label_selection' } },
      ],
      metadata_properties: [{ name: 'size', settings: { type: 'integer' } }],
      mapping: {
        fields: [{ source: 'text', target: 'text' }],
        suggestions: [
          { source: 'label', target: 'label' },
          { source: 'tags', target: 'tags' },
        ],
        metadata: [{ source: 'size', target: 'size' }],
        external_id: 'id',
      },
    })
  })

  test('gives a column that becomes something else the kind that its values fit into', () => {
    const as = (name: string, role: 'field' | 'question' | 'metadata') => {
      const found = columns.find((one) => one.name === name) as ImportColumn
      return planOf(withRole(filled, found, role))
    }
    expect(as('more', 'field').fields[1]).toMatchObject({ name: 'more', required: false, settings: { type: 'custom' } })
    expect(as('size', 'question').questions[2]).toMatchObject({ settings: { type: 'label_selection' } })
    expect(as('label', 'metadata').metadata_properties?.[1]).toMatchObject({ settings: { type: 'terms' } })
    expect(as('label', 'metadata').questions).toHaveLength(1)
  })

  test('requires the first field that no row is without, and the first one where all have gaps', () => {
    const asField = { proposal: { role: 'field', type: 'text' } } as const
    const [note, text] = [column('note', { ...asField, complete: false }), column('text', asField)]
    const required = (...some: readonly ImportColumn[]) =>
      withColumns(emptyDraft, some).fields.flatMap((field) => (field.required ? [field.name] : []))
    expect(required(note, text, column('more', asField))).toEqual(['text'])
    expect(required(note)).toEqual(['note'])
    const own = withField(emptyDraft, 'text', { name: 'own', source: null })
    expect(withColumns(own, [note, text]).fields.map((field) => field.required)).toEqual([true, false, false])
  })

  test('calls questions and properties as the dataset that a download is of', () => {
    const label = column('sentiment.suggestion', {
      values: ['a', 'b'],
      proposal: { role: 'suggestion', type: 'label_selection' },
    })
    const size = column('metadata.size', { type: 'integer', proposal: { role: 'metadata', type: 'integer' } })
    expect(mappingOf(withColumns(emptyDraft, [label, size]))).toMatchObject({
      suggestions: [{ source: 'sentiment.suggestion', target: 'sentiment' }],
      metadata: [{ source: 'metadata.size', target: 'size' }],
    })
    expect(withRole(emptyDraft, column('.suggestion', {}), 'question').questions[0]?.name).toBe('.suggestion')
  })

  test('gives a question no labels that its column does not have', () => {
    const many = column('many', { proposal: { role: 'suggestion', type: 'label_selection' } })
    const draft = withRole(filled, many, 'question')
    const { key } = draft.questions.at(-1) ?? { key: '' }
    expect(planOf(draft).questions[2]).toMatchObject({ settings: { type: 'label_selection', options: [] } })
    expect(faultsOf(draft, { taken: new Set(), hasFile: true }).parts.get(key)?.settings).toBe('atLeastTwo')
    const refreshed = withOtherColumns(draft, [...columns, many], [...columns, { ...many, values: ['a', 'b'] }])
    expect(planOf(refreshed).questions[2]).toMatchObject({ settings: { options: [{ value: 'a' }, { value: 'b' }] } })
  })

  test('keeps its parts without the file, and finds them again in another one by kept columns and names', () => {
    const renamed = { ...filled, fields: filled.fields.map((field) => ({ ...field, name: 'content' })) }
    expect(mappingOf(withoutFile(renamed))).toEqual({ fields: [], suggestions: [], metadata: [], external_id: null })
    const kept = withFile(renamed, columns)
    expect(mappingOf(kept).fields).toEqual([{ source: 'text', target: 'content' }])
    expect([kept.questions.length, kept.fields.length]).toEqual([2, 1])
    expect(mappingOf(withFile(withoutFile(filled), columns))).toEqual(mappingOf(filled))
  })
})

test('another part of a source keeps what was made of its columns as far as they are there, and has the rest proposed', () => {
  const [, , label, tags] = columns as [ImportColumn, ImportColumn, ImportColumn, ImportColumn]
  const own = withQuestion(withRole(filled, tags, 'none'), 'text', { name: 'why', source: null }, null)
  const titled = { ...own, questions: own.questions.map((question) => ({ ...question, title: `About ${question.name}` })) }
  const others = [
    ...columns.filter(({ name }) => name === 'text' || name === 'tags'),
    { ...label, values: ['yes', 'no', 'perhaps'] },
    column('size', { type: 'text', proposal: { role: 'field', type: 'text' } }),
    column('new', { proposal: { role: 'metadata', type: 'terms' } }),
  ]
  const draft = withOtherColumns(titled, columns, others)
  expect(others.map(({ name }) => roleOf(draft, name))).toEqual(['field', 'none', 'question', 'field', 'metadata'])
  expect(draft.externalId).toBeNull()
  expect(draft.questions).toMatchObject([
    { title: 'About label', settings: { options: [{ value: 'yes' }, { value: 'no' }, { value: 'perhaps' }] } },
    { title: 'About why', source: null },
  ])
  expect(draft.properties.map(({ name }) => name)).toEqual(['new'])
})

test('names are made other ones where a part has them', () => {
  const twice = withField(withField(emptyDraft, 'text', { name: 'text', source: null }), 'chat', { name: 'text', source: null })
  expect(twice.fields.map(({ name }) => name)).toEqual(['text', 'text-2'])
})

test('what is in the way is counted', () => {
  const around = { taken: new Set(['old']), hasFile: true }
  expect(faultsOf(filled, around)).toMatchObject({ count: 0, parts: new Map() })
  expect(faultsOf({ ...filled, name: ' old ' }, around)).toMatchObject({ name: 'taken', count: 1 })
  expect(faultsOf(withoutFile(filled), around)).toMatchObject({ fields: 'noFieldFromFile', count: 1 })
  expect(faultsOf({ ...filled, minSubmitted: '0' }, around)).toMatchObject({ minSubmitted: 'wholeNumber', count: 1 })
  const spanned = withQuestion(emptyDraft, 'span', { name: 'marks', source: null }, null)
  const faults = faultsOf(spanned, around)
  expect(faults).toMatchObject({
    name: 'required',
    workspace: 'required',
    fields: 'atLeastOneField',
    questions: 'hasInvalidQuestions',
  })
  expect([[...faults.parts.values()][0]?.settings, faults.count]).toEqual(['fieldRelated', 4])
})

test('a stored draft is read back with the columns that were kept with it; what others keep there is none', () => {
  const times = { inserted_at: '', updated_at: '', last_activity_at: '' }
  const dataset = {
    ...times,
    id: 'd',
    name: 'n',
    guidelines: null,
    allow_extra_metadata: true,
    status: 'draft' as const,
    distribution: { strategy: 'overlap' as const, min_submitted: 2 },
    workspace_id: 'w',
  }
  const field = { ...times, id: 'f', name: 'text', title: 'text', required: true, dataset_id: 'd' }
  const fields = [{ ...field, settings: { type: 'text' as const, use_markdown: false } }]
  const read = (metadata: Parameters<typeof draftOf>[0]['dataset']['metadata']) =>
    draftOf({ dataset: { ...dataset, metadata }, fields, questions: [], properties: [] })
  expect(read(originOf(filled, { id: 'f1', name: 'rows.csv' }))).toMatchObject({
    minSubmitted: '2',
    fields: [{ name: 'text', title: '', source: 'text' }],
    externalId: 'id',
  })
  expect(keptMapping({ ...dataset, metadata: originOf(filled, { id: 'f1', name: 'rows.csv' }) })).toEqual(mappingOf(filled))
  // What is stored again without the file still knows which one it was.
  expect(originOf(filled, null)).not.toHaveProperty('file')
  for (const other of [null, {}, { mapping: null }, { mapping: { fields: 'x' } }, { mapping: { fields: [null, { source: 1 }] } }])
    expect(read(other)).toMatchObject({ fields: [{ source: null }], externalId: null })
})
