import { planOfDraft, versionOfDraft } from '../actions/schema-versions.ts'
import { must } from '../fixture.ts'
import type { Refusal } from './refusal.ts'

export const schemaVersionRefusals: readonly Refusal[] = [
  {
    id: 'schema_versions.apply',
    why: 'the token belongs to no plan',
    status: 422,
    sent: async (fixture) => ({ params: (await planOfDraft(fixture)).params, body: { token: 'other' } }),
  },
  {
    id: 'schema_versions.apply',
    why: 'the labels have changed since the plan was made',
    status: 409,
    sent: async (fixture) => {
      const { path, params, token } = await planOfDraft(fixture)
      must(await fixture.owner.post(`${path}/schema/apply`, { token }))
      return { params, body: { token } }
    },
  },
  {
    id: 'schema_versions.revert',
    why: 'the dataset has no such version',
    status: 404,
    sent: async (fixture) => ({ params: { ...(await versionOfDraft(fixture)).params, version_no: '2' } }),
  },
  {
    id: 'schema_versions.revert',
    why: 'the labels have changed since the version',
    status: 409,
    sent: async (fixture) => {
      const { path, params } = await versionOfDraft(fixture)
      must(await fixture.owner.post(`${path}/schema/1/revert`))
      return { params }
    },
  },
  {
    id: 'schema_versions.resume',
    why: 'the version has no failed job',
    status: 409,
    sent: async (fixture) => ({ params: (await versionOfDraft(fixture)).params }),
  },
]
