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
    why: 'the property is not numeric',
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
    why: 'the label does not exist',
    status: 422,
    sent: (fixture) => ({ ...question(fixture, 'label'), body: { colours: [{ value: 'nothing', hue: 1 }] } }),
  },
  {
    id: 'fields.create',
    why: 'the dataset is published',
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
    id: 'questions.create',
    why: 'a required question cannot be added to a published dataset',
    status: 422,
    sent: (fixture) => ({
      ...inRich(fixture),
      body: { ...text, name: uniqueName('q'), required: true, to_published: true },
    }),
  },
  {
    id: 'fields.update',
    why: 'the type differs',
    status: 422,
    sent: ({ rich, word }) => ({
      params: { field_id: idIn(rich.fields, `${word}-text`) },
      body: { settings: { type: 'image' } },
    }),
  },
  {
    id: 'fields.delete',
    why: 'the dataset is published',
    status: 422,
    sent: ({ rich, word }) => ({ params: { field_id: idIn(rich.fields, `${word}-chat`) } }),
  },
  {
    id: 'questions.create',
    why: 'the name is taken, reported for a published dataset too',
    status: 409,
    sent: (fixture) => ({ ...inRich(fixture), body: { ...text, name: `${fixture.word}-label` } }),
  },
  {
    id: 'questions.create',
    why: 'the dataset is published',
    status: 422,
    sent: (fixture) => ({ ...inRich(fixture), body: { ...text, name: uniqueName('q') } }),
  },
  ...[
    ['the field does not exist', 'nothing'],
    ['the field already has a span question', 'text'],
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
      ['the type differs', 'label', { type: 'text' }],
      ['an option is missing', 'tags', { type: 'multi_label_selection', options: labels('limits-x', 'limits-y') }],
      ['an option is new', 'label', { type: 'label_selection', options: labels('a', 'new') }],
      ['too few options would be visible', 'tags', { type: 'multi_label_selection', visible_options: 2 }],
      ['more options would be visible than exist', 'tags', { type: 'multi_label_selection', visible_options: 4 }],
    ] as const
  ).map(
    ([why, name, settings]): Refusal => ({
      id: 'questions.update',
      why,
      status: 422,
      sent: (fixture) => ({ ...question(fixture, name), body: { settings } }),
    }),
  ),
  { id: 'questions.delete', why: 'the dataset is published', status: 422, sent: (fixture) => question(fixture, 'stars') },
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
    why: 'there are already five, reported before a taken name',
    status: 422,
    sent: async (fixture) => {
      const vectors_settings = Array.from({ length: 5 }, (_, i) => ({ name: `v${i}`, dimensions: 2 }))
      return { ...(await empty(fixture, { vectors_settings })), body: { name: 'v0', title: 'T', dimensions: 2 } }
    },
  },
]
