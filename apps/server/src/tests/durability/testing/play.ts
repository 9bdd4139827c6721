import { offeredOptions } from '@postil/contract/question-types/label-changes.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { LabelsSnapshot, SchemaPlan } from '@postil/contract/schema-versions.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import fc from 'fast-check'

const statuses = ['draft', 'submitted', 'discarded'] as const
type Sent = {
  readonly status: (typeof statuses)[number]
  readonly label: string | null
  readonly stars: number | null
  readonly activeMs: number | null
}

/** One action of one user. Small numbers identify users, records and mutations. */
export type Act =
  | { readonly do: 'create' | 'update' | 'overrule'; readonly user: number; readonly record: number; readonly sent: Sent }
  | { readonly do: 'delete' | 'remove-record'; readonly user: number; readonly record: number }
  | {
      readonly do: 'bulk' | 'inside'
      readonly user: number
      readonly items: readonly { readonly record: number; readonly sent: Sent }[]
    }
  | {
      readonly do: 'mine' | 'clear'
      readonly user: number
      readonly record: number
      readonly sent: Sent
      readonly mutation: number
      readonly base: number
    }
  | { readonly do: 'distribution'; readonly min: number }
  | { readonly do: 'add' }
  | { readonly do: 'remove-user'; readonly user: number }
  | { readonly do: 'assign'; readonly users: readonly number[]; readonly split: boolean; readonly replace: boolean }
  | { readonly do: 'move'; readonly user: number; readonly to: readonly number[] }
  | { readonly do: 'unassign'; readonly user: number }
  | { readonly do: 'undo' }
  | { readonly do: 'relabel'; readonly how: 'rename' | 'merge' | 'split' | 'revert'; readonly label: number }
  | {
      readonly do: 'review'
      readonly record: number
      readonly label: 'yes' | 'no'
      readonly mutation: number
      readonly base: number
    }

export const USERS = 3
const RECORDS = 4
const user = fc.nat({ max: USERS - 1 })
const record = fc.nat({ max: RECORDS })
const some = (one: fc.Arbitrary<number>) => fc.uniqueArray(one, { minLength: 1, maxLength: 2 })
const sent: fc.Arbitrary<Sent> = fc.record({
  status: fc.constantFrom(...statuses),
  label: fc.constantFrom('yes', 'no', 'maybe', null),
  stars: fc.constantFrom(1, 2, null),
  activeMs: fc.constantFrom(null, 0, 1_000, 25_000),
})
const items = fc.array(fc.record({ record, sent }), { minLength: 1, maxLength: 4 })

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 15, arbitrary: fc.record({ do: fc.constantFrom('create', 'update', 'overrule'), user, record, sent }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('delete'), user, record }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove-record'), user, record }) },
  { weight: 9, arbitrary: fc.record({ do: fc.constantFrom('bulk', 'inside'), user, items }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom('mine', 'mine', 'clear'),
      user,
      record,
      sent,
      mutation: fc.nat({ max: 5 }),
      base: fc.nat({ max: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('distribution'), min: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: fc.constant({ do: 'add' } as const) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove-user'), user }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('assign'), users: some(user), split: fc.boolean(), replace: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move'), user, to: some(user) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unassign'), user }) },
  { weight: 2, arbitrary: fc.constant({ do: 'undo' } as const) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('relabel'),
      how: fc.constantFrom('rename', 'merge', 'split', 'revert'),
      label: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('review'),
      record,
      label: fc.constantFrom('yes', 'no'),
      mutation: fc.nat({ max: 5 }),
      base: fc.nat({ max: 3 }),
    }),
  },
) as fc.Arbitrary<Act>

const scene = fc.record({ acts: fc.array(act, { minLength: 1, maxLength: 4 }), isRepeated: fc.boolean() })

/** Each inner list holds actions that run concurrently. Some lists are repeated, as if by clients that lost the responses. */
export const script = fc
  .array(scene, { minLength: 1, maxLength: 8 })
  .map((scenes) => scenes.flatMap(({ acts, isRepeated }) => (isRepeated ? [acts, acts] : [acts])))

const bodyOf = ({ status, label, stars, activeMs }: Sent) => ({
  status,
  active_ms: activeMs,
  values: { ...(label !== null && { label: { value: label } }), ...(stars !== null && { stars: { value: stars } }) },
})

export type PlayFixture = {
  readonly dataset: string
  readonly users: readonly TestUser[]
  readonly records: string[]
  /** The most recent ID of each user's answer to each record. */
  readonly ids: Map<string, string>
  /** The expected active time of each user's answer to each record: the sum over all requests that took effect. */
  readonly activeMs: Map<string, number>
  /** The idempotent requests that took effect. */
  readonly mutations: Set<string>
  /** The jobs that have changed assignments, oldest first. */
  readonly changes: string[]
}

