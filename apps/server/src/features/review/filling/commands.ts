import { isModelRule } from '@postil/contract/gold-rules.ts'
import type { GoldJobBody } from '@postil/contract/review.ts'
import { forbidden, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { hasCategories } from '#features/agreement/public.ts'
import { datasetScope, type ScopeDataset } from '#features/records/public.ts'
import { questionRows } from '#features/schema/public.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { enqueueJob } from '#platform/jobs/kinds.ts'
import { deleteOldParts } from '#platform/jobs/parts.ts'
import { copyParts, endedJob, refuseUndo, storeParts } from '../job-parts.ts'
import { reviewPolicy } from '../policy.ts'
import type { InDataset } from '../settings.ts'
import { fillGold, fillGoldByModel, noCounts } from './job.ts'
import type { FillArgs, Filling } from './parts.ts'

const leadDataset = async (db: Db, { user, dataset_id }: InDataset): Promise<ScopeDataset> => {
  const dataset = await datasetScope(db, dataset_id, user, { hold: true })
  if (!reviewPolicy.fill(user, dataset)) throw forbidden()
  return dataset
}

type NewJob = { readonly dataset: ScopeDataset; readonly user_id: string; readonly filling: Filling; readonly total: number }

const addJob = async (db: Db, { dataset, user_id, filling, total }: NewJob): Promise<string> => {
  await deleteOldParts(db, 'gold_parts')
  const args: FillArgs = { part: 0, filling, gold: noCounts }
  const kind = filling.do === 'fill' && isModelRule(filling.rule.rule) ? fillGoldByModel : fillGold
  return enqueueJob(db, kind, { dataset_no: dataset.no, user_id, args, total })
}

type StartArgs = InDataset & {
  readonly body: Pick<GoldJobBody, 'rule' | 'questions' | 'min' | 'share' | 'dry_run'>
  /** In ascending order, because records are locked in that order. */
  readonly seqs: readonly number[]
}

/**
 * Adds a job that stores final answers by applying a rule. @returns the job's ID. @throws Problem not_found, forbidden,
 * unprocessable, too_many
 */
export const startFilling = command('review.start-job', async (db, { body, seqs, ...of }: StartArgs): Promise<string> => {
  const dataset = await leadDataset(db, of)
  const { rule, questions = null, min, share, dry_run } = body
  const known = new Map((await questionRows(db, dataset.id)).map((question) => [question.name, question]))
  for (const name of questions ?? []) {
    const question = known.get(name)
    if (question === undefined) throw unprocessable(message('notInDataset', { part: 'Question', name }))
    if (isModelRule(rule) && !hasCategories(question)) throw unprocessable(message('noModel', { question: name }))
  }
  if (isModelRule(rule) && ![...known.values()].some(hasCategories)) throw unprocessable(message('noModelQuestions'))
  const filling: Filling = { do: 'fill', rule: { rule, min, share }, questions, isDryRun: dry_run }
  const job_id = await addJob(db, { dataset, user_id: of.user.id, filling, total: seqs.length })
  await storeParts(db, { job_id, dataset_no: dataset.no, seqs })
  return job_id
})

/**
 * Adds a job that undoes another one. Final answers of records that have been reviewed since the other job are kept. @returns the
 * job's ID. @throws Problem not_found, forbidden, unprocessable, too_many
 */
export const startUndo = command('review.undo-job', async (db, { job_id, ...of }: InDataset & { readonly job_id: string }) => {
  const dataset = await leadDataset(db, of)
  const job = await endedJob(db, { job_id, dataset_no: dataset.no, kinds: [fillGold.kind, fillGoldByModel.kind] })
  const { filling, gold, part } = job.args as unknown as FillArgs
  refuseUndo({ isUndo: filling.do === 'undo', stored: filling.do === 'fill' && filling.isDryRun ? 0 : gold.stored })
  const undo = await addJob(db, { dataset, user_id: of.user.id, filling: { do: 'undo', job: job.id }, total: job.done })
  await copyParts(db, { from: job.id, to: undo, end: part })
  return undo
})
