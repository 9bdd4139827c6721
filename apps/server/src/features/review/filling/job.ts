import type { GoldCounts } from '@postil/contract/jobs.ts'
import { message } from '@postil/contract/wire/message.ts'
import {
  basisOf,
  type Decision,
  decide,
  decideRecord,
  type GivenAnswer,
  type GoldChange,
  goldOfRecords,
  type Rule,
  type StoredGold,
  writeGold,
} from '#features/gold/public.ts'
import { datasetScopeAt, lockRecords, type ScopeDataset } from '#features/records/public.ts'
import { responsesOfRecords } from '#features/responses/public.ts'
import { questionRows } from '#features/schema/public.ts'
import type { Db } from '#platform/db/db.ts'
import { listChanges } from '#platform/db/record-changes.ts'
import { metadataForConditions } from '#platform/db/statements/condition-metadata.ts'
import { earlierVersions } from '#platform/db/statements/earlier-versions.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { type Job, jobKind, type StepOutcome } from '#platform/jobs/kinds.ts'
import { starterOf } from '#platform/jobs/starter.ts'
import { type Micros, now } from '#platform/time.ts'
import { recordsOfPart } from '../job-parts.ts'
import { reviewPolicy } from '../policy.ts'
import { forgetModels, isBasedOn, type ModelDecisions, type ModelInput, prepareModelInput } from './models.ts'
import type { FillArgs, Filling } from './parts.ts'

export const noCounts: GoldCounts = { stored: 0, undecided: 0, kept: 0, gone: 0 }

type LockedRecord = { readonly seq: number; readonly id: string }
type Step = {
  readonly dataset: ScopeDataset
  readonly records: readonly LockedRecord[]
  readonly golds: ReadonlyMap<number, StoredGold>
  readonly author: { readonly actor: string; readonly mutationId: string; readonly at: Micros }
}
type DecidePlace = (place: { readonly seq: number; readonly question: string }, given: readonly GivenAnswer[]) => Decision | null
/** What a step did with the records that still exist. */
type Filled = Omit<GoldCounts, 'gone'>

type Fill = Extract<Filling, { do: 'fill' }>

const byAgreement =
  (rule: Rule): DecidePlace =>
  (_place, given) =>
    decide(
      given.map(({ value }) => value),
      rule,
    )

const byModel =
  ({ min }: Rule, { decisions }: ModelDecisions): DecidePlace =>
  ({ seq, question }, given) => {
    const found = decisions.get(seq)?.[question]
    const isEnough = given.length >= Math.max(min, 1)
    return isEnough && found !== undefined && found.value !== null && isBasedOn(found, given)
      ? { value: found.value, source: 'model_weighted' }
      : null
  }

const fillRecords = async (
  db: Db,
  { dataset, records, golds, author }: Step,
  { questions: names, isDryRun }: Fill,
  decidePlace: DecidePlace,
): Promise<Filled> => {
  const seqs = records.map(({ seq }) => seq)
  const questions = await questionRows(db, dataset.id)
  const responses = await responsesOfRecords(db, dataset.no, seqs)
  const metadata = await metadataForConditions(db, dataset.no, questions, seqs)
  const changes: GoldChange[] = []
  let kept = 0
  for (const { seq, id } of records) {
    const before = golds.get(seq) ?? null
    if (before?.final === true) {
      kept += 1
      continue
    }
    const answers = (responses.get(seq) ?? []).filter(({ status }) => status === 'submitted')
    const isWanted = (name: string): boolean => names === null || names.includes(name)
    const decideOne = (question: string, given: readonly GivenAnswer[]) =>
      isWanted(question) ? decidePlace({ seq, question }, given) : null
    const { isChanged, ...after } = decideRecord(
      questions,
      { answers, gold: before, metadata: metadata(seq) },
      { decideOne, by: author.actor, at: author.at },
    )
    if (isChanged) changes.push({ seq, record_id: id, before, ...after, basis: basisOf(answers) })
  }
  if (!isDryRun) await storeChanges(db, dataset.no, changes, author)
  return { stored: changes.length, undecided: records.length - changes.length - kept, kept }
}

