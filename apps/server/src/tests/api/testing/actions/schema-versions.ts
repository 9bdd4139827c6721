import type { Question } from '@postil/contract/questions.ts'
import type { SchemaPlan, SchemaVersion } from '@postil/contract/schema-versions.ts'
import { failJob } from '#features/schema-versions/testing/operations.ts'
import { openStore } from '#platform/db/open.ts'
import { type ApiFixture, must } from '../fixture.ts'
import { type Action, admins, members } from './action.ts'

/** A draft dataset, and a change that retires one of its labels. */
export const labelsOfDraft = async ({ newDraft, owner, word }: ApiFixture) => {
  const { dataset } = await newDraft()
  const path = `/datasets/${dataset.id}`
  const { items } = must(await owner.get<{ items: Question[] }>(`${path}/questions`))
  const question_id = items.find(({ name }) => name === `${word}-tags`)?.id ?? ''
  const changes = [{ type: 'retire_label', question_id, label: `${word}-x` }] as const
  return { path, params: { dataset_id: dataset.id }, changes }
}

/** Like `labelsOfDraft`, but also plans the change and returns the plan's token. */
export const planOfDraft = async (fixture: ApiFixture) => {
  const { path, params, changes } = await labelsOfDraft(fixture)
  const { token } = must(await fixture.owner.post<SchemaPlan>(`${path}/schema/plan`, { changes }))
  return { path, params, changes, token }
}

/** Like `planOfDraft`, but also applies the plan, which creates a schema version. */
export const versionOfDraft = async (fixture: ApiFixture) => {
  const { path, params, token } = await planOfDraft(fixture)
  must(await fixture.owner.post(`${path}/schema/apply`, { token }))
  return { path, params: { ...params, version_no: '1' } }
}

/** Like `labelsOfDraft`, but creates a schema version whose job has failed. */
export const failedVersionOfDraft = async (fixture: ApiFixture) => {
  const { path, params, changes } = await labelsOfDraft(fixture)
  const [{ question_id, label }] = changes
  const rename = { type: 'rename_label', question_id, label, value: `${label}1`, text: label }
  const { token } = must(await fixture.owner.post<SchemaPlan>(`${path}/schema/plan`, { changes: [rename] }))
  const { job } = must(await fixture.owner.post<SchemaVersion>(`${path}/schema/apply`, { token }))
  const { dataDir, databaseUrl } = fixture.server.app.ctx.config
  const operations = new URL('../../../../features/schema-versions/testing/operations.ts', import.meta.url).href
  const tool = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
  await tool.write(failJob, { id: job?.id ?? '' })
  await tool.close()
  return { path, params: { ...params, version_no: '1' } }
}

export const schemaVersionActions: readonly Action[] = [
  {
    id: 'schema_versions.list',
    allowed: members,
    missing: 'found first',
    request: ({ rich }) => ({ params: { dataset_id: rich.dataset.id } }),
  },
  {
    id: 'schema_versions.diff',
    allowed: members,
    missing: 'found first',
    request: async (fixture) => ({ params: (await versionOfDraft(fixture)).params }),
  },
  {
    id: 'schema_versions.seen',
    allowed: members,
    missing: 'found first',
    request: ({ rich }) => ({ params: { dataset_id: rich.dataset.id } }),
  },
  {
    id: 'schema_versions.see',
    allowed: members,
    missing: 'found first',
    request: ({ rich }) => ({ params: { dataset_id: rich.dataset.id }, body: { version: 0 } }),
  },
  {
    id: 'schema_versions.plan',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => {
      const { params, changes } = await labelsOfDraft(fixture)
      return { params, body: { changes } }
    },
  },
  {
    id: 'schema_versions.apply',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => {
      const { params, token } = await planOfDraft(fixture)
      return { params, body: { token } }
    },
  },
  {
    id: 'schema_versions.revert',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ params: (await versionOfDraft(fixture)).params }),
  },
  {
    id: 'schema_versions.resume',
    allowed: admins,
    missing: 'found first',
    personal: true,
    request: async (fixture) => ({ params: (await failedVersionOfDraft(fixture)).params }),
  },
]
