import { otlpRequest, otlpSpan } from '@postil/testkit/otlp.ts'
import { changedAnswer } from '../actions/history.ts'
import { submittedAnswer } from '../actions/review.ts'
import { type ApiFixture, must } from '../fixture.ts'
import { richFields, richValues } from '../rich.ts'
import { empty, idIn, inRich, nobody, type Refusal, uniqueName } from './refusal.ts'

const fieldsOf = ({ word }: ApiFixture) => ({ fields: richFields(word) })
const onRecord = async ({ newRecord }: ApiFixture) => ({ params: { record_id: (await newRecord()).id } })
const ids = (length: number) => Array.from({ length }, () => crypto.randomUUID()).join(',')

export const recordRefusals: readonly Refusal[] = [
  {
    id: 'traces.store',
    why: 'the dataset has no trace field',
    status: 422,
    sent: (fixture) => ({ ...inRich(fixture), body: otlpRequest(otlpSpan(1)) }),
  },
  ...(['records.bulk_create', 'records.bulk_upsert'] as const).flatMap((id): Refusal[] => [
    {
      id,
      why: 'the dataset is a draft',
      status: 422,
      sent: async (fixture) => ({ ...(await empty(fixture)), body: { items: [fieldsOf(fixture)] } }),
    },
    {
      id,
      why: 'an item is invalid',
      status: 422,
      sent: (fixture) => ({ ...inRich(fixture), body: { items: [{ fields: { other: 'x' } }] } }),
    },
  ]),
  {
    id: 'records.bulk_create',
    why: 'an external ID is taken',
    status: 422,
    sent: async (fixture) => {
      const { external_id } = await fixture.newRecord()
      return { ...inRich(fixture), body: { items: [{ ...fieldsOf(fixture), external_id }] } }
    },
  },
  {
    id: 'records.bulk_upsert',
    why: 'a new record has no fields',
    status: 422,
    sent: (fixture) => ({ ...inRich(fixture), body: { items: [{ external_id: uniqueName('none'), fields: null }] } }),
  },
  ...(
    [
      ['an ID is invalid', 'x'],
      ['an ID is empty', ''],
      ['there are more than 100 IDs', ids(101)],
    ] as const
  ).flatMap(([why, query]): Refusal[] => [
    {
      id: 'records.delete_many',
      why,
      status: 422,
      sent: (fixture) => ({ ...inRich(fixture), query: { ids: query } }),
    },
    {
      id: 'suggestions.delete_many',
      why,
      status: 422,
      sent: async (fixture) => ({ ...(await onRecord(fixture)), query: { ids: query } }),
    },
    {
      id: 'queue.give_back',
      why,
      status: 422,
      sent: (fixture) => ({ ...inRich(fixture), query: { ids: query } }),
    },
  ]),
  {
    id: 'records.update',
    why: 'a field is unknown',
    status: 422,
    sent: async (fixture) => ({ ...(await onRecord(fixture)), body: { fields: { other: 'x' } } }),
  },
  {
    id: 'suggestions.put',
    why: 'the question does not exist',
    status: 422,
    sent: async (fixture) => ({ ...(await onRecord(fixture)), body: { question_id: nobody, value: 'x' } }),
  },
  {
    id: 'suggestions.put',
    why: 'the value is not an option',
    status: 422,
    sent: async (fixture) => ({
      ...(await onRecord(fixture)),
      body: { question_id: idIn(fixture.rich.questions, `${fixture.word}-label`), value: 'other' },
    }),
  },
]

