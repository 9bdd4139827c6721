import { setTimeout } from 'node:timers/promises'
import type { Job } from '@postil/contract/jobs.ts'
import { type ApiFixture, must } from '../fixture.ts'
import { richValues } from '../rich.ts'
import { type Action, admins, members } from './action.ts'

const inRich = ({ rich }: ApiFixture) => ({ params: { dataset_id: rich.dataset.id } })
const ofRecord = async ({ newRecord }: ApiFixture) => ({ params: { record_id: (await newRecord()).id } })

/** A submitted answer of an annotator. */
export const submittedAnswer = async (fixture: ApiFixture): Promise<string> => {
  const { id } = await fixture.newRecord()
  const body = { status: 'submitted', values: richValues(fixture.word) }
  return must(await fixture.as('annotatorIn').post<{ id: string }>(`/records/${id}/responses`, body)).id
}

/** A finished job that has changed something and can be undone. */
const finishedJob = (routes: 'gold/jobs' | 'answers/jobs', body: object) => async (fixture: ApiFixture) => {
  const { owner, rich, newRecord } = fixture
  const { id } = await newRecord()
  must(
    await fixture.as('annotatorIn').post(`/records/${id}/responses`, { status: 'submitted', values: richValues(fixture.word) }),
  )
  const path = `/datasets/${rich.dataset.id}/${routes}`
  const { id: job_id } = must(await owner.post<Job>(path, { record_ids: [id], ...body }))
  while (must(await owner.get<Job>(`/jobs/${job_id}`)).status !== 'finished') await setTimeout(20)
  return { params: { dataset_id: rich.dataset.id, job_id } }
}

/** An annotator who has received a record from a queue with test items. */
const testedPerson = async (fixture: ApiFixture) => {
  const { owner, rich, newRecord, users } = fixture
  await newRecord()
  must(await owner.put(`/datasets/${rich.dataset.id}/review-settings`, { mode: 'all', checks: { every: 2 } }))
  must(await fixture.as('annotatorIn').post(`/me/datasets/${rich.dataset.id}/queue`, { limit: 1 }))
  return { params: { dataset_id: rich.dataset.id, user_id: users.annotatorIn.id } }
}

export const reviewActions: readonly Action[] = [
  { id: 'review.settings', allowed: members, missing: 'found first', request: inRich },
  {
    id: 'review.set_settings',
    allowed: admins,
    missing: 'found first',
    request: (fixture) => ({ ...inRich(fixture), body: { mode: 'all' } }),
  },
  { id: 'review.take', allowed: admins, missing: 'found first', request: (fixture) => ({ ...inRich(fixture), body: {} }) },
  { id: 'review.release', allowed: admins, missing: 'found first', request: inRich },
  { id: 'review.corrections', allowed: members, missing: 'found first', request: inRich },
  { id: 'review.checks', allowed: admins, missing: 'found first', request: inRich },
  { id: 'review.let_continue', allowed: admins, missing: 'found first', request: testedPerson },
  { id: 'review.comparison', allowed: admins, missing: 'found first', request: ofRecord },
  {
    id: 'review.return',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({ params: { response_id: await submittedAnswer(fixture) }, body: { comment: 'Please check' } }),
  },
  {
    id: 'review.start_job',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({
      ...inRich(fixture),
      body: { record_ids: [(await fixture.newRecord()).id], rule: 'majority', dry_run: true },
    }),
  },
  {
    id: 'review.undo_job',
    allowed: admins,
    missing: 'found first',
    request: finishedJob('gold/jobs', { rule: 'unanimous', min: 1 }),
  },
  {
    id: 'review.start_answer_job',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({
      ...inRich(fixture),
      body: { record_ids: [(await fixture.newRecord()).id], change: 'discard' },
    }),
  },
  {
    id: 'review.undo_answer_job',
    allowed: admins,
    missing: 'found first',
    request: finishedJob('answers/jobs', { change: 'discard' }),
  },
  {
    id: 'review.put_gold',
    allowed: admins,
    missing: 'found first',
    request: async (fixture) => ({
      ...(await ofRecord(fixture)),
      body: { mutation_id: crypto.randomUUID(), base_version: null, values: {}, final: false },
    }),
  },
]