const LABEL = { type: 'label_selection', options: ['yes', 'no', 'maybe'].map((value) => ({ value, text: value })) }
const STARS = { type: 'rating', options: [{ value: 1 }, { value: 2 }] }

export const createFixture = async (server: TestServer): Promise<PlayFixture> => {
  const workspace_id = (await server.createWorkspace()).id
  const users = await Promise.all(Array.from({ length: USERS }, () => server.createUser({ workspaces: [workspace_id] })))
  const questions = [
    { name: 'label', required: true, settings: LABEL },
    { name: 'stars', settings: STARS },
  ]
  const dataset = (await server.createDataset({ workspace_id, questions })).id
  const fixture: PlayFixture = {
    dataset,
    users,
    records: [],
    ids: new Map(),
    activeMs: new Map(),
    mutations: new Set(),
    changes: [],
  }
  const status = await addRecords(server.clientFor(server.owner), fixture, RECORDS)
  if (status !== 201) throw new Error(`records were refused with ${status}`)
  return fixture
}

const addRecords = async (owner: Client, fixture: PlayFixture, count: number): Promise<number> => {
  const items = Array.from({ length: count }, (_, i) => ({
    fields: { text: `text ${i}` },
    external_id: `r${fixture.records.length + i}`,
  }))
  const { status, body } = await owner.post<{ items: { id: string }[] }>(`/datasets/${fixture.dataset}/records/bulk`, { items })
  if (status === 201) fixture.records.push(...body.items.map(({ id }) => id))
  return status
}

/**
 * One mutation ID for each user and number. If a user repeats an action with the same number, both actions count as one mutation.
 */
const mutationId = (user: number, mutation: number) => `00000000-0000-4000-8000-0000000000${user}${mutation}`

/** The active time that an idempotent request sends. Requests with the same mutation ID send the same time. */
const activeMsOf = (mutation: number): number => mutation * 1_000

/**
 * Renames or splits a label, merges it into another label, or reverts the last change. If only two labels are left, a label is
 * added instead of merged.
 */
const changeLabels = async (
  owner: Client,
  dataset: string,
  how: 'rename' | 'merge' | 'split' | 'revert',
  at: number,
): Promise<number[]> => {
  const path = `/datasets/${dataset}`
  if (how === 'revert') {
    const { body } = await owner.get<{ items: { no: number }[] }>(`${path}/schema-versions`)
    const [last] = body.items
    return last === undefined ? [] : [(await owner.post(`${path}/schema/${last.no}/revert`)).status]
  }
  const { body } = await owner.get<{ items: Question[] }>(`${path}/questions`)
  const question = body.items.find(({ name }) => name === 'label') as Question & { settings: LabelsSnapshot }
  const labels = offeredOptions(question.settings).map(({ value }) => value)
  const label = labels[at % labels.length] as string
  const of = { question_id: question.id }
  const added = { value: `${label}+`, text: `${label}+` }
  const merge = { type: 'merge_labels', ...of, labels: [label], into: labels[(at + 1) % labels.length] }
  const into = [added, { value: `${label}-`, text: `${label}-` }]
  const change =
    how === 'rename'
      ? { type: 'rename_label', ...of, label, ...added }
      : how === 'split'
        ? { type: 'split_label', ...of, label, into }
        : labels.length > 2
          ? merge
          : { type: 'add_label', ...of, ...added }
  const plan = await owner.post<SchemaPlan>(`${path}/schema/plan`, { changes: [change] })
  if (plan.status !== 200 || plan.body.token === null) return [plan.status]
  return [plan.status, (await owner.post(`${path}/schema/apply`, { token: plan.body.token })).status]
}

