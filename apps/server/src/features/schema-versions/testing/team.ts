import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { Gold } from '@postil/contract/gold.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { SchemaChangeInput, SchemaPlan, SchemaVersion } from '@postil/contract/schema-versions.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import type { IdleServer } from '#features/jobs/testing/idle-server.ts'
import { releaseAll } from '#features/jobs/testing/operations.ts'
import { must } from '#features/queue/testing/team.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { relabel } from '../job.ts'

const HOLD = 60_000_000

/**
 * Runs up to `max` steps of the oldest job that changes labels. If the job isn't finished, the next call continues it, as if a
 * process had died between two steps.
 */
export const runSteps = async ({ server, tool }: IdleServer, max = Number.POSITIVE_INFINITY): Promise<string> => {
  const { store } = server.app.ctx
  await tool.write(releaseAll, {})
  const [job] = await store.write(takeJobs, { kinds: [relabel.kind], limit: 1, hold: HOLD })
  if (job === undefined) throw new Error('there is no job')
  let { until } = job
  for (let done = 1; ; done += 1) {
    const result = await store.write(relabel.step, { id: job.id, until, hold: HOLD })
    if (result.state !== 'started' || done >= max) return result.state
    until = result.until
  }
}

const options = ['a', 'b', 'c', 'd'].map((value) => ({ value, text: value.toUpperCase() }))
const questions = [
  { name: 'label', required: true, settings: { type: 'label_selection', options } },
  { name: 'tags', settings: { type: 'multi_label_selection', options } },
  { name: 'order', settings: { type: 'ranking', options } },
  { name: 'spans', settings: { type: 'span', field: 'text', options } },
  { name: 'note', settings: { type: 'text' } },
]
export type QuestionName = 'label' | 'tags' | 'order' | 'spans'
export const labeledQuestions: readonly QuestionName[] = ['label', 'tags', 'order', 'spans']

/** A value of each question that contains a label. */
export const valuesWith = (label: string): { readonly [Q in QuestionName]: { readonly value: AnswerValue } } => ({
  label: { value: label },
  tags: { value: [label, 'd'] },
  order: { value: [label, 'c', 'd'].map((value, i) => ({ value, rank: i + 1 })) },
  spans: { value: [{ label, start: 0, end: 4 }] },
})

export const createTeam = async (idle: IdleServer, records: number) => {
  const { server } = idle
  const { id: dataset, workspace_id: workspace } = await server.createDataset({
    questions,
    distribution: { strategy: 'overlap', min_submitted: 2 },
  })
  const users: TestUser[] = []
  while (users.length < 3) users.push(await server.createUser({ workspaces: [workspace] }))
  const owner = server.clientFor(server.owner)
  const path = `/datasets/${dataset}`
  const ids: string[] = []
  while (ids.length < records) {
    const items = Array.from({ length: Math.min(500, records - ids.length) }, () => ({ fields: { text: 'text of a record' } }))
    const made = must(await owner.post<{ items: { id: string }[] }>(`${path}/records/bulk`, { items }))
    ids.push(...made.items.map(({ id }) => id))
  }
  const questionsNow = async () => must(await owner.get<{ items: Question[] }>(`${path}/questions`)).items
  const questionIds = new Map((await questionsNow()).map(({ id, name }) => [name, id]))
  const idOf = (name: QuestionName) => questionIds.get(name) ?? ''
  const as = (i: number) => server.clientFor(users[i] as TestUser)
  const plan = async (...changes: readonly SchemaChangeInput[]) =>
    must(await owner.post<SchemaPlan>(`${path}/schema/plan`, { changes }))
  return {
    dataset,
    workspace,
    path,
    ids,
    users,
    owner,
    as,
    idOf,
    plan,
    questions: questionsNow,
    /** The labels that are offered and those that aren't. */
    labels: async (name: QuestionName) => {
      const { settings } = (await questionsNow()).find((question) => question.name === name) as Question
      const {
        options: all,
        retired = [],
        replaced = [],
      } = settings as {
        options: { value: string; text: string }[]
        retired?: string[]
        replaced?: { from: string; to: string }[]
      }
      return { values: all.map(({ value }) => value), texts: all.map(({ text }) => text), retired, replaced }
    },
    apply: async (...changes: readonly SchemaChangeInput[]) => {
      const { token, refused } = await plan(...changes)
      if (token === null) throw new Error(refused.map(({ reason }) => reason).join(', '))
      return must(await owner.post<SchemaVersion>(`${path}/schema/apply`, { token, note: 'why' }))
    },
    revert: async (no: number) => must(await owner.post<SchemaVersion>(`${path}/schema/${no}/revert`)),
    versions: async () => must(await owner.get<{ items: SchemaVersion[] }>(`${path}/schema-versions`)).items,
    /** By default, the answer gets a label, because the label question is required. */
    answer: async (user: number, record: number, values: object, status = 'submitted') =>
      must(await as(user).post(`/records/${ids[record]}/responses`, { status, values: { label: { value: 'd' }, ...values } })),
    record: async (i: number) =>
      must(
        await owner.get<{ items: RecordPayload[] }>(`${path}/records?limit=1000&include=responses&include=suggestions`),
      ).items.find(({ id }) => id === ids[i]) as RecordPayload,
    gold: async (
      i: number,
      values: { readonly [question: string]: { readonly value: AnswerValue } },
      base: number | null = null,
    ) =>
      must(
        await owner.put<Gold>(`/records/${ids[i]}/gold`, {
          mutation_id: crypto.randomUUID(),
          base_version: base,
          values: Object.fromEntries(Object.entries(values).map(([name, one]) => [name, { ...one, source: 'adjudicated' }])),
        }),
      ),
    goldOf: async (i: number) => must(await owner.get<{ gold: Gold | null }>(`/records/${ids[i]}/comparison`)).gold,
    /** The positions of the records with an answer or a suggestion that contains a label. */
    found: async (entity: 'response' | 'suggestion', question: QuestionName, label: string) => {
      const scope = { entity, question, ...(entity === 'suggestion' ? { property: 'value' } : { answer_status: 'submitted' }) }
      const filters = { and: [{ type: 'terms', scope, values: [label] }] }
      const { items } = must(
        await owner.post<{ items: { record: { id: string } }[] }>(`${path}/records/search?limit=1000`, { filters }),
      )
      return items.map(({ record }) => ids.indexOf(record.id)).sort((a, b) => a - b)
    },
    job: async ({ job }: SchemaVersion) => must(await owner.get<Job>(`/jobs/${job?.id}`)),
  }
}
export type TeamOfLabels = Awaited<ReturnType<typeof createTeam>>

/** The answers to a record, by user. */
export const responsesOf = async (team: TeamOfLabels, record: number) =>
  new Map((await team.record(record)).responses?.map(({ user_id, ...response }) => [user_id, response]))
export const givenValue = async (team: TeamOfLabels, user: number, record: number, question: QuestionName) =>
  (await responsesOf(team, record)).get(team.users[user]?.id ?? '')?.values[question]?.value
export const complete = (label: string) => ({
  ...valuesWith(label),
  order: { value: [...new Set(['a', 'b', 'c', 'd', label])].map((value, i) => ({ value, rank: i + 1 })) },
})
