import type { History } from '@postil/contract/history.ts'
import fc from 'fast-check'
import { arranging } from './arranging.ts'
import type { Crowd, Deed } from './crowd.ts'
import { bodyOf, deed, label, record, status, who } from './deed.ts'

/*
 * What people do to a dataset at the same time. A deed names its record by a number, which stands for another record when some are gone, so that
 * a sequence of deeds stays one when some are left out of it.
 */

export const WORDS = ['alpha', 'beta', 'gamma'] as const
export const QUESTIONS = ['label', 'sure'] as const
export const LANGUAGES = ['en', 'de'] as const
const answer = { who, record, status, label }

const answering: readonly fc.Arbitrary<Deed>[] = [
  fc
    .record(answer)
    .map((one) =>
      deed('creates an answer', one, (crowd) => crowd.as(one.who).post(`${crowd.record(one.record)}/responses`, bodyOf(one))),
    ),
  fc.record(answer).map((one) =>
    deed('puts the own answer', one, (crowd) => {
      const base_version = crowd.own(one.who, one.record)?.version ?? null
      const body = { mutation_id: crypto.randomUUID(), base_version, ...bodyOf(one) }
      return crowd.as(one.who).put(`${crowd.record(one.record)}/responses/mine`, body)
    }),
  ),
  fc.record({ who, record }).map((one) =>
    deed('clears the own answer', one, (crowd) => {
      const version = crowd.own(one.who, one.record)?.version
      const query = `mutation_id=${crypto.randomUUID()}${version === undefined ? '' : `&base_version=${version}`}`
      return crowd.as(one.who).delete(`${crowd.record(one.record)}/responses/mine?${query}`)
    }),
  ),
  fc
    .record({ ...answer, other: fc.nat({ max: 3 }) })
    .map((one) =>
      deed('changes an answer', one, (crowd) =>
        crowd.as(one.who).put(`/responses/${crowd.anyAnswer(one.record, one.other)}`, bodyOf(one)),
      ),
    ),
  fc
    .record({ who, record, other: fc.nat({ max: 3 }) })
    .map((one) =>
      deed('deletes an answer', one, (crowd) => crowd.as(one.who).delete(`/responses/${crowd.anyAnswer(one.record, one.other)}`)),
    ),
  fc.record({ who, items: fc.array(fc.record({ record, status, label }), { minLength: 1, maxLength: 4 }) }).map((one) =>
    deed('answers many', one, (crowd) =>
      crowd.as(one.who).post('/me/responses/bulk', {
        items: one.items.map((item) => ({ record_id: crowd.id(item.record), ...bodyOf(item) })),
      }),
    ),
  ),
  fc.record({ who, record, at: fc.nat({ max: 5 }) }).map((one) =>
    deed('restores from the history', one, async (crowd) => {
      const path = `${crowd.record(one.record)}/history`
      const { body } = await crowd.as(one.who).get<Partial<History>>(path)
      const change = body.items?.[one.at]
      return change ? crowd.as(one.who).post(`${path}/${change.id}/restore`, {}) : null
    }),
  ),
  fc
    .record({ who, limit: fc.integer({ min: 1, max: 3 }) })
    .map((one) =>
      deed('takes from the queue', one, (crowd) => crowd.as(one.who).post(`/me${crowd.dataset}/queue`, { limit: one.limit })),
    ),
]

const content = {
  text: fc.constantFrom(...WORDS),
  lang: fc.option(fc.constantFrom(...LANGUAGES)),
  suggestion: fc.option(label),
  responses: fc.uniqueArray(fc.record({ user: fc.nat({ max: 3 }), status, label }), {
    selector: ({ user }) => user,
    maxLength: 2,
  }),
}
type Content = {
  text: string
  lang: string | null
  suggestion: string | null
  responses: { user: number; status: string; label: string }[]
}
const itemOf = (crowd: Crowd, { text, lang, suggestion, responses }: Content) => ({
  fields: { text },
  metadata: lang === null ? {} : { lang },
  suggestions: suggestion === null ? [] : [0, 1].map((which) => ({ question_id: crowd.question(which), value: suggestion })),
  responses: responses.map(({ user, ...body }) => ({ user_id: crowd.people[user]?.id, ...bodyOf(body) })),
})

const keeping: readonly fc.Arbitrary<Deed>[] = [
  fc
    .record({ items: fc.array(fc.record(content), { minLength: 1, maxLength: 3 }) })
    .map((one) =>
      deed('creates records', one, (crowd) =>
        crowd.admin().post(`${crowd.dataset}/records/bulk`, { items: one.items.map((item) => itemOf(crowd, item)) }),
      ),
    ),
  fc
    .record({
      items: fc.uniqueArray(fc.record({ record, ...content }), { selector: (item) => item.record, minLength: 1, maxLength: 3 }),
    })
    .map((one) =>
      deed('upserts records', one, (crowd) => {
        const items = new Map(
          one.items.map((item) => [crowd.id(item.record), { id: crowd.id(item.record), ...itemOf(crowd, item) }]),
        )
        return crowd.admin().put(`${crowd.dataset}/records/bulk`, { items: [...items.values()] })
      }),
    ),
  fc.record({ record, ...content }).map((one) =>
    deed('changes a record', one, (crowd) => {
      const { responses: _, ...item } = itemOf(crowd, one)
      return crowd.admin().patch(crowd.record(one.record), item)
    }),
  ),
  fc
    .record({ records: fc.array(record, { minLength: 1, maxLength: 2 }) })
    .map((one) =>
      deed('deletes records', one, (crowd) =>
        crowd.admin().delete(`${crowd.dataset}/records?ids=${one.records.map((each) => crowd.id(each)).join(',')}`),
      ),
    ),
  fc
    .record({ record, label, question: fc.nat({ max: 1 }) })
    .map((one) =>
      deed('suggests', one, (crowd) =>
        crowd
          .admin()
          .put(`${crowd.record(one.record)}/suggestions`, { question_id: crowd.question(one.question), value: one.label }),
      ),
    ),
]

/** Deeds that happen at once. */
export const round = fc.array(
  fc.oneof(
    ...answering.map((arbitrary) => ({ arbitrary, weight: 6 })),
    ...keeping.map((arbitrary) => ({ arbitrary, weight: 3 })),
    ...arranging.map((arbitrary) => ({ arbitrary, weight: 1 })),
  ),
  { minLength: 1, maxLength: 8 },
)
