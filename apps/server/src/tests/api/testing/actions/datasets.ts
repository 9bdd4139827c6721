import { type ApiFixture, must } from '../fixture.ts'
import { type Action, admins, everyone, members } from './action.ts'

let count = 0
const next = () => `new-${++count}`
const inRich = ({ rich }: ApiFixture) => ({ params: { dataset_id: rich.dataset.id } })
const inDraft = async ({ newDraft }: ApiFixture) => ({ params: { dataset_id: (await newDraft()).dataset.id } })
const idIn = (ids: { readonly [name: string]: string }, name: string): string => {
  const id = ids[name]
  if (id === undefined) throw new Error(`there is no ${name}`)
  return id
}

export const datasetActions: readonly Action[] = [
  { id: 'home.get', allowed: everyone, request: () => ({}) },
  { id: 'datasets.list_mine', allowed: everyone, request: () => ({}) },
  {
    id: 'datasets.list_mine',
    what: 'of a workspace',
    allowed: members,
    request: ({ workspace }) => ({ query: { workspace_id: workspace.id } }),
  },
  {
    id: 'datasets.create',
    allowed: admins,
    request: ({ workspace }) => ({ body: { name: next(), workspace_id: workspace.id } }),
  },
  { id: 'datasets.get', allowed: members, missing: 'found first', request: inRich },
  {
    id: 'datasets.update',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({ ...inRich(fixture), body: { guidelines: `${fixture.word} guidelines` } }),
  },
  { id: 'datasets.publish', allowed: admins, missing: 'found first', request: inDraft },
  { id: 'datasets.delete', allowed: admins, missing: 'found first', request: inDraft },
  { id: 'progress.dataset', allowed: members, missing: 'found first', request: inRich },
  { id: 'progress.users', allowed: members, missing: 'found first', request: inRich },
  { id: 'progress.my_metrics', allowed: members, missing: 'found first', request: inRich },
  { id: 'agreement.dataset', allowed: admins, missing: 'found first', request: inRich },
  {
    id: 'agreement.confusion',
    allowed: admins,
    missing: 'found first',
    request: ({ rich, word, users }) => ({
      params: { question_id: idIn(rich.questions, `${word}-label`) },
      query: { a: users.owner.id, b: users.annotatorIn.id },
    }),
  },
  { id: 'insights.dataset', allowed: admins, missing: 'found first', request: inRich },
  { id: 'annotation_setup.get', allowed: members, missing: 'found first', request: inRich },
]

const sameTitle = ({ word }: ApiFixture) => ({ title: `${word} title` })

