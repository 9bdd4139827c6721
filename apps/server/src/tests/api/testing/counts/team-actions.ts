import type { History } from '@postil/contract/history.ts'
import fc from 'fast-check'
import { adminActions } from './admin-actions.ts'
import type { Team, TeamAction } from './team.ts'
import { bodyOf, label, record, status, teamAction, who } from './team-action.ts'

/* Concurrent actions on a dataset. An action identifies its record by a number instead of an ID. Every number refers to one of
   the records that exist at that time. A sequence of actions therefore stays valid if some of its actions are removed. */

export const WORDS = ['alpha', 'beta', 'gamma'] as const
export const QUESTIONS = ['label', 'sure'] as const
export const LANGUAGES = ['en', 'de'] as const
const answer = { who, record, status, label }

const answerAction: readonly fc.Arbitrary<TeamAction>[] = [
  fc
    .record(answer)
    .map((one) =>
      teamAction('creates an answer', one, (team) => team.as(one.who).post(`${team.record(one.record)}/responses`, bodyOf(one))),
    ),
  fc.record(answer).map((one) =>
    teamAction('puts the own answer', one, (team) => {
      const base_version = team.own(one.who, one.record)?.version ?? null
      const body = { mutation_id: crypto.randomUUID(), base_version, ...bodyOf(one) }
      return team.as(one.who).put(`${team.record(one.record)}/responses/mine`, body)
    }),
  ),
  fc.record({ who, record }).map((one) =>
    teamAction('clears the own answer', one, (team) => {
      const version = team.own(one.who, one.record)?.version
      const query = `mutation_id=${crypto.randomUUID()}${version === undefined ? '' : `&base_version=${version}`}`
      return team.as(one.who).delete(`${team.record(one.record)}/responses/mine?${query}`)
    }),
  ),
  fc
    .record({ ...answer, other: fc.nat({ max: 3 }) })
    .map((one) =>
      teamAction('changes an answer', one, (team) =>
        team.as(one.who).put(`/responses/${team.anyAnswer(one.record, one.other)}`, bodyOf(one)),
      ),
    ),
  fc
    .record({ who, record, other: fc.nat({ max: 3 }) })
    .map((one) =>
      teamAction('deletes an answer', one, (team) =>
        team.as(one.who).delete(`/responses/${team.anyAnswer(one.record, one.other)}`),
      ),
    ),
  fc.record({ who, items: fc.array(fc.record({ record, status, label }), { minLength: 1, maxLength: 4 }) }).map((one) =>
    teamAction('answers many', one, (team) =>
      team.as(one.who).post('/me/responses/bulk', {
        items: one.items.map((item) => ({ record_id: team.id(item.record), ...bodyOf(item) })),
      }),
    ),
  ),
  fc.record({ who, record, at: fc.nat({ max: 5 }) }).map((one) =>
    teamAction('restores from the history', one, async (team) => {
      const path = `${team.record(one.record)}/history`
      const { body } = await team.as(one.who).get<Partial<History>>(path)
      const change = body.items?.[one.at]
      return change ? team.as(one.who).post(`${path}/${change.id}/restore`, {}) : null
    }),
  ),
  fc
    .record({ who, limit: fc.integer({ min: 1, max: 3 }) })
    .map((one) =>
      teamAction('takes from the queue', one, (team) => team.as(one.who).post(`/me${team.dataset}/queue`, { limit: one.limit })),
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
const itemOf = (team: Team, { text, lang, suggestion, responses }: Content) => ({
  fields: { text },
  metadata: lang === null ? {} : { lang },
  suggestions: suggestion === null ? [] : [0, 1].map((which) => ({ question_id: team.question(which), value: suggestion })),
  responses: responses.map(({ user, ...body }) => ({ user_id: team.people[user]?.id, ...bodyOf(body) })),
})

const keeping: readonly fc.Arbitrary<TeamAction>[] = [
  fc
    .record({ items: fc.array(fc.record(content), { minLength: 1, maxLength: 3 }) })
    .map((one) =>
      teamAction('creates records', one, (team) =>
        team.admin().post(`${team.dataset}/records/bulk`, { items: one.items.map((item) => itemOf(team, item)) }),
      ),
    ),
  fc
    .record({
      items: fc.uniqueArray(fc.record({ record, ...content }), { selector: (item) => item.record, minLength: 1, maxLength: 3 }),
    })
    .map((one) =>
      teamAction('upserts records', one, (team) => {
        const items = new Map(
          one.items.map((item) => [team.id(item.record), { id: team.id(item.record), ...itemOf(team, item) }]),
        )
        return team.admin().put(`${team.dataset}/records/bulk`, { items: [...items.values()] })
      }),
    ),
  fc.record({ record, ...content }).map((one) =>
    teamAction('changes a record', one, (team) => {
      const { responses: _, ...item } = itemOf(team, one)
      return team.admin().patch(team.record(one.record), item)
    }),
  ),
  fc
    .record({ records: fc.array(record, { minLength: 1, maxLength: 2 }) })
    .map((one) =>
      teamAction('deletes records', one, (team) =>
        team.admin().delete(`${team.dataset}/records?ids=${one.records.map((each) => team.id(each)).join(',')}`),
      ),
    ),
  fc
    .record({ record, label, question: fc.nat({ max: 1 }) })
    .map((one) =>
      teamAction('suggests', one, (team) =>
        team
          .admin()
          .put(`${team.record(one.record)}/suggestions`, { question_id: team.question(one.question), value: one.label }),
      ),
    ),
]

/** Actions that happen at the same time. */
export const round = fc.array(
  fc.oneof(
    ...answerAction.map((arbitrary) => ({ arbitrary, weight: 6 })),
    ...keeping.map((arbitrary) => ({ arbitrary, weight: 3 })),
    ...adminActions.map((arbitrary) => ({ arbitrary, weight: 1 })),
  ),
  { minLength: 1, maxLength: 8 },
)
