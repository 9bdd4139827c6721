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
import { draftOf, mappingOf, originOf, planOf, storedMapping } from './wire.ts'

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

describe('the draft from a file', () => {
  test("has the server's proposal, with values as labels and one required question", () => {
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

  test('gives a column with a new role a type that fits its values', () => {
    const as = (name: string, role: 'field' | 'question' | 'metadata') => {
      const found = columns.find((one) => one.name === name) as ImportColumn
      return planOf(withRole(filled, found, role))
    }
    expect(as('more', 'field').fields[1]).toMatchObject({ name: 'more', required: false, settings: { type: 'custom' } })
    expect(as('size', 'question').questions[2]).toMatchObject({ settings: { type: 'label_selection' } })
    expect(as('label', 'metadata').metadata_properties?.[1]).toMatchObject({ settings: { type: 'terms' } })
    expect(as('label', 'metadata').questions).toHaveLength(1)
  })

  test('requires the first field without gaps, or the first field if all have gaps', () => {
    const asField = { proposal: { role: 'field', type: 'text' } } as const
    const [note, text] = [column('note', { ...asField, complete: false }), column('text', asField)]
    const required = (...some: readonly ImportColumn[]) =>
      withColumns(emptyDraft, some).fields.flatMap((field) => (field.required ? [field.name] : []))
    expect(required(note, text, column('more', asField))).toEqual(['text'])
    expect(required(note)).toEqual(['note'])
    const own = withField(emptyDraft, 'text', { name: 'own', source: null })
    expect(withColumns(own, [note, text]).fields.map((field) => field.required)).toEqual([true, false, false])
  })

  test('names questions and properties like the dataset that a download came from', () => {
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

  test('gives a question no labels if its column has none', () => {
    const many = column('many', { proposal: { role: 'suggestion', type: 'label_selection' } })
    const draft = withRole(filled, many, 'question')
    const { key } = draft.questions.at(-1) ?? { key: '' }
    expect(planOf(draft).questions[2]).toMatchObject({ settings: { type: 'label_selection', options: [] } })
    expect(faultsOf(draft, { taken: new Set(), hasFile: true }).parts.get(key)?.settings).toBe('atLeastTwo')
    const refreshed = withOtherColumns(draft, [...columns, many], [...columns, { ...many, values: ['a', 'b'] }])
    expect(planOf(refreshed).questions[2]).toMatchObject({ settings: { options: [{ value: 'a' }, { value: 'b' }] } })
  })

  test('keeps its parts without the file, and matches them to another file by stored columns and names', () => {
    const renamed = { ...filled, fields: filled.fields.map((field) => ({ ...field, name: 'content' })) }
    expect(mappingOf(withoutFile(renamed))).toEqual({ fields: [], suggestions: [], metadata: [], external_id: null })
    const kept = withFile(renamed, columns)
    expect(mappingOf(kept).fields).toEqual([{ source: 'text', target: 'content' }])
    expect([kept.questions.length, kept.fields.length]).toEqual([2, 1])
    expect(mappingOf(withFile(withoutFile(filled), columns))).toEqual(mappingOf(filled))
  })
})

test('another part of a source keeps the choices for columns that it also has, and gets proposals for the rest', () => {
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

test('a name that another part already has is made unique', () => {
  const twice = withField(withField(emptyDraft, 'text', { name: 'text', source: null }), 'chat', { name: 'text', source: null })
  expect(twice.fields.map(({ name }) => name)).toEqual(['text', 'text-2'])
})

test('faults are counted', () => {
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

test('a stored draft is read with its stored columns, and foreign stored values are ignored', () => {
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
  expect(storedMapping({ ...dataset, metadata: originOf(filled, { id: 'f1', name: 'rows.csv' }) })).toEqual(mappingOf(filled))
  // Without a file, the result has no `file` key, so the stored file name is kept.
  expect(originOf(filled, null)).not.toHaveProperty('file')
  for (const other of [null, {}, { mapping: null }, { mapping: { fields: 'x' } }, { mapping: { fields: [null, { source: 1 }] } }])
    expect(read(other)).toMatchObject({ fields: [{ source: null }], externalId: null })
})
