import type { AnswerValue } from '@postil/contract/answer-value.ts'

/** Samples for one kind of question. They are used by the tests of all code that reads or writes answers. */
export type KindSample = {
  readonly name: string
  /**
   * @param n 0 to 2. Each question of the dataset gets a different number, because only one span question can use a text field.
   */
  readonly settings: (n: number) => object
  /** A complete answer. `other` is a different complete answer. */
  readonly value: AnswerValue
  readonly other: AnswerValue
  /** Valid in a draft and in a suggestion, but not in a submitted answer. */
  readonly incomplete?: AnswerValue
  /** A value that is never valid. `fault` is a part of the server's error message. */
  readonly invalid: AnswerValue
  readonly fault: string
  /** The value as it appears in a JSON Lines download, if the download adds details to the value. */
  readonly printed?: unknown
  /** The paths of the value's labels in a download. */
  readonly paths?: unknown
  /** A label or number by which searches find `value` but not `other`. Undefined if searches don't find answers by their values. */
  readonly term?: string | number
  /** `label` is a label in `value` that can be renamed to `NEW_LABEL`. The inner `value` is the answer after the rename. */
  readonly renamed?: { readonly label: string; readonly value: AnswerValue }
  /** Whether insights count the values of answers. Default: true. */
  readonly countsValues?: boolean
  /** The main coefficient of agreement. */
  readonly measure: string | null
  /** A model's answer that is parsed as `value`. */
  readonly answered: unknown
  /** A model's answer that doesn't have the form of the question's answers. */
  readonly misshapen: unknown
}

/** The value to which tests rename the label of `renamed`. */
export const NEW_LABEL = 'new name'

const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value.toUpperCase() }))
const span = (label: string, start: number, end: number) => ({ label, start, end })
const ranks = (...values: readonly string[]) => values.map((value, i) => ({ value, rank: i + 1 }))

/** The assistant's first message is at offsets 3–8, its second message at 13–15. */
const chat = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: 'hello' },
  { role: 'user', content: 'why' },
  { role: 'assistant', content: 'so' },
]
export const sampleFields = [
  ...['text0', 'text1', 'text2'].map((name) => ({ name, required: true, settings: { type: 'text' } })),
  { name: 'chat', required: true, settings: { type: 'chat' } },
  { name: 'response_a', required: true, settings: { type: 'text' } },
  { name: 'response_b', required: true, settings: { type: 'text' } },
  { name: 'candidates', required: true, settings: { type: 'custom', template: '<p></p>' } },
]
export const sampleContent = {
  text0: 'Ann 😀 in Rome',
  text1: 'Ann 😀 in Rome',
  text2: 'Ann 😀 in Rome',
  chat,
  response_a: 'the first response',
  response_b: 'the second response',
  candidates: { options: ['Rome', 'New York', '=1+1'] },
}

const turnSpans = (first: string, second: string) => [span(first, 3, 8), span(second, 13, 15)]
const printedTurns = (first: string, second: string) => [
  { ...span(first, 3, 8), turn: 1, role: 'assistant' },
  { ...span(second, 13, 15), turn: 3, role: 'assistant' },
]
const turnUnit = { of: 'turn', roles: ['assistant'], required: 'each', exclusive: true }
const turns = { type: 'span', postil_kind: 'turns', field: 'chat', unit: turnUnit }

