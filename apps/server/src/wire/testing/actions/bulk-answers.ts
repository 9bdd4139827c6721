import { setTimeout } from 'node:timers/promises'
import type { BulkAnswerJob } from '@postil/contract/bulk-answers.ts'
import type { Job } from '@postil/contract/jobs.ts'
import { must, type Stage, type Who } from '../stage.ts'
import { type Action, members } from './action.ts'

const inRich = ({ rich }: Stage) => ({ params: { dataset_id: rich.dataset.id } })
/** No record has these words: the answers are those of nobody. */
const body = { search: { query: { text: { q: 'nothing has this word' } } }, status: 'draft' }

/** A job of the person's own, or of the owner's where they may have none. */
const begun = async (stage: Stage, who: Who) => {
  const by = members.includes(who) ? who : 'owner'
  const { dataset } = stage.rich
  const { id } = must(await stage.as(by).post<Job>(`/me/datasets/${dataset.id}/responses/bulk-jobs`, body))
  return { params: { dataset_id: dataset.id, job_id: id } }
}

const LOOK_MS = 20

/** One that is over and has answered a record, in a dataset of its own. */
const done = async (stage: Stage, who: Who) => {
  const client = stage.as(members.includes(who) ? who : 'owner')
  const dataset = await stage.server.createDataset({ workspace_id: stage.workspace.id })
  must(await stage.owner.post(`/datasets/${dataset.id}/records/bulk`, { items: [{ fields: { text: stage.word } }] }))
  const jobs = `/me/datasets/${dataset.id}/responses/bulk-jobs`
  const { id } = must(await client.post<Job>(jobs, { search: {}, status: 'draft' }))
  const isOver = async () => must(await client.get<{ items: BulkAnswerJob[] }>(jobs)).items[0]?.job.status === 'finished'
  while (!(await isOver())) await setTimeout(LOOK_MS)
  return { params: { dataset_id: dataset.id, job_id: id } }
}

export const bulkAnswerActions: readonly Action[] = [
  {
    id: 'bulk_answers.start',
    allowed: members,
    missing: 'found first',
    request: (stage) => ({ ...inRich(stage), body }),
  },
  { id: 'bulk_answers.list', allowed: members, missing: 'found first', request: (stage) => inRich(stage) },
  { id: 'bulk_answers.undo', allowed: members, personal: true, missing: 'found first', request: done },
  { id: 'bulk_answers.report', allowed: members, personal: true, missing: 'found first', request: begun },
]