const storeChanges = async (db: Db, datasetNo: number, changes: readonly GoldChange[], author: Step['author']): Promise<void> => {
  await writeGold(db, datasetNo, changes, author)
  await pipeline(listChanges(db, datasetNo, author.actor, new Set(changes.map(({ seq }) => seq))))
}

/** For each record, the version of its final answers that came before the given version. */
const replacedVersions = async (
  db: Db,
  datasetNo: number,
  golds: readonly (readonly [number, StoredGold])[],
): Promise<ReadonlyMap<number, StoredGold>> => {
  const versions = new Map(golds.map(([seq, { version }]) => [seq, version - 1]))
  const earlier = await earlierVersions<StoredGold>(db, datasetNo, [...versions.keys()], 'gold')
  return new Map(
    earlier.filter(({ seq, version }) => versions.get(seq) === version.version).map(({ seq, version }) => [seq, version]),
  )
}

const undoRecords = async (db: Db, { dataset, records, golds, author }: Step, jobId: string): Promise<Filled> => {
  const ids = new Map(records.map(({ seq, id }) => [seq, id]))
  const ofJob = [...golds].filter(([seq, { last_mutation_id }]) => ids.has(seq) && last_mutation_id === jobId)
  const earlier = await replacedVersions(db, dataset.no, ofJob)
  const changes = ofJob.map(([seq, before]): GoldChange => {
    const { values = {}, final = false, basis = '' } = earlier.get(seq) ?? {}
    return { seq, record_id: before.record_id, before, values, final, basis }
  })
  await storeChanges(db, dataset.no, changes, author)
  return { stored: changes.length, undecided: 0, kept: records.length - changes.length }
}

/** Processes one part of a job. @param input what the model has computed for this part; null for a rule without a model */
const runPart = async (db: Db, job: Job, input: ModelInput | null): Promise<StepOutcome> => {
  // The arguments were written by the command that started the job, or by an earlier call of this function.
  const { part, filling, gold } = job.args as FillArgs
  if (input !== null && 'failed' in input) return { finished: false, failed: input.failed }
  const user = await starterOf(db, job.user_id)
  if (user === null) return { finished: false, failed: message('assignerGone') }
  const dataset = job.dataset_no === null ? null : await datasetScopeAt(db, job.dataset_no, user, { hold: true })
  if (dataset === null) return { finished: false, failed: message('datasetGone') }
  if (!reviewPolicy.fill(user, dataset)) return { finished: false, failed: message('reviewerForbidden') }
  const seqs = await recordsOfPart(db, job.id, part)
  if (seqs === null) return { finished: true }
  const records = await lockRecords(db, dataset.no, seqs)
  const golds = await goldOfRecords(db, dataset.no, seqs)
  const step = { dataset, records, golds, author: { actor: user.id, mutationId: job.id, at: now() } }
  const filled =
    filling.do === 'undo'
      ? await undoRecords(db, step, filling.job)
      : await fillRecords(db, step, filling, input === null ? byAgreement(filling.rule) : byModel(filling.rule, input))
  const counts = {
    stored: gold.stored + filled.stored,
    undecided: gold.undecided + filled.undecided,
    kept: gold.kept + filled.kept,
    gone: gold.gone + seqs.length - records.length,
  }
  const done = job.done + seqs.length
  const args: FillArgs = { part: part + 1, filling, gold: counts, ...(input !== null && { models: input.models }) }
  return { finished: done >= (job.total ?? 0), args, done }
}

/**
 * Stores final answers: for each question, the answer that all or most annotators have given. A job of this kind can also undo an
 * earlier job. Each step processes one part.
 */
export const fillGold = jobKind('gold.fill', (db, job) => runPart(db, job, null))

/** Stores final answers that a model computes from all submitted answers in the dataset. Each step processes one part. */
export const fillGoldByModel = jobKind<ModelInput>('gold.model', runPart, {
  remote: true,
  prepare: prepareModelInput,
  ended: (_ctx, id) => forgetModels(id),
})
