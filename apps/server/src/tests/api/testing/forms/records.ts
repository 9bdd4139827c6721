import type { ApiFixture } from '../fixture.ts'
import { richRecord, richValues } from '../rich.ts'
import {
  dict,
  type Form,
  int,
  list,
  nullable,
  once,
  oneOf,
  patched,
  type Rule,
  required,
  text,
  textOf,
  unchecked,
  union,
  uuid,
  values,
} from './rule.ts'

/** The names in these forms begin with this word, so the fixture must be created with the same word. */
export const word = 'limits'
const labelOf = (fixture: ApiFixture) => fixture.rich.questions[`${word}-label`] ?? ''
export const inRich = ({ rich }: ApiFixture) => ({ params: { dataset_id: rich.dataset.id } })
const someRecord = once(async ({ newRecord }) => (await newRecord()).id)
export const writeOnly = { writeOnly: true } as const

const message = (role: unknown, content: unknown) => ({ [`${word}-chat`]: [{ role, content }] })
const messages = (count: number) => ({ [`${word}-chat`]: Array.from({ length: count }, () => ({ role: 'u', content: 'c' })) })
const wrongFields: Rule['refused'] = [
  [{ [`${word}-text`]: 7 }, 'string_type', `${word}-text`],
  [{ [`${word}-text`]: true }, 'string_type', `${word}-text`],
  [{ [`${word}-text`]: 'a\0b' }, 'value_error', `${word}-text`],
  [{ [`${word}-custom`]: { deep: ['\ud800'] } }, 'value_error', `${word}-custom`],
  [{ 'a\0b': 'text' }, 'value_error'],
  [messages(501), 'value_error'],
  [message('', 'c'), 'value_error'],
  [message(textOf(21), 'c'), 'value_error'],
  [message('u', ''), 'value_error'],
  [message('u', textOf(20_001)), 'value_error'],
  [message(7, 'c'), 'value_error'],
  [message('u', null), 'value_error'],
  [message('u', 'a\0b'), 'value_error'],
  [{ [`${word}-chat`]: ['text'] }, 'value_error'],
]
const textual = { [`${word}-text`]: 'text' }
const goodFields: Rule['accepted'] = [
  [{ ...textual, ...messages(500) }],
  [{ ...textual, ...message(textOf(20), textOf(20_000)) }],
  [{ ...textual, [`${word}-chat`]: [] }],
  [{ ...textual, [`${word}-custom`]: {}, [`${word}-image`]: null }],
]

const wrongMetadata: Rule['refused'] = [
  [{ 'a\0': 1 }, 'value_error', 'a\0'],
  [{ a: 'a\0' }, 'value_error', 'a'],
  [{ a: { b: ['\udc00'] } }, 'value_error', 'a'],
]
const goodMetadata: Rule['accepted'] = [[{}], [{ extra: [null, { deep: 'x' }], '': 1, [`${word}-topic`]: null }]]
export const vectorName = `${word}-vector`
const wrongVectors: Rule['refused'] = [
  [{ [vectorName]: null }, 'list_type', vectorName],
  [{ [vectorName]: 'x' }, 'list_type', vectorName],
  [{ [vectorName]: [1, 'x'] }, 'float_parsing', vectorName, 1],
  [{ [vectorName]: [null, 1] }, 'float_type', vectorName, 0],
]
const goodVectors: Rule['accepted'] = [[{}], [{ [vectorName]: ['0.1', '-1e-3'] }, { [vectorName]: [0.1, -0.001] }]]

/** Rules for a suggestion at a path in the body. */
const suggestionRules = (at: string, read: object = {}): Rule[] => [
  uuid(`${at}question_id`, required),
  values(`${at}value`, { ...required, ...read }, 'value_error', [
    [true, 'value_error'],
    [{}, 'value_error'],
    [1.5, 'int_from_float'],
    ['a\0', 'value_error'],
    [[7], 'string_type', 0],
  ]),
  oneOf(`${at}type`, { ...nullable, ...read }, ['model', 'human']),
  values(
    `${at}agent`,
    { ...nullable, ...read },
    'string_type',
    [
      [7, 'string_type'],
      ['', 'string_too_short'],
      ['a'.repeat(201), 'string_too_long'],
      ...['😀', 'é', '-_:./ ', 'a,b', "a'b", 'a\\b', 'a{b}'].map((agent) => [agent, 'string_pattern_mismatch'] as const),
      ['a\0', 'value_error'],
    ],
    [['a'.repeat(200)], ['1'], [' org/model:v1.0_b-2\t\n']],
  ),
  values(
    `${at}score`,
    { ...nullable, ...read },
    'float_type',
    [
      [-0.001, 'greater_than_equal'],
      [1.001, 'less_than_equal'],
      ['x', 'float_parsing'],
      [{}, 'float_type'],
      [[], 'too_short'],
      [[0.5, 2], 'less_than_equal', 1],
      [[0.5, 'x'], 'float_parsing', 1],
    ],
    [[0], [1], [0.123456789], ['0.25', 0.25]],
  ),
]

