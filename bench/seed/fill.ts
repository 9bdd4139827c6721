import type { DataRecord } from '../data/make-records.ts'
import type { DataSet } from '../data/packages.ts'
import type { DataSettings } from '../data/settings.ts'
import type { BenchDataset } from '../lib/bench-server.ts'
import { addSettings, toWireRecord } from '../lib/bench-server.ts'
import { Client } from '../lib/http.ts'
import type { ShowcaseRecord } from './showcase.ts'

export type Team = { readonly workspaceId: string; readonly members: readonly { readonly id: string; readonly client: Client }[] }

const BATCH = 250

const post = async <T>(client: Client, path: string, body: unknown): Promise<T> =>
  (await client.call('POST', path, body)).body as T

/** Creates a workspace with three members. */
export const createTeam = async (owner: Client, url: string, password: string): Promise<Team> => {
  const workspace = await post<{ id: string }>(owner, '/workspaces', { name: 'packages-team' })
  const members: { id: string; client: Client }[] = []
  for (const [username, first_name, role] of [
    ['ann', 'Ann', 'admin'],
    ['bob', 'Bob', 'annotator'],
    ['eve', 'Eve', 'annotator'],
  ] as const) {
    const user = await post<{ id: string; api_key: string }>(owner, '/users', { username, first_name, role, password })
    await post(owner, `/workspaces/${workspace.id}/users`, { user_id: user.id })
    members.push({ id: user.id, client: new Client(url, user.api_key, 4) })
  }
  return { workspaceId: workspace.id, members }
}

export const createDatasetIn = async (
  owner: Client,
  workspaceId: string,
  name: string,
  settings: DataSettings,
  minSubmitted: number,
): Promise<BenchDataset> => {
  const distribution = { strategy: 'overlap', min_submitted: minSubmitted }
  const { id } = await post<{ id: string }>(owner, '/datasets', {
    name,
    workspace_id: workspaceId,
    guidelines: settings.guidelines,
    distribution,
  })
  return { id, workspaceId, questions: await addSettings(owner, id, settings) }
}

type Stored = { readonly items: readonly { readonly id: string; readonly external_id: string }[] }

const wrapValues = (values: object) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))

/**
 * The status of a member's answer to record `i`, or null if there is none. Every member answers some records, some records have
 * several answers, and some answers are drafts.
 */
const answerLike = (i: number, member: number): 'submitted' | 'draft' | 'discarded' | null => {
  if (i % 3 === member && i < 400) return 'submitted'
  if (member === 0 && i < 90) return 'submitted'
  if (i % 50 === member) return 'draft'
  return i % 71 === member ? 'discarded' : null
}

const answerPackages = async (team: Team, stored: Stored, byId: ReadonlyMap<string, DataRecord>, from: number): Promise<void> => {
  for (const [m, { client }] of team.members.entries()) {
    const items = stored.items.flatMap(({ id, external_id }, i) => {
      const status = answerLike(from + i, m)
      const answer = byId.get(external_id)?.answer
      return status === null || !answer
        ? []
        : [{ record_id: id, status, values: status === 'discarded' ? {} : wrapValues(answer) }]
    })
    for (let at = 0; at < items.length; at += 100)
      await client.call('POST', '/me/responses/bulk', { items: items.slice(at, at + 100) })
  }
}

export const fillPackages = async (owner: Client, dataset: BenchDataset, data: DataSet, team: Team): Promise<void> => {
  let batch: DataRecord[] = []
  let sent = 0
  const flush = async () => {
    const items = batch.map((record) => toWireRecord(record, dataset))
    const stored = (await owner.call('PUT', `/datasets/${dataset.id}/records/bulk`, { items })).body as Stored
    await answerPackages(team, stored, new Map(batch.map((record) => [record.external_id, record])), sent)
    sent += batch.length
    batch = []
  }
  for await (const record of data.records()) {
    batch.push(record)
    if (batch.length === BATCH) await flush()
  }
  if (batch.length > 0) await flush()
}

export const fillShowcase = async (
  owner: Client,
  dataset: BenchDataset,
  records: readonly ShowcaseRecord[],
  team: Team,
): Promise<void> => {
  const items = records.map(({ suggestions, ...record }) => ({
    ...record,
    suggestions: suggestions.map(({ question, ...rest }) => ({ ...rest, question_id: dataset.questions.get(question) })),
  }))
  const stored = (await owner.call('PUT', `/datasets/${dataset.id}/records/bulk`, { items })).body as Stored
  const first = stored.items[0]
  const values = wrapValues({ tone: 'friendly', stars: 4 })
  if (first) await team.members[1]?.client.call('POST', `/records/${first.id}/responses`, { status: 'submitted', values })
}
