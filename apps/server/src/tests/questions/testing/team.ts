import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { Condition } from '@postil/contract/conditions.ts'
import type { Gold } from '@postil/contract/gold.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { Comparison } from '@postil/contract/review.ts'
import type { SchemaChangeInput, SchemaPlan, SchemaVersion } from '@postil/contract/schema-versions.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { expect, vi } from 'vitest'
import { must } from '#features/queue/testing/team.ts'
import { type KindSample, sampleContent, sampleFields } from './kinds.ts'

export type Values = { readonly [question: string]: { readonly value: AnswerValue } }
export const given = (values: { readonly [question: string]: AnswerValue }): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))

/** The question `conditional` is shown if the answer to `gate` is `ask`, or on German records. */
export const condition: Condition = {
  any: [
    { question: 'gate', in: ['ask'] },
    { metadata: 'lang', in: ['de'] },
  ],
}

/** The language of each record. */
const langs = ['en', 'de', 'en'] as const

/**
 * A dataset with four questions: `gate`, and three of the tested kind. `asked` is always shown, `conditional` is shown only for
 * some answers and records, and `retired` is no longer shown. The dataset has three annotators and three records. The second
 * record is in German.
 */
export const createKindTeam = async (
  server: TestServer,
  sample: KindSample,
  { min_submitted = 2, records = true, workspace }: { min_submitted?: number; records?: boolean; workspace?: string } = {},
) => {
  const owner = server.clientFor(server.owner)
  const draft = await server.createDataset({
    publish: false,
    fields: sampleFields,
    questions: [],
    metadata_properties: [{ name: 'lang', settings: { type: 'terms' } }],
    distribution: { strategy: 'overlap', min_submitted },
    ...(workspace !== undefined && { workspace_id: workspace }),
  })
  const path = `/datasets/${draft.id}`
  const gate = { type: 'label_selection', options: ['ask', 'skip'].map((value) => ({ value, text: value })) }
  const questions = [
    { name: 'gate', required: true, settings: gate },
    { name: 'asked', required: true, settings: sample.settings(0) },
    { name: 'conditional', required: true, settings: sample.settings(1), shown_when: condition },
    { name: 'retired', settings: sample.settings(2) },
  ]
  const ids = new Map<string, string>()
  for (const question of questions) {
    const { id, name } = must(await owner.post<Question>(`${path}/questions`, { title: question.name, ...question }))
    ids.set(name, id)
  }
  const idOf = (name: string) => ids.get(name) ?? ''
  must(await owner.put(`${path}/publish`))
  must(await owner.patch(`/questions/${idOf('retired')}`, { shown_when: { any: [] } }))
  const newUser = () => server.createUser({ workspaces: [draft.workspace_id] })
  const users = [await newUser(), await newUser(), await newUser()] as const
  const items = langs.map((lang, i) => ({ external_id: `record ${i}`, fields: sampleContent, metadata: { lang } }))
  const created = records ? must(await owner.post<{ items: { id: string }[] }>(`${path}/records/bulk`, { items })).items : []
  const record = (i: number) => created[i]?.id ?? ''
  const as = (user: TestUser) => server.clientFor(user)
  const finished = (job: Pick<Job, 'id'>): Promise<Job> =>
    vi.waitFor(
      async () => {
        const found = must(await owner.get<Job>(`/jobs/${job.id}`))
        expect(['finished', 'failed']).toContain(found.status)
        expect(found).toMatchObject({ status: 'finished' })
        return found
      },
      { timeout: 50_000, interval: 100 },
    )
  const gold = async (i: number, values: Values, final = true, base_version: number | null = null) =>
    owner.put<Gold & { detail: string }>(`/records/${record(i)}/gold`, {
      mutation_id: crypto.randomUUID(),
      base_version,
      values: Object.fromEntries(Object.entries(values).map(([name, one]) => [name, { ...one, source: 'adjudicated' }])),
      final,
    })
  return {
    sample,
    server,
    path,
    dataset: draft,
    owner,
    users,
    as,
    idOf,
    record,
    finished,
    gold,
    goldOf: async (i: number) => must(await owner.get<Comparison>(`/records/${record(i)}/comparison`)).gold,
    comparison: async (i: number) => must(await owner.get<Comparison>(`/records/${record(i)}/comparison`)),
    /** Stores an answer as the web app does. */
    answer: (user: TestUser, i: number, values: Values, status = 'submitted', base_version: number | null = null, more = {}) =>
      as(user).put<Response & { detail: string }>(`/records/${record(i)}/responses/mine`, {
        mutation_id: crypto.randomUUID(),
        base_version,
        status,
        values,
        ...more,
      }),
    records: async () =>
      must(await owner.get<{ items: WireRecord[] }>(`${path}/records?include=responses&include=suggestions&limit=100`)).items,
    suggest: (i: number, question: string, value: AnswerValue) =>
      owner.put<{ detail: string }>(`/records/${record(i)}/suggestions`, { question_id: idOf(question), value, agent: 'model' }),
    plan: async (...changes: readonly SchemaChangeInput[]) =>
      must(await owner.post<SchemaPlan>(`${path}/schema/plan`, { changes })),
    apply: async (token: string | null) => {
      const version = must(await owner.post<SchemaVersion>(`${path}/schema/apply`, { token }))
      if (version.job !== null) await finished(version.job)
      return version
    },
    download: async (query: string, ending = 'jsonl') => {
      const url = `${server.url}/api/v1${path}/records/download?format=${ending}&${query}`
      const answer = await fetch(url, { headers: { 'x-argilla-api-key': server.owner.api_key } })
      expect([query, answer.status]).toEqual([query, 200])
      return new Uint8Array(await answer.arrayBuffer())
    },
  }
}
export type KindTeam = Awaited<ReturnType<typeof createKindTeam>>

export const complete = ({ value }: KindSample): Values => given({ gate: 'ask', asked: value, conditional: value })
export const skipping = ({ value }: KindSample): Values => given({ gate: 'skip', asked: value })

export const rowsOf = (file: Uint8Array): readonly { readonly [column: string]: unknown }[] =>
  new TextDecoder()
    .decode(file)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