const answer = (name: string, value: unknown) => ({ [name]: { value } })
const anyName = `${word}-label`
const wrongValue = (value: unknown, type: string, ...inside: (string | number)[]) =>
  [answer(anyName, value), type, anyName, 'value', ...inside] as const
/**
 * Lists with elements that no answer can contain. If an answer in a bulk request has such a list, only that answer is rejected.
 */
const wrongLists: Rule['refused'] = [wrongValue([7], 'string_type', 0), wrongValue(['x', null], 'string_type', 1)]
/** Values that no answer can have, whatever the question type. */
export const wrongValues: Rule['refused'] = [
  [{ '': { value: 'x' } }, 'string_too_short', '', '[key]'],
  ...[textOf(201)].map((name) => [answer(name, 'x'), 'string_too_long', name, '[key]'] as const),
  [answer('a\0', 'x'), 'value_error', 'a\0', '[key]'],
  [{ [anyName]: null }, 'model_attributes_type', anyName],
  [{ [anyName]: 'x' }, 'model_attributes_type', anyName],
  [{ [anyName]: {} }, 'missing', anyName, 'value'],
  wrongValue(null, 'value_error'),
  wrongValue(true, 'value_error'),
  wrongValue({}, 'value_error'),
  wrongValue(1.5, 'int_from_float'),
  wrongValue(2 ** 53, 'int_parsing_size'),
  wrongValue('a\0', 'value_error'),
  ...wrongLists,
  wrongValue([{ value: 7, rank: 1 }], 'string_type', 0, 'value'),
  wrongValue([{ value: 'x', rank: 'first' }], 'int_parsing', 0, 'rank'),
  wrongValue([{ label: 7, start: 0, end: 1 }], 'string_type', 0, 'label'),
  wrongValue([{ label: 'x', start: -1, end: 1 }], 'greater_than_equal', 0, 'start'),
  wrongValue([{ label: 'x', start: 0, end: 0 }], 'greater_than_equal', 0, 'end'),
  wrongValue([{ label: 'x', start: 2, end: 2 }], 'value_error', 0),
  wrongValue([{ label: 'x', start: 0 }], 'missing', 0, 'end'),
  wrongValue(
    Array.from({ length: 10_001 }, () => ({ label: 'x', start: 0, end: 1 })),
    'too_long',
  ),
]

const inside = 'items.0.responses.0'
const itemRules = (fields: Rule): Rule[] => [
  list('items', { ...required, ...writeOnly }, { min: 1, max: 500, item: () => ({ fields: textual }) }),
  values('items', unchecked, 'list_type', [
    [[7], 'model_attributes_type', 0],
    [[null], 'model_attributes_type', 0],
    [
      [
        { fields: textual, external_id: 'same' },
        { fields: textual, external_id: 'same' },
      ],
      'value_error',
    ],
  ]),
  fields,
  { ...values('items.0.fields', unchecked, 'dict_type', wrongFields, goodFields) },
  dict('items.0.metadata', nullable, goodMetadata),
  values('items.0.metadata', unchecked, 'dict_type', wrongMetadata),
  text('items.0.external_id', nullable, { numbersToo: true }),
  dict('items.0.vectors', { ...nullable, ...writeOnly }, []),
  values('items.0.vectors', { ...unchecked, ...writeOnly }, 'dict_type', wrongVectors, goodVectors),
  list('items.0.suggestions', { ...nullable, ...writeOnly }, { item: () => null }),
  ...suggestionRules('items.0.suggestions.0.'),
  list('items.0.responses', { ...nullable, ...writeOnly }, { item: () => null }),
  { ...union(inside, unchecked, 'status') },
  uuid(`${inside}.user_id`, required),
  dict(`${inside}.values`, { ...required, ...writeOnly }, []),
  values(`${inside}.values`, unchecked, 'dict_type', wrongValues),
]

const bulkBody = (fixture: ApiFixture) => {
  // The sample answer to the turns question is valid for only one conversation, but the tests also send other conversations.
  const { [`${word}-turns`]: _, ...answers } = richValues(word)
  const response = { user_id: fixture.colleague.id, status: 'draft', values: answers }
  return { items: [{ ...richRecord(word, null, fixture.rich.questions), responses: [response] }] }
}

