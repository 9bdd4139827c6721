import type { ApiFixture } from '../fixture.ts'
import { empty, idIn, inRich, labels, type Refusal, uniqueName } from './refusal.ts'

const text = { title: 'T', settings: { type: 'text' } }
const question = (fixture: ApiFixture, name: string) => ({
  params: { question_id: idIn(fixture.rich.questions, `${fixture.word}-${name}`) },
})
const onDraft = async ({ newDraft, word }: ApiFixture) => {
  const { dataset } = await newDraft()
  return { params: { dataset_id: dataset.id }, word }
}
const span = (field: string) => ({ name: uniqueName('s'), title: 'T', settings: { type: 'span', field, options: labels('a') } })
const spans = {
  publish: false,
  questions: [span('text')],
  fields: ['text', 'image'].map((name) => ({ name, settings: { type: name } })),
}

export const schemaRefusals: readonly Refusal[] = [
  {
    id: 'metadata_properties.histogram',
    why: 'terms are no numbers',
    status: 422,
    sent: ({ rich, word }) => ({ params: { metadata_property_id: idIn(rich.properties, `${word}-topic`) } }),
  },
  {
    id: 'label_colours.update',
    why: 'a rating has no labels',
    status: 422,
    sent: (fixture) => ({ ...question(fixture, 'stars'), body: { colours: [] } }),
  },
  {
    id: 'label_colours.update',
    why: 'the question has no such label',
    status: 422,
    sent: (fixture) => ({ ...question(fixture, 'label'), body: { colours: [{ value: 'nothing', hue: 1 }] } }),
  },
  {
    id: 'fields.create',
    why: 'the dataset is ready',
    status: 422,
    sent: (fixture) => ({ ...inRich(fixture), body: { ...text, name: uniqueName('f') } }),
  },
  {
    id: 'fields.create',
    why: 'the name is taken',
    status: 409,
    sent: async (fixture) => ({ ...(await onDraft(fixture)), body: { ...text, name: `${fixture.word}-text` } }),
  },
  {
    id: 'fields.update',
    why: 'the type is another one',
    status: 422,
    sent: ({ rich, word }) => ({
      params: { field_id: idIn(rich.fields, `${word}-text`) },
      body: { settings: { type: 'image' } },
    }),
  },
  {
    id: 'fields.delete',
    why: 'the dataset is ready',
    status: 422,
    sent: ({ rich, word }) => ({ params: { field_id: idIn(rich.fields, `${word}-chat`) } }),
  },
  {
    id: 'questions.create',
    why: 'the name is taken, told also of a ready dataset',
    status: 409,
    sent: (fixture) => ({ ...inRich(fixture), body: { ...text, name: `${fixture.word}-label` } }),
  },
  {
    id: 'questions.create',
    why: 'the dataset is ready',
    status: 422,
    sent: (fixture) => ({ ...inRich(fixture), body: { ...text, name: uniqueName('q') } }),
  },
  ...[
    ['there is no such field to mark', 'nothing'],
    ['the field is marked by another question', 'text'],
    ['the field has no text', 'image'],
  ].map(
    ([why = '', field = '']): Refusal => ({
      id: 'questions.create',
      why,
      status: 422,
      sent: async (fixture) => ({ ...(await empty(fixture, spans)), body: span(field) }),
    }),
  ),
  ...(
    [
      ['the type is another one', 'label', { type: 'text' }],
      ['an option is left out', 'tags', { type: 'multi_label_selection', options: labels('limits-x', 'limits-y') }],
      ['an option is another one', 'label', { type: 'label_selection', options: labels('a', 'new') }],
      ['too few options are to be visible', 'tags', { type: 'multi_label_selection', visible_options: 2 }],
      ['more options are to be visible than there are', 'tags', { type: 'multi_label_selection', visible_options: 4 }],
    ] as const
  ).map(
    ([why, name, settings]): Refusal => ({
      id: 'questions.update',
      why,
      status: 422,
      sent: (fixture) => ({ ...question(fixture, name), body: { settings } }),
    }),
  ),
  { id: 'questions.delete', why: 'the dataset is ready', status: 422, sent: (fixture) => question(fixture, 'stars') },
  {
    id: 'metadata_properties.create',
    why: 'the name is taken',
    status: 409,
    sent: (fixture) => ({ ...inRich(fixture), body: { name: `${fixture.word}-topic`, title: 'T', settings: { type: 'terms' } } }),
  },
  {
    id: 'vectors_settings.create',
    why: 'the name is taken',
    status: 409,
    sent: (fixture) => ({ ...inRich(fixture), body: { name: `${fixture.word}-vector`, title: 'T', dimensions: 2 } }),
  },
  {
    id: 'vectors_settings.create',
    why: 'there are five, told before a name that is taken',
    status: 422,
    sent: async (fixture) => {
      const vectors_settings = Array.from({ length: 5 }, (_, i) => ({ name: `v${i}`, dimensions: 2 }))
      return { ...(await empty(fixture, { vectors_settings })), body: { name: 'v0', title: 'T', dimensions: 2 } }
    },
  },
]
