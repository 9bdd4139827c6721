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

export const bulkAnswerActions: readonly Action[] = [
  {
    id: 'bulk_answers.start',
    allowed: members,
    missing: 'found first',
    request: (stage) => ({ ...inRich(stage), body }),
  },
  { id: 'bulk_answers.list', allowed: members, missing: 'found first', request: (stage) => inRich(stage) },
  { id: 'bulk_answers.report', allowed: members, personal: true, missing: 'found first', request: begun },
]
