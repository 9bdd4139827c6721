import type { Response } from '@postil/testkit/client.ts'
import { richFields, richRecord, richValues } from '../rich.ts'
import type { Stage, Who } from '../stage.ts'
import { must } from '../stage.ts'
import { type Action, admins, everyone, members } from './action.ts'

const inRich = ({ rich }: Stage) => ({ params: { dataset_id: rich.dataset.id } })
const onRecord = async ({ newRecord }: Stage) => ({ params: { record_id: (await newRecord()).id } })
const included = { include: 'responses,suggestions,vectors' }

export const recordActions: readonly Action[] = [
  {
    id: 'records.list',
    allowed: admins,
    missing: 'found first',
    request: (stage) => ({ ...inRich(stage), query: included }),
  },
  {
    id: 'files.download',
    allowed: admins,
    missing: 'found first',
    request: (stage) => ({ ...inRich(stage), query: { format: 'jsonl' } }),
  },
  {
    id: 'records.bulk_create',
    allowed: admins,
    missing: 'found first',
    request: (stage) => ({ ...inRich(stage), body: { items: [richRecord(stage.word, null, stage.rich.questions)] } }),
  },
  {
    id: 'records.bulk_upsert',
    allowed: admins,
    missing: 'found first',
    request: async (stage) => ({ ...inRich(stage), body: { items: [{ id: (await stage.newRecord()).id, metadata: {} }] } }),
  },
  {
    id: 'records.delete_many',
    allowed: admins,
    missing: 'found first',
    request: async (stage) => ({ ...inRich(stage), query: { ids: (await stage.newRecord()).id } }),
  },
  { id: 'records.get', allowed: members, missing: 'found first', request: onRecord },
  {
    id: 'records.update',
    allowed: admins,
    missing: 'found first',
    request: async (stage) => ({ ...(await onRecord(stage)), body: { fields: richFields(stage.word) } }),
  },
  { id: 'records.delete', allowed: admins, missing: 'found first', request: onRecord },
  {
    id: 'search.records',
    allowed: admins,
    missing: 'found first',
    request: (stage) => ({ ...inRich(stage), query: included, body: {} }),
  },
  {
    id: 'search.my_records',
    allowed: members,
    missing: 'found first',
    request: (stage) => ({ ...inRich(stage), query: included, body: {} }),
  },
  { id: 'search.suggestion_options', allowed: members, missing: 'found first', request: inRich },
  { id: 'suggestions.list', allowed: members, missing: 'found first', request: onRecord },
  {
    id: 'suggestions.put',
    allowed: admins,
    missing: 'found first',
    request: async (stage) => ({
      ...(await onRecord(stage)),
      body: { question_id: stage.rich.questions[`${stage.word}-stars`], value: 1 },
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

const draft = ({ word }: Stage) => ({ status: 'draft', values: richValues(word) })

/** An answer by someone who may have left the workspace since. */
const ownAnswer = async (stage: Stage, who: Who) => {
  const { owner, workspace, users, newAnswer } = stage
  const path = `/workspaces/${workspace.id}/users`
  const leaves = who === 'adminOut' || who === 'annotatorOut'
  if (leaves) must(await owner.post(path, { user_id: users[who].id }))
  const answer = await newAnswer(users[who])
  if (leaves) must(await owner.delete(`${path}/${users[who].id}`))
  return answer
}

const answerOfColleague = async ({ newRecord }: Stage): Promise<string> => {
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

const mine = (more: object) => ({ mutation_id: crypto.randomUUID(), base_version: null, ...more })

export const responseActions: readonly Action[] = [
  {
    id: 'responses.create',
    allowed: members,
    missing: 'found first',
    request: async (stage) => ({ ...(await onRecord(stage)), body: draft(stage) }),
  },
  {
    id: 'responses.bulk',
    allowed: members,
    outcome: ofItems,
    request: async (stage) => ({ body: { items: [{ record_id: (await stage.newRecord()).id, ...draft(stage) }] } }),
  },
  {
    id: 'responses.put_mine',
    allowed: members,
    missing: 'found first',
    request: async (stage) => ({ ...(await onRecord(stage)), body: mine(draft(stage)) }),
  },
  {
    id: 'responses.put_mine',
    what: 'that was given before leaving the workspace',
    allowed: everyone,
    echoes: true,
    request: async (stage, who) => {
      const { record_id, version } = await ownAnswer(stage, who)
      return { params: { record_id }, body: mine({ ...draft(stage), base_version: version }) }
    },
  },
  {
    id: 'responses.clear_mine',
    allowed: everyone,
    missing: 'found first',
    echoes: true,
    request: async (stage, who) => {
      const { record_id, version } = await ownAnswer(stage, who)
      return { params: { record_id }, query: { mutation_id: crypto.randomUUID(), base_version: String(version) } }
    },
  },
  {
    id: 'responses.clear_mine',
    what: 'where there is none',
    allowed: members,
    request: async (stage) => ({
      ...(await onRecord(stage)),
      query: { mutation_id: crypto.randomUUID() },
    }),
  },
  {
    id: 'responses.update',
    what: 'own',
    allowed: everyone,
    missing: 'found first',
    echoes: true,
    request: async (stage, who) => ({ params: { response_id: (await ownAnswer(stage, who)).id }, body: draft(stage) }),
  },
  {
    id: 'responses.update',
    what: "someone else's",
    allowed: admins,
    request: async (stage) => ({ params: { response_id: await answerOfColleague(stage) }, body: draft(stage) }),
  },
  {
    id: 'responses.delete',
    what: 'own',
    allowed: everyone,
    missing: 'found first',
    echoes: true,
    request: async (stage, who) => ({ params: { response_id: (await ownAnswer(stage, who)).id } }),
  },
  {
    id: 'responses.delete',
    what: "someone else's",
    allowed: admins,
    request: async (stage) => ({ params: { response_id: await answerOfColleague(stage) } }),
  },
]
