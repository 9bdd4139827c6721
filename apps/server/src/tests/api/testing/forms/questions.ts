import type { Question } from '@postil/contract/questions.ts'
import { type ApiFixture, must } from '../fixture.ts'
import {
  bool,
  type Form,
  int,
  list,
  nullable,
  once,
  oneOf,
  optional,
  patched,
  type Rule,
  required,
  text,
  textOf,
  unchecked,
  union,
  values,
} from './rule.ts'

let count = 0
const tags = { settings: 'type' }
const option = (i: number) => ({ value: `value ${i}`, text: `Text ${i}` })
const shown = (i: number) => ({ ...option(i), description: null })
const options = Array.from({ length: 7 }, (_, i) => option(i))

const bare = (fixture: ApiFixture) =>
  fixture.server.createDataset({
    workspace_id: fixture.workspace.id,
    fields: [{ name: 'text', settings: { type: 'text' } }],
    questions: [],
    publish: false,
  })
const shared = once(bare)

/**
 * A request that creates a question with these settings. If `own` is set, each request uses a new dataset, because a dataset can
 * have only one such question.
 */
const create =
  (settings: object, own = false): Form['good'] =>
  async (fixture) => ({
    params: { dataset_id: (await (own ? bare : shared)(fixture)).id },
    body: { name: `question ${++count}`, title: 'Q', settings },
  })

const optionRules = (min: number, max: number): Rule[] => [
  list('settings.options', required, { min, max, item: option, shown }),
  values('settings.options.1', unchecked, 'model_attributes_type', [
    [7, 'model_attributes_type'],
    [null, 'model_attributes_type'],
    [[], 'model_attributes_type'],
  ]),
  text('settings.options.1.value', required, { min: 1, max: 200 }),
  text('settings.options.1.text', required, { min: 1, max: 500 }),
  text('settings.options.1.description', nullable, { min: 1, max: 1000 }),
  values('settings.options', unchecked, 'list_type', [[[option(1), option(2), option(1)], 'value_error', '..']]),
]
/**
 * No rule here tests values above the number of options. The server reports such a value as a problem with `settings` as a whole.
 */
const visibleRules: readonly Rule[] = [
  int('settings.visible_options', nullable, { ge: 3, good: 7 }),
  values('settings', unchecked, 'model_attributes_type', []),
]

const creations: readonly Form[] = [
  {
    id: 'questions.create',
    good: create({ type: 'text' }),
    rules: [
      text('name', required, { min: 1, max: 200 }),
      text('title', required, { min: 1, max: 500 }),
      text('description', nullable, { min: 1, max: 1000 }),
      bool('required', nullable),
      bool('to_published', { ...nullable, writeOnly: true }),
      union('settings', required, 'type'),
      bool('settings.use_markdown', optional),
    ],
    tags,
  },
  {
    id: 'questions.create',
    what: 'label_selection',
    good: create({ type: 'label_selection', options }),
    rules: [...optionRules(2, 500), ...visibleRules],
    tags,
  },
  {
    id: 'questions.create',
    what: 'multi_label_selection',
    good: create({ type: 'multi_label_selection', options }),
    rules: [...optionRules(2, 500), ...visibleRules, oneOf('settings.options_order', optional, ['natural', 'suggestion'])],
    tags,
  },
  {
    id: 'questions.create',
    what: 'ranking',
    good: create({ type: 'ranking', options }),
    rules: optionRules(2, 50),
    tags,
  },
  {
    id: 'questions.create',
    what: 'rating',
    good: create({ type: 'rating', options: [{ value: 2 }, { value: 5 }] }),
    rules: [
      list('settings.options', required, { min: 2, max: 11, item: (i) => ({ value: i }) }),
      int('settings.options.1.value', required, { ge: 0, le: 10, good: 7 }),
      values('settings.options', unchecked, 'list_type', [[[{ value: 1 }, { value: 1 }], 'value_error', '..']]),
    ],
    tags,
  },
  {
    id: 'questions.create',
    what: 'span',
    good: create({ type: 'span', field: 'text', options }, true),
    rules: [
      ...optionRules(1, 500),
      ...visibleRules,
      values('settings.field', required, 'string_type', [
        [7, 'string_type'],
        ['', 'string_too_short'],
        [textOf(201), 'string_too_long'],
        ['text\0', 'value_error'],
      ]),
      bool('settings.allow_overlapping', optional),
    ],
    tags,
  },
]

/** An update of a question that was created with these settings. Every call updates the same question. */
const update = (settings: object): Form['good'] => {
  const question = once(async (fixture) => {
    const { params, body } = await create(settings, true)(fixture)
    return must(await fixture.owner.post<Question>(`/datasets/${params?.dataset_id}/questions`, body)).id
  })
  const { type } = settings as { type: string }
  return async (fixture) => ({ params: { question_id: await question(fixture) }, body: { settings: { type } } })
}
const updatedOptions = list('settings.options', patched, { item: option })
const updatedVisible = int('settings.visible_options', nullable, { good: 7 })

const updates: readonly Form[] = [
  {
    id: 'questions.update',
    good: update({ type: 'text' }),
    rules: [
      text('title', patched, { min: 1, max: 500 }),
      text('description', nullable, { min: 1, max: 1000 }),
      union('settings', patched, 'type'),
      bool('settings.use_markdown', patched),
    ],
    tags,
  },
  {
    id: 'questions.update',
    what: 'label_selection',
    good: update({ type: 'label_selection', options }),
    rules: [
      updatedOptions,
      { ...updatedVisible, accepted: [[7], [3], ['4', 4]] },
      values('settings.options', patched, 'list_type', [
        [[7], 'model_attributes_type', 0],
        [[{ text: 'x' }], 'missing', 0, 'value'],
        [[{ value: 'x' }], 'missing', 0, 'text'],
        [[{ value: 'x', text: 'a\0' }], 'value_error', 0, 'text'],
      ]),
    ],
    tags,
  },
  {
    id: 'questions.update',
    what: 'multi_label_selection',
    good: update({ type: 'multi_label_selection', options }),
    rules: [
      updatedOptions,
      { ...updatedVisible, accepted: [[7], [3], ['4', 4]] },
      oneOf('settings.options_order', patched, ['natural', 'suggestion']),
    ],
    tags,
  },
  {
    id: 'questions.update',
    what: 'span',
    good: update({ type: 'span', field: 'text', options }),
    rules: [
      updatedOptions,
      { ...updatedVisible, accepted: [[7], [3], ['4', 4]] },
      { ...bool('settings.allow_overlapping', patched), accepted: [[false], ['no', false]] },
    ],
    tags,
  },
]

export const questionForms: readonly Form[] = [...creations, ...updates]