export const recordForms: readonly Form[] = [
  {
    id: 'records.bulk_create',
    good: (fixture) => ({ ...inRich(fixture), body: bulkBody(fixture) }),
    rules: itemRules(dict('items.0.fields', required)),
    tags: { [inside]: 'status' },
  },
  {
    id: 'records.bulk_upsert',
    good: async (fixture) => {
      const [item] = bulkBody(fixture).items
      return { ...inRich(fixture), body: { items: [{ ...item, id: await someRecord(fixture) }] } }
    },
    rules: [
      ...itemRules(dict('items.0.fields', { ...nullable, ...writeOnly })).filter(({ at }) => at.at(-1) !== 'external_id'),
      uuid('items.0.id', { ...nullable, ...writeOnly }),
    ],
    tags: { [inside]: 'status' },
  },
  {
    id: 'records.update',
    good: async (fixture) => {
      const { fields, metadata, vectors, suggestions } = richRecord(word, null, fixture.rich.questions)
      return { params: { record_id: await someRecord(fixture) }, body: { fields, metadata, vectors, suggestions } }
    },
    rules: [
      dict('fields', patched),
      values('fields', unchecked, 'dict_type', wrongFields, goodFields),
      dict('metadata', nullable, goodMetadata),
      values('metadata', unchecked, 'dict_type', wrongMetadata),
      dict('vectors', { ...nullable, ...writeOnly }, []),
      values('vectors', { ...unchecked, ...writeOnly }, 'dict_type', wrongVectors, goodVectors),
      list('suggestions', patched, { item: () => null }),
      ...suggestionRules('suggestions.0.'),
    ],
  },
  {
    id: 'suggestions.put',
    good: async (fixture) => ({
      params: { record_id: await someRecord(fixture) },
      body: { question_id: labelOf(fixture), value: `${word}-a` },
    }),
    rules: suggestionRules(''),
  },
]

const bulkItem = async (fixture: ApiFixture) => ({
  record_id: await someRecord(fixture),
  status: 'submitted',
  values: richValues(word),
})

const outcomeRules: readonly Rule[] = [
  dict('suggestion_outcomes', nullable, [[{}]]),
  values('suggestion_outcomes', unchecked, 'dict_type', [
    [{ label: 7 }, 'dict_type', 'label'],
    [{ label: { outcome: 'guessed' } }, 'enum', 'label', 'outcome'],
    [{ label: { outcome: 'changed', agent: 7 } }, 'string_type', 'label', 'agent'],
  ]),
  dict('shown', { ...nullable, ...writeOnly }, [[{}], [{ label: ['text', 'text'] }]]),
  values('shown', unchecked, 'dict_type', [
    [{ label: 7 }, 'list_type', 'label'],
    [{ label: ['text'] }, 'value_error', 'label'],
  ]),
]

const activeTime = int('active_ms', { ...nullable, ...writeOnly }, { ge: 0, le: 1_800_000, good: 12_345 })

export const answerForms: readonly Form[] = [
  {
    id: 'responses.create',
    good: async ({ newRecord }) => ({
      params: { record_id: (await newRecord()).id },
      body: { status: 'draft', values: richValues(word) },
    }),
    rules: [
      oneOf('status', required, ['draft', 'submitted', 'discarded']),
      dict('values', { ...nullable, ...writeOnly }, [[{}]]),
      values('values', unchecked, 'dict_type', wrongValues),
      ...outcomeRules,
      activeTime,
    ],
  },
  ...['draft', 'submitted', 'discarded'].map(
    (status): Form => ({
      id: 'responses.update',
      what: status,
      good: async ({ newRecord }) => ({
        params: { response_id: (await newRecord()).responses?.[0]?.id ?? '' },
        body: { status, values: richValues(word) },
      }),
      rules: [
        { ...dict('values', status === 'submitted' ? required : nullable), writeOnly: true },
        values('values', unchecked, 'dict_type', wrongValues, [[richValues(word)]]),
        activeTime,
      ],
      tags: { '': 'status' },
    }),
  ),
  {
    id: 'responses.bulk',
    good: async (fixture) => ({ body: { items: [await bulkItem(fixture)] } }),
    rules: [
      list(
        'items',
        { ...required, ...writeOnly },
        { min: 1, max: 100, item: () => ({ record_id: crypto.randomUUID(), status: 'draft' }) },
      ),
      { ...union('items.0', unchecked, 'status') },
      uuid('items.0.record_id', required),
      dict('items.0.values', { ...required, ...writeOnly }),
      values(
        'items.0.values',
        unchecked,
        'dict_type',
        wrongValues.filter((one) => !wrongLists.includes(one)),
      ),
    ],
    tags: { 'items.0': 'status' },
  },
  {
    id: 'responses.put_mine',
    good: async ({ newRecord }) => ({
      params: { record_id: (await newRecord()).id },
      body: { mutation_id: crypto.randomUUID(), base_version: null, status: 'submitted', values: richValues(word) },
    }),
    rules: [
      uuid('mutation_id', required),
      values('base_version', { ...required, nullable: 'yes', ...writeOnly }, 'int_type', [
        [-1, 'greater_than_equal'],
        [1.5, 'int_from_float'],
        ['x', 'int_parsing'],
        [{}, 'int_type'],
      ]),
      dict('values', required),
      values('values', unchecked, 'dict_type', wrongValues),
      ...outcomeRules,
      activeTime,
    ],
    tags: { '': 'status' },
  },
]