/** One row for each kind of question. */
export const kindSamples: readonly KindSample[] = [
  {
    name: 'label',
    settings: () => ({ type: 'label_selection', options: options('yes', 'no', 'maybe') }),
    value: 'yes',
    other: 'no',
    invalid: 'never',
    fault: 'is not a valid option',
    term: 'yes',
    renamed: { label: 'yes', value: NEW_LABEL },
    measure: 'alpha_nominal',
    answered: 'yes',
    misshapen: ['yes'],
  },
  {
    name: 'multi-label',
    settings: () => ({ type: 'multi_label_selection', options: options('x', 'y', 'z') }),
    value: ['x', 'z'],
    other: ['y'],
    invalid: ['x', 'w'],
    fault: 'is not a valid option',
    term: 'x',
    renamed: { label: 'x', value: [NEW_LABEL, 'z'] },
    measure: 'alpha_jaccard',
    answered: ['x', 'z'],
    misshapen: 'x',
  },
  {
    name: 'rating',
    settings: () => ({ type: 'rating', options: [1, 2, 3, 4, 5].map((value) => ({ value })) }),
    value: 4,
    other: 1,
    invalid: 6,
    fault: 'is not a valid option',
    term: 4,
    measure: 'alpha_ordinal',
    answered: 4,
    misshapen: 'four',
  },
  {
    name: 'ranking',
    settings: () => ({ type: 'ranking', options: options('p', 'q', 'r') }),
    value: ranks('r', 'p', 'q'),
    other: ranks('p', 'q', 'r'),
    incomplete: ranks('r'),
    invalid: ranks('s'),
    fault: 'is not a valid option',
    renamed: { label: 'r', value: ranks(NEW_LABEL, 'p', 'q') },
    measure: 'tau_b',
    answered: ['r', 'p', 'q'],
    misshapen: 'r',
  },
  {
    name: 'span',
    settings: (n) => ({ type: 'span', field: `text${n}`, options: options('per', 'loc') }),
    value: [span('per', 0, 3), span('loc', 9, 13)],
    other: [span('per', 9, 13)],
    invalid: [span('per', 0, 14)],
    fault: 'is outside',
    renamed: { label: 'per', value: [span(NEW_LABEL, 0, 3), span('loc', 9, 13)] },
    measure: 'alpha_spans',
    answered: [
      { quote: 'Ann', label: 'per', occurrence: 1 },
      { quote: 'Rome', label: 'loc', occurrence: 1 },
    ],
    misshapen: ['Ann'],
  },
  {
    name: 'text',
    settings: () => ({ type: 'text' }),
    value: 'a reason',
    other: 'another reason',
    invalid: 7,
    fault: 'expects a text value',
    countsValues: false,
    measure: null,
    answered: 'a reason',
    misshapen: ['a reason'],
  },
  {
    name: 'turns',
    settings: () => ({ ...turns, options: options('good', 'bad') }),
    value: turnSpans('good', 'bad'),
    other: turnSpans('bad', 'bad'),
    incomplete: [span('good', 3, 8)],
    invalid: [span('good', 3, 7)],
    fault: 'not a whole turn',
    printed: printedTurns('good', 'bad'),
    renamed: { label: 'good', value: turnSpans(NEW_LABEL, 'bad') },
    measure: 'alpha_nominal',
    answered: [
      { turn: 2, label: 'good' },
      { turn: 4, label: 'bad' },
    ],
    misshapen: [{ turn: '2', label: 'good' }],
  },
  {
    name: 'ratings of turns',
    settings: () => ({ ...turns, options: options('1', '2', '3').map((option) => ({ ...option, ordinal: 'true' })) }),
    value: turnSpans('1', '3'),
    other: turnSpans('2', '2'),
    incomplete: [],
    invalid: [span('1', 0, 2)],
    fault: 'has the role user',
    printed: printedTurns('1', '3'),
    measure: 'alpha_ordinal',
    answered: [
      { turn: 2, label: '1' },
      { turn: 4, label: '3' },
    ],
    misshapen: 1,
  },
  {
    name: 'comparison',
    settings: () => ({
      type: 'label_selection',
      postil_kind: 'comparison',
      options: options('a', 'tie', 'b'),
      compare: { options: { a: 'response_a', b: 'response_b' }, ties: 'tie' },
    }),
    value: 'a',
    other: 'b',
    invalid: 'left',
    fault: 'is not a valid option',
    term: 'a',
    measure: 'alpha_nominal',
    answered: 'a',
    misshapen: ['a'],
  },
  {
    name: 'choice from the record',
    settings: () => ({ type: 'text', postil_kind: 'choice', choose_from: 'candidates' }),
    value: '=1+1',
    other: 'Rome',
    invalid: 'Paris',
    fault: 'is not one of the options in field `candidates`',
    countsValues: false,
    measure: 'alpha_nominal',
    answered: '=1+1',
    misshapen: ['Rome'],
  },
  {
    name: 'label tree',
    settings: () => ({
      type: 'multi_label_selection',
      options: [
        { value: 'animal', text: 'Animal' },
        { value: 'dog', text: 'Dog', parent: 'animal' },
        { value: 'cat', text: 'Cat', parent: 'animal' },
        { value: 'plant', text: 'Plant' },
      ],
    }),
    value: ['dog', 'plant'],
    other: ['cat'],
    invalid: ['dogs'],
    fault: 'is not a valid option',
    paths: [['animal', 'dog'], ['plant']],
    term: 'dog',
    renamed: { label: 'dog', value: [NEW_LABEL, 'plant'] },
    measure: 'alpha_jaccard',
    answered: ['dog', 'plant'],
    misshapen: 'dog',
  },
]
