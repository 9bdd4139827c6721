import { setTimeout } from 'node:timers/promises'
import type { BulkAnswerJob } from '@postil/contract/bulk-answers.ts'
import type { Job } from '@postil/contract/jobs.ts'
import { type ApiFixture, must, type Who } from '../fixture.ts'
import { type Action, members } from './action.ts'

const inRich = ({ rich }: ApiFixture) => ({ params: { dataset_id: rich.dataset.id } })
/** No record contains these words, so the job answers nothing. */
const body = { search: { query: { text: { q: 'nothing has this word' } } }, status: 'draft' }

/** Starts a job as the user, or as the owner if the user isn't allowed to start one. */
const begun = async (fixture: ApiFixture, who: Who) => {
  const by = members.includes(who) ? who : 'owner'
  const { dataset } = fixture.rich
  const { id } = must(await fixture.as(by).post<Job>(`/me/datasets/${dataset.id}/responses/bulk-jobs`, body))
  return { params: { dataset_id: dataset.id, job_id: id } }
}

const POLL_MS = 20

/** In a separate dataset, starts a job that answers one record, and waits until the job has finished. */
const done = async (fixture: ApiFixture, who: Who) => {
  const client = fixture.as(members.includes(who) ? who : 'owner')
  const dataset = await fixture.server.createDataset({ workspace_id: fixture.workspace.id })
  must(await fixture.owner.post(`/datasets/${dataset.id}/records/bulk`, { items: [{ fields: { text: fixture.word } }] }))
  const jobs = `/me/datasets/${dataset.id}/responses/bulk-jobs`
  const { id } = must(await client.post<Job>(jobs, { search: {}, status: 'draft' }))
  const isOver = async () => must(await client.get<{ items: BulkAnswerJob[] }>(jobs)).items[0]?.job.status === 'finished'
  while (!(await isOver())) await setTimeout(POLL_MS)
  return { params: { dataset_id: dataset.id, job_id: id } }
}

export const bulkAnswerActions: readonly Action[] = [
  {
    id: 'bulk_answers.start',
    allowed: members,
    missing: 'found first',
    request: (fixture) => ({ ...inRich(fixture), body }),
  },
  { id: 'bulk_answers.list', allowed: members, missing: 'found first', request: (fixture) => inRich(fixture) },
  { id: 'bulk_answers.undo', allowed: members, personal: true, missing: 'found first', request: done },
  { id: 'bulk_answers.report', allowed: members, personal: true, missing: 'found first', request: begun },
]
