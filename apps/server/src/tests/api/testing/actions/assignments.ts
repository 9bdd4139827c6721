import type { Job } from '@postil/contract/jobs.ts'
import { type ApiFixture, must } from '../fixture.ts'
import { type Action, admins, everyone } from './action.ts'

const inRich = ({ rich }: ApiFixture) => ({ params: { dataset_id: rich.dataset.id } })

const assignRecord = async (fixture: ApiFixture) => {
  const { id } = await fixture.newRecord()
  return { record_ids: [id], user_ids: [fixture.users.annotatorIn.id] }
}

/** A finished change to assignments, which can be undone. */
const assigned = async (fixture: ApiFixture) => {
  const { dataset } = fixture.rich
  const body = await assignRecord(fixture)
  const { id } = must(await fixture.owner.post<Job>(`/datasets/${dataset.id}/assignments`, body))
  return { params: { dataset_id: dataset.id, job_id: id } }
}

export const assignmentActions: readonly Action[] = [
  {
    id: 'assignments.assign',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ ...inRich(fixture), body: await assignRecord(fixture) }),
  },
  {
    id: 'assignments.unassign',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ ...inRich(fixture), body: await assignRecord(fixture) }),
  },
  {
    id: 'assignments.move',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({ ...inRich(fixture), body: { from_user_id: fixture.users.annotatorIn.id, to_user_ids: [] } }),
  },
  { id: 'assignments.undo', allowed: admins, missing: 'found first', request: assigned },
  { id: 'assignments.list', allowed: admins, missing: 'found first', request: inRich },
  {
    id: 'assignments.of_records',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ ...inRich(fixture), query: { ids: (await fixture.newRecord()).id } }),
  },
  { id: 'assignments.list_mine', allowed: everyone, request: () => ({}) },
]
