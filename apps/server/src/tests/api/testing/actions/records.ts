import type { Response } from '@postil/testkit/client.ts'
import type { ApiFixture, Who } from '../fixture.ts'
import { must } from '../fixture.ts'
import { richFields, richRecord, richValues } from '../rich.ts'
import { type Action, admins, everyone, members } from './action.ts'

const inRich = ({ rich }: ApiFixture) => ({ params: { dataset_id: rich.dataset.id } })
const onRecord = async ({ newRecord }: ApiFixture) => ({ params: { record_id: (await newRecord()).id } })
const included = { include: 'responses,suggestions,vectors,agreement' }
const byAgreement = ({ word }: ApiFixture) => ({
  sort: [{ scope: { entity: 'record', property: 'agreement', question: `${word}-label` }, order: 'asc' }],
})

export const recordActions: readonly Action[] = [
  {
    id: 'records.list',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({ ...inRich(fixture), query: included }),
  },
  {
    id: 'files.download',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({ ...inRich(fixture), query: { format: 'jsonl' } }),
  },
  {
    id: 'records.bulk_create',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({ ...inRich(fixture), body: { items: [richRecord(fixture.word, null, fixture.rich.questions)] } }),
  },
  {
    id: 'records.bulk_upsert',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ ...inRich(fixture), body: { items: [{ id: (await fixture.newRecord()).id, metadata: {} }] } }),
  },
  {
    id: 'records.delete_many',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ ...inRich(fixture), query: { ids: (await fixture.newRecord()).id } }),
  },
  {
    id: 'record_deletions.start',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ ...inRich(fixture), body: { record_ids: [(await fixture.newRecord()).id] } }),
  },
  { id: 'records.get', allowed: members, missing: 'found first', request: onRecord },
  {
    id: 'records.update',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ ...(await onRecord(fixture)), body: { fields: richFields(fixture.word) } }),
  },
  { id: 'records.delete', allowed: admins, missing: 'found first', request: onRecord },
  {
    id: 'search.records',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({ ...inRich(fixture), query: included, body: {} }),
  },
  {
    id: 'search.my_records',
    allowed: members,
    missing: 'found first',
    request: (fixture) => ({ ...inRich(fixture), query: included, body: {} }),
  },
  {
    id: 'search.my_records',
    what: 'by agreement',
    allowed: admins,
    request: (fixture) => ({ ...inRich(fixture), query: included, body: byAgreement(fixture) }),
  },
  { id: 'search.suggestion_options', allowed: members, missing: 'found first', request: inRich },
  { id: 'suggestions.list', allowed: members, missing: 'found first', request: onRecord },
  {
    id: 'suggestions.put',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({
      ...(await onRecord(fixture)),
      body: { question_id: fixture.rich.questions[`${fixture.word}-stars`], value: 1 },
    }),
  },
  {
    id: 'suggestions.delete_many',
    allowed: admins,
    missing: 'found first',
    request: async ({ newRecord }) => {
      const { id, suggestions = [] } = await newRecord()
      return { params: { record_id: id }, query: { ids: suggestions.map((one) => one.id).join(',') } }
    },
  },
  {
    id: 'suggestions.delete',
    allowed: admins,
    missing: 'found first',
    request: async ({ newRecord }) => ({ params: { suggestion_id: (await newRecord()).suggestions?.[0]?.id ?? '' } }),
  },
]

const draft = ({ word }: ApiFixture) => ({ status: 'draft', values: richValues(word) })

const ownAnswer = async (fixture: ApiFixture, who: Who) => {
  const { owner, workspace, users, newAnswer } = fixture
  const path = `/workspaces/${workspace.id}/users`
  const leaves = who === 'adminOut' || who === 'annotatorOut'
  if (leaves) must(await owner.post(path, { user_id: users[who].id }))
  const answer = await newAnswer(users[who])
  if (leaves) must(await owner.delete(`${path}/${users[who].id}`))
  return answer
}

const answerOfColleague = async ({ newRecord }: ApiFixture): Promise<string> => {
  const [answer] = (await newRecord()).responses ?? []
  if (answer === undefined) throw new Error('the record carries no answer')
  return answer.id
}

const ofItems = ({ status, body }: Response<unknown>): number => {
  const { items } = body as { items: { error: { detail: string } | null }[] }
  if (items.every(({ error }) => error === null)) return status
  const forbidden = 'argilla.api.errors::ForbiddenOperationError(detail=Operation not allowed)'
  return items.every(({ error }) => error?.detail === forbidden) ? 403 : 404
}

const ownChange = (more: object) => ({ mutation_id: crypto.randomUUID(), base_version: null, ...more })

export const responseActions: readonly Action[] = [
  {
    id: 'responses.create',
    allowed: members,
    missing: 'found first',
    request: async (fixture) => ({ ...(await onRecord(fixture)), body: draft(fixture) }),
  },
  {
    id: 'responses.bulk',
    allowed: members,
    outcome: ofItems,
    request: async (fixture) => ({ body: { items: [{ record_id: (await fixture.newRecord()).id, ...draft(fixture) }] } }),
  },
  {
    id: 'responses.put_mine',
    allowed: members,
    missing: 'found first',
    request: async (fixture) => ({ ...(await onRecord(fixture)), body: ownChange(draft(fixture)) }),
  },
  {
    id: 'responses.put_mine',
    what: 'an answer from before the user left the workspace',
    allowed: everyone,
    echoes: true,
    request: async (fixture, who) => {
      const { record_id, version } = await ownAnswer(fixture, who)
      return { params: { record_id }, body: ownChange({ ...draft(fixture), base_version: version }) }
    },
  },
  {
    id: 'responses.clear_mine',
    allowed: everyone,
    missing: 'found first',
    echoes: true,
    request: async (fixture, who) => {
      const { record_id, version } = await ownAnswer(fixture, who)
      return { params: { record_id }, query: { mutation_id: crypto.randomUUID(), base_version: String(version) } }
    },
  },
  {
    id: 'responses.clear_mine',
    what: 'without an answer',
    allowed: members,
    request: async (fixture) => ({
      ...(await onRecord(fixture)),
      query: { mutation_id: crypto.randomUUID() },
    }),
  },
  {
    id: 'responses.update',
    what: "the caller's",
    allowed: everyone,
    missing: 'found first',
    echoes: true,
    request: async (fixture, who) => ({ params: { response_id: (await ownAnswer(fixture, who)).id }, body: draft(fixture) }),
  },
  {
    id: 'responses.update',
    what: "someone else's",
    allowed: admins,
    request: async (fixture) => ({ params: { response_id: await answerOfColleague(fixture) }, body: draft(fixture) }),
  },
  {
    id: 'responses.delete',
    what: "the caller's",
    allowed: everyone,
    missing: 'found first',
    echoes: true,
    request: async (fixture, who) => ({ params: { response_id: (await ownAnswer(fixture, who)).id } }),
  },
  {
    id: 'responses.delete',
    what: "someone else's",
    allowed: admins,
    request: async (fixture) => ({ params: { response_id: await answerOfColleague(fixture) } }),
  },
]