/** Performs one action. @returns the statuses of its responses */
export const perform = async (server: TestServer, fixture: PlayFixture, act: Act): Promise<number[]> => {
  const owner = server.clientFor(server.owner)
  const as = (index: number) => server.clientFor(fixture.users[index] as TestUser)
  const recordOf = (index: number) => fixture.records[index % fixture.records.length] as string
  const place = (index: number, record: number) => `${index} ${recordOf(record)}`
  const rememberId = (key: string, answer: { readonly status: number; readonly body: Response }): number[] => {
    if (answer.status < 300) fixture.ids.set(key, answer.body.id)
    return [answer.status]
  }
  const addTime = (key: string, status: number, activeMs: number | null): void => {
    if (status < 300 && activeMs !== null) fixture.activeMs.set(key, (fixture.activeMs.get(key) ?? 0) + activeMs)
  }
  /** Adds the time of an idempotent request that changed an answer, unless the request is a repeat. */
  const addTimeOnce = (key: string, mutation: number, answer: { status: number; body: unknown }): void => {
    const { response = true } = answer.body as { response?: unknown }
    if (answer.status >= 300 || response === null || fixture.mutations.has(`${key} ${mutation}`)) return
    fixture.mutations.add(`${key} ${mutation}`)
    addTime(key, answer.status, activeMsOf(mutation))
  }
  const known = (index: number, record: number) => fixture.ids.get(place(index, record)) ?? '00000000-0000-7000-8000-000000000000'
  const idOf = (index: number) => (fixture.users[index] as TestUser).id
  const changeAssignments = async (path: string, body?: object): Promise<number[]> => {
    const { status, body: job } = await owner.post<{ id: string }>(`/datasets/${fixture.dataset}/assignments${path}`, body)
    if (status === 202) fixture.changes.push(job.id)
    return [status]
  }
  switch (act.do) {
    case 'create': {
      const key = place(act.user, act.record)
      const answer = await as(act.user).post<Response>(`/records/${recordOf(act.record)}/responses`, bodyOf(act.sent))
      addTime(key, answer.status, act.sent.activeMs)
      return rememberId(key, answer)
    }
    case 'update':
    case 'overrule': {
      const client = act.do === 'update' ? as(act.user) : owner
      const key = place(act.user, act.record)
      const { status } = await client.put(`/responses/${known(act.user, act.record)}`, bodyOf(act.sent))
      // If somebody else updates an answer, the request's active time doesn't count toward the author's.
      if (act.do === 'update') addTime(key, status, act.sent.activeMs)
      return [status]
    }
    case 'delete':
      return [(await as(act.user).delete(`/responses/${known(act.user, act.record)}`)).status]
    case 'remove-record':
      return [(await owner.delete(`/records/${recordOf(act.record)}`)).status]
    case 'bulk': {
      const items = act.items.map(({ record, sent }) => ({ record_id: recordOf(record), ...bodyOf(sent) }))
      const keys = act.items.map(({ record }) => place(act.user, record))
      const { status, body } = await as(act.user).post<{ items: { error: unknown }[] }>('/me/responses/bulk', { items })
      for (const [i, { sent }] of act.items.entries())
        if (status === 200 && body.items[i]?.error === null) addTime(keys[i] as string, status, sent.activeMs)
      return [status]
    }
    case 'inside': {
      const responses = (sent: Sent) => [{ user_id: (fixture.users[act.user] as TestUser).id, ...bodyOf(sent) }]
      const unique = new Map(act.items.map(({ record, sent }) => [record % fixture.records.length, sent]))
      const items = [...unique].map(([record, sent]) => ({
        external_id: `r${record}`,
        fields: { text: 'again' },
        responses: responses(sent),
      }))
      return [(await owner.put(`/datasets/${fixture.dataset}/records/bulk`, { items })).status]
    }
    case 'mine': {
      const body = {
        mutation_id: mutationId(act.user, act.mutation),
        base_version: act.base === 0 ? null : act.base,
        ...bodyOf(act.sent),
        active_ms: activeMsOf(act.mutation),
      }
      const key = place(act.user, act.record)
      const answer = await as(act.user).put<Response>(`/records/${recordOf(act.record)}/responses/mine`, body)
      addTimeOnce(key, act.mutation, answer)
      return rememberId(key, answer)
    }
    case 'clear': {
      const base = act.base === 0 ? '' : `&base_version=${act.base}`
      const path = `/records/${recordOf(act.record)}/responses/mine?mutation_id=${mutationId(act.user, act.mutation)}&active_ms=${activeMsOf(act.mutation)}${base}`
      const key = place(act.user, act.record)
      const answer = await as(act.user).delete(path)
      addTimeOnce(key, act.mutation, answer)
      return [answer.status]
    }
    case 'distribution':
      return [
        (await owner.patch(`/datasets/${fixture.dataset}`, { distribution: { strategy: 'overlap', min_submitted: act.min } }))
          .status,
      ]
    case 'add':
      return [await addRecords(owner, fixture, 1)]
    case 'assign': {
      const user_ids = act.users.map(idOf)
      const mode = act.split ? 'split' : 'all'
      return changeAssignments('', { search: {}, user_ids, mode, replace: act.replace })
    }
    case 'move':
      return changeAssignments('/move', { from_user_id: idOf(act.user), to_user_ids: act.to.map(idOf) })
    case 'unassign':
      return changeAssignments('/remove', { search: {}, user_ids: [idOf(act.user)] })
    case 'undo':
      return changeAssignments(`/${fixture.changes.at(-1) ?? '00000000-0000-7000-8000-000000000000'}/undo`)
    case 'relabel':
      return changeLabels(owner, fixture.dataset, act.how, act.label)
    case 'review': {
      const body = {
        mutation_id: mutationId(USERS, act.mutation),
        base_version: act.base === 0 ? null : act.base,
        values: { label: { value: act.label, source: 'adjudicated' } },
      }
      return [(await owner.put(`/records/${recordOf(act.record)}/gold`, body)).status]
    }
    case 'remove-user':
      return [(await owner.delete(`/users/${(fixture.users[act.user] as TestUser).id}`)).status]
  }
}