export const schemaActions: readonly Action[] = [
  { id: 'fields.list', allowed: members, missing: 'found first', request: inRich },
  {
    id: 'fields.create',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({
      ...(await inDraft(fixture)),
      body: { name: next(), title: 'T', settings: { type: 'text' } },
    }),
  },
  {
    id: 'fields.update',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({ params: { field_id: idIn(fixture.rich.fields, `${fixture.word}-text`) }, body: sameTitle(fixture) }),
  },
  {
    id: 'fields.delete',
    allowed: admins,
    missing: 'found first',
    request: async ({ word, newDraft }) => ({ params: { field_id: idIn((await newDraft()).fields, `${word}-image`) } }),
  },
  { id: 'questions.list', allowed: members, missing: 'found first', request: inRich },
  {
    id: 'questions.create',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({
      ...(await inDraft(fixture)),
      body: { name: next(), title: 'T', settings: { type: 'text' } },
    }),
  },
  {
    id: 'questions.update',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({
      params: { question_id: idIn(fixture.rich.questions, `${fixture.word}-label`) },
      body: sameTitle(fixture),
    }),
  },
  {
    id: 'questions.delete',
    allowed: admins,
    missing: 'found first',
    request: async ({ word, newDraft }) => ({ params: { question_id: idIn((await newDraft()).questions, `${word}-tags`) } }),
  },
  {
    id: 'questions.suggestion_metrics',
    allowed: members,
    missing: 'found first',
    request: ({ rich, word }) => ({ params: { question_id: idIn(rich.questions, `${word}-label`) } }),
  },
  {
    id: 'questions.my_answer_metrics',
    allowed: members,
    missing: 'found first',
    request: ({ rich, word }) => ({ params: { question_id: idIn(rich.questions, `${word}-label`) }, query: { status: 'draft' } }),
  },
  { id: 'search_settings.get', allowed: members, missing: 'found first', request: inRich },
  {
    id: 'search_settings.set',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({ ...inRich(fixture), body: { ignore_accents: false } }),
  },
  { id: 'active_time_settings.get', allowed: members, missing: 'found first', request: inRich },
  {
    id: 'active_time_settings.set',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({ ...inRich(fixture), body: { shown_to_leads: false } }),
  },
  { id: 'suggestion_settings.get', allowed: members, missing: 'found first', request: inRich },
  {
    id: 'suggestion_settings.set',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({ ...inRich(fixture), body: { show: 'always', blind_share: 0 } }),
  },
  { id: 'active_time.mine', allowed: members, missing: 'found first', request: inRich },
  { id: 'label_colours.list', allowed: members, missing: 'found first', request: inRich },
  {
    id: 'label_colours.update',
    allowed: admins,
    missing: 'found first',
    request: ({ rich, word }) => ({
      params: { question_id: idIn(rich.questions, `${word}-label`) },
      body: { colours: [{ value: `${word}-a`, hue: 30 }] },
    }),
  },
  { id: 'metadata_properties.list_mine', allowed: members, missing: 'found first', request: inRich },
  {
    id: 'metadata_properties.create',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({
      ...(await inDraft(fixture)),
      body: { name: next(), title: 'T', settings: { type: 'float' } },
    }),
  },
  {
    id: 'metadata_properties.update',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({
      params: { metadata_property_id: idIn(fixture.rich.properties, `${fixture.word}-topic`) },
      body: sameTitle(fixture),
    }),
  },
  {
    id: 'metadata_properties.delete',
    allowed: admins,
    missing: 'found first',
    request: async ({ word, newDraft }) => ({
      params: { metadata_property_id: idIn((await newDraft()).properties, `${word}-topic`) },
    }),
  },
  {
    id: 'metadata_properties.metrics',
    what: 'visible to annotators',
    allowed: members,
    missing: 'found first',
    request: ({ rich, word }) => ({ params: { metadata_property_id: idIn(rich.properties, `${word}-topic`) } }),
  },
  {
    id: 'metadata_properties.metrics',
    what: 'hidden from annotators',
    allowed: admins,
    request: ({ rich, word }) => ({ params: { metadata_property_id: idIn(rich.properties, `${word}-hidden`) } }),
  },
  {
    id: 'metadata_properties.histogram',
    what: 'visible to annotators',
    allowed: members,
    missing: 'found first',
    request: ({ rich, word }) => ({ params: { metadata_property_id: idIn(rich.properties, `${word}-size`) } }),
  },
  {
    id: 'metadata_properties.histogram',
    what: 'hidden from annotators',
    allowed: admins,
    request: async ({ owner, newDraft }) => {
      const settings = { name: next(), title: 'T', visible_for_annotators: false, settings: { type: 'float' } }
      const { id } = must(
        await owner.post<{ id: string }>(`/datasets/${(await newDraft()).dataset.id}/metadata-properties`, settings),
      )
      return { params: { metadata_property_id: id } }
    },
  },
  { id: 'vectors_settings.list', allowed: members, missing: 'found first', request: inRich },
  {
    id: 'vectors_settings.create',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ ...(await inDraft(fixture)), body: { name: next(), title: 'T', dimensions: 2 } }),
  },
  {
    id: 'vectors_settings.update',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({
      params: { vector_settings_id: idIn(fixture.rich.vectors, `${fixture.word}-vector`) },
      body: sameTitle(fixture),
    }),
  },
  {
    id: 'vectors_settings.delete',
    allowed: admins,
    missing: 'found first',
    request: async ({ word, newDraft }) => ({
      params: { vector_settings_id: idIn((await newDraft()).vectors, `${word}-vector`) },
    }),
  },
]