const submitted = (values: object) => ({ status: 'submitted', values })
const ownChange = (base_version: number | null, body: object) => ({ mutation_id: crypto.randomUUID(), base_version, ...body })
export const answerRefusals: readonly Refusal[] = [
  {
    id: 'responses.create',
    why: 'the answer exists already',
    status: 409,
    sent: async ({ owner, newRecord, word }) => {
      const { id } = await newRecord()
      must(await owner.post(`/records/${id}/responses`, { status: 'draft' }))
      return { params: { record_id: id }, body: submitted(richValues(word)) }
    },
  },
  ...(
    [
      ['there are no values', () => ({})],
      ['a required question is missing', (word: string) => ({ [`${word}-stars`]: { value: 1 } })],
      ['a question is unknown', (word: string) => ({ ...richValues(word), other: { value: 'x' } })],
      ['a value is not an option', (word: string) => ({ ...richValues(word), [`${word}-stars`]: { value: 3 } })],
    ] as const
  ).flatMap(([why, values]): Refusal[] => [
    {
      id: 'responses.create',
      why,
      status: 422,
      sent: async (fixture) => ({ ...(await onRecord(fixture)), body: submitted(values(fixture.word)) }),
    },
    {
      id: 'responses.update',
      why,
      status: 422,
      sent: async ({ newRecord, word }) => ({
        params: { response_id: (await newRecord()).responses?.[0]?.id ?? '' },
        body: submitted(values(word)),
      }),
    },
    {
      id: 'responses.put_mine',
      why,
      status: 422,
      sent: async (fixture) => ({ ...(await onRecord(fixture)), body: ownChange(null, submitted(values(fixture.word))) }),
    },
  ]),
  {
    id: 'responses.put_mine',
    why: 'the base version is outdated',
    status: 409,
    current: 'response',
    sent: async (fixture) => ({ ...(await onRecord(fixture)), body: ownChange(3, submitted(richValues(fixture.word))) }),
  },
  {
    id: 'review.put_gold',
    why: 'the base version is outdated',
    status: 409,
    current: 'gold',
    sent: async (fixture) => ({
      ...(await onRecord(fixture)),
      body: { mutation_id: crypto.randomUUID(), base_version: 3, values: {}, final: false },
    }),
  },
  {
    id: 'review.put_gold',
    why: 'a required question has no final answer',
    status: 422,
    sent: async (fixture) => ({
      ...(await onRecord(fixture)),
      body: { mutation_id: crypto.randomUUID(), base_version: null, values: {} },
    }),
  },
  {
    id: 'review.return',
    why: 'the answer is a draft',
    status: 409,
    sent: async ({ owner, newRecord }) => {
      const { id } = await newRecord()
      const { id: response_id } = must(await owner.post<{ id: string }>(`/records/${id}/responses`, { status: 'draft' }))
      return { params: { response_id }, body: { comment: 'Please check' } }
    },
  },
  {
    id: 'review.return',
    why: 'the base version is outdated',
    status: 409,
    current: 'response',
    sent: async (fixture) => ({
      params: { response_id: await submittedAnswer(fixture) },
      body: { comment: 'Please check', base_version: 3 },
    }),
  },
  {
    id: 'responses.clear_mine',
    why: 'the base version is outdated',
    status: 409,
    current: 'response',
    sent: async ({ owner, newRecord }) => {
      const { id } = await newRecord()
      must(await owner.post(`/records/${id}/responses`, { status: 'draft' }))
      return { params: { record_id: id }, query: { mutation_id: crypto.randomUUID(), base_version: '7' } }
    },
  },
  {
    id: 'history.restore',
    why: 'the base version is outdated',
    status: 409,
    current: 'response',
    sent: async (fixture) => ({ params: await changedAnswer(fixture, 'owner'), body: { base_version: 7 } }),
  },
]

export const searchRefusals: readonly Refusal[] = (['search.records', 'search.my_records'] as const).flatMap((id): Refusal[] => [
  {
    id,
    why: 'the field does not exist',
    status: 422,
    sent: (fixture) => ({ ...inRich(fixture), body: { query: { text: { q: 'a', field: 'x' } } } }),
  },
  {
    id,
    why: 'the record does not have the vector',
    status: 422,
    code: 'missing_vector',
    sent: async (fixture) => {
      const { items } = must(
        await fixture.owner.post<{ items: { id: string }[] }>(`/datasets/${fixture.rich.dataset.id}/records/bulk`, {
          items: [fieldsOf(fixture)],
        }),
      )
      return { ...inRich(fixture), body: { query: { vector: { name: `${fixture.word}-vector`, record_id: items[0]?.id } } } }
    },
  },
  ...(['users', '', 'vectors,vectors:a'] as const).map(
    (include): Refusal => ({
      id,
      why: `${include || 'nothing'} can’t be included`,
      status: 422,
      beforePermission: true,
      sent: (fixture) => ({ ...inRich(fixture), query: { include }, body: {} }),
    }),
  ),
])
