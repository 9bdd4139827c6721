import type { FieldKind } from '@postil/contract/field-types/index.ts'
import type { SettingsOf } from '@postil/contract/question-types/index.ts'
import type { Option } from '@postil/contract/question-types/options.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import { freeName } from '#features/examples/public.ts'
import { fieldCreation } from '#field-types/creation.ts'
import { creationSlice } from '#question-types/creation-registry.ts'
import { type Draft, type FieldPart, newKey, type PropertyPart, type QuestionPart } from '../draft.ts'
import samples from './samples.json'
import type { TemplateName } from './template-names.ts'

/** A template for a dataset. It includes sample records, whose values for fields, metadata and suggestions are keyed by name. */
export type Template = Pick<Draft, 'name' | 'guidelines' | 'fields' | 'questions' | 'properties'>

const part = (name: string, title: string) => ({ key: newKey(), source: null, name, title })

const field = (name: string, title: string, kind: FieldKind = 'text'): FieldPart => ({
  ...part(name, title),
  required: true,
  settings: fieldCreation(kind).initial,
})

type More = { readonly description?: string; readonly required?: boolean }
const question = (
  name: string,
  title: string,
  settings: QuestionPart['settings'],
  { description = '', required = true }: More = {},
): QuestionPart => ({ ...part(name, title), description, required, settings })

const property = (name: string, title: string): PropertyPart => ({
  ...part(name, title),
  // Annotators must not know which model wrote a response.
  visible: false,
  settings: { type: 'terms' },
})

const options = (texts: { readonly [value: string]: string }): Option[] =>
  Object.entries(texts).map(([value, text]) => ({ value, text, description: null }))
const labels = (texts: { readonly [value: string]: string }): QuestionPart['settings'] => ({
  type: 'label_selection',
  options: options(texts),
  visible_options: null,
})
const text: QuestionPart['settings'] = { type: 'text', use_markdown: false }

/** The settings of a question that labels turns in the given field. Only turns with one of the given roles are labeled. */
const ofTurns = (field: string, roles: string[], given: SettingsOf<'turns'>['options']): QuestionPart['settings'] => ({
  type: 'span',
  postil_kind: 'turns',
  field,
  options: given,
  visible_options: null,
  allow_overlapping: false,
  allow_character_annotation: true,
  unit: { of: 'turn', roles, required: 'each', exclusive: true },
})
const ofReplies = (given: SettingsOf<'turns'>['options']) => ofTurns('conversation', ['assistant'], given)

const arenaFields = [field('prompt', 'Prompt'), field('response_a', 'Response A'), field('response_b', 'Response B')]

const templates: { readonly [N in TemplateName]: () => Template } = {
  classification: () => ({
    name: 'text-classification',
    guidelines:
      'Choose the topic that the author wants an answer to. If a message has several topics, choose the one that comes first.',
    fields: [field('text', 'Message')],
    questions: [
      question(
        'topic',
        'What is the message about?',
        labels({ billing: 'Billing', delivery: 'Delivery', product: 'Product', account: 'Account', other: 'Other' }),
      ),
      question('tone', 'What is the tone?', labels({ positive: 'Positive', neutral: 'Neutral', negative: 'Negative' })),
    ],
    properties: [],
  }),
  entities: () => ({
    name: 'named-entities',
    guidelines: 'Mark every name. Leave out articles and titles, such as “the” and “Dr.”.',
    fields: [field('text', 'Text')],
    questions: [
      question('names', 'Which names does the text contain?', {
        type: 'span',
        field: 'text',
        options: options({ person: 'Person', organization: 'Organization', place: 'Place', date: 'Date' }),
        visible_options: null,
        allow_overlapping: false,
        allow_character_annotation: true,
      }),
    ],
    properties: [],
  }),
  preference: () => ({
    name: 'chat-quality',
    guidelines: 'Rate only the last reply. 1: wrong or harmful. 3: usable with changes. 5: you would send it as it is.',
    fields: [field('conversation', 'Conversation', 'chat')],
    questions: [
      question('quality', 'How good is the last reply?', {
        type: 'rating',
        options: [1, 2, 3, 4, 5].map((value) => ({ value })),
      }),
      question('reason', 'What should be better?', text, { required: false }),
    ],
    properties: [],
  }),
  turns: () => ({
    name: 'turn-quality',
    guidelines:
      'Judge each reply with what the user had written so far. A reply is helpful if the user can act on it. Ignore mistakes in earlier replies.',
    fields: [field('conversation', 'Conversation', 'chat')],
    questions: [
      question('helpful', 'Is the reply helpful?', ofReplies(options({ yes: 'Yes', partly: 'Partly', no: 'No' }))),
      question(
        'accuracy',
        'How accurate is the reply?',
        ofReplies(
          ['1', '2', '3', '4', '5'].map((value) => ({ value, text: value, description: null, ordinal: 'true' as const })),
        ),
      ),
      question('note', 'What went wrong?', text, { required: false }),
    ],
    properties: [],
  }),
  arena: () => ({
    name: 'arena',
    guidelines: 'Choose the response that helps the author of the prompt more. Ignore its length.',
    fields: arenaFields,
    questions: [
      question('better', 'Which response is better?', creationSlice('comparison').initial({ values: null, fields: arenaFields })),
    ],
    properties: [property('model_a', 'Model A'), property('model_b', 'Model B')],
  }),
  relevance: () => ({
    name: 'rag-relevance',
    guidelines:
      'Judge the passage first, without the answer. An answer is supported if the passage alone shows that it is true, whether or not you know better.',
    fields: [field('question', 'Question'), field('passage', 'Passage'), field('answer', 'Answer')],
    questions: [
      question(
        'relevance',
        'Does the passage answer the question?',
        labels({ relevant: 'Yes', partly: 'Partly', not_relevant: 'No' }),
      ),
      question(
        'support',
        'Does the passage support the answer?',
        labels({ supported: 'Yes', partly: 'Partly', unsupported: 'No' }),
      ),
    ],
    properties: [],
  }),
  traces: () => ({
    name: 'trace-review',
    guidelines:
      'Judge each call with what the agent knew at that time. A call is right if the tool and its arguments are right, even if the tool fails. The task is solved if the user gets a correct answer and nothing was changed by mistake.',
    fields: [field('trace', 'Trace', 'trace')],
    questions: [
      question(
        'calls',
        'Is the call right?',
        ofTurns('trace', ['tool', 'retrieval'], options({ right: 'Right', unneeded: 'Unneeded', wrong: 'Wrong' })),
      ),
      question('solved', 'Is the task solved?', labels({ yes: 'Yes', partly: 'Partly', no: 'No' })),
      question('note', 'What went wrong?', text, { required: false }),
    ],
    properties: [],
  }),
}

/** Returns the draft with the content of a template. @param taken the names of existing datasets */
export const draftFrom = (draft: Draft, name: TemplateName, taken: ReadonlySet<string>): Draft => {
  const template = templates[name]()
  return { ...draft, ...template, name: freeName(template.name, taken) }
}

/** Returns the sample records of a template as a file. */
export const sampleFile = (name: TemplateName): File => {
  const rows: readonly JsonObject[] = samples[name]
  return new File([rows.map((row) => `${JSON.stringify(row)}\n`).join('')], `${name}-sample.jsonl`, {
    type: 'application/jsonl',
  })
}
