import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { isModelRule, type ModelRule } from '@postil/contract/gold-rules.ts'
import type { GoldModel } from '@postil/contract/jobs.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { type Categories, hasCategories, readCategories } from '#features/agreement/public.ts'
import {
  type Aggregated,
  aggregateInThread,
  type CategoricalAnswers,
  type GivenAnswer,
  isTooLarge,
  usernamesOf,
} from '#features/gold/public.ts'
import { questionRows } from '#features/schema/public.ts'
import { valueKey } from '#platform/db/keys/index-keys.ts'
import { query } from '#platform/db/operations.ts'
import type { JobContext, RemoteControl } from '#platform/jobs/kinds.ts'
import { recordsOfPart } from '../job-parts.ts'
import type { FillArgs } from './parts.ts'

/** Maximum number of annotators per question in a job's result. */
const MAX_ANNOTATORS = 100

type ModelDecision = {
  /** Null if no answer is probable enough, or if the most probable answer is no longer an option. */
  readonly value: AnswerValue | null
  /** The answers from which the model has computed the value: user IDs and keys of values. */
  readonly basis: readonly (readonly [user: string, value: string])[]
}
export type ModelDecisions = {
  /** By record and question. */
  readonly decisions: ReadonlyMap<number, { readonly [question: string]: ModelDecision }>
  /** Empty before the last part. */
  readonly models: readonly GoldModel[]
}
export type ModelInput = ModelDecisions | { readonly failed: Reason }

const keyOf = (value: unknown): string => valueKey(String(value))

/** Whether the model has seen exactly these answers. */
export const isBasedOn = ({ basis }: ModelDecision, given: readonly GivenAnswer[]): boolean => {
  const keys = new Map(basis)
  return keys.size === given.length && given.every(({ user_id, value }) => keys.get(user_id) === keyOf(value))
}

const findPart = query('review.model-part', async (db, { job_id }: { readonly job_id: string }) => {
  const job = await db.sql
    .selectFrom('jobs')
    .select(['dataset_no', 'args', 'done', 'total'])
    .where('id', '=', job_id)
    .executeTakeFirst()
  if (job === undefined || job.dataset_no === null) return null
  // The arguments were written by the starting command or by a step.
  const { part, filling } = job.args as unknown as FillArgs
  const seqs = await recordsOfPart(db, job_id, part)
  if (filling.do !== 'fill' || seqs === null) return null
  return { datasetNo: job.dataset_no, filling, seqs, isLast: job.done + seqs.length >= (job.total ?? 0) }
})

type Source = Categories & { readonly question: string; readonly options: readonly (string | number)[] }
type Sources = { readonly questions: readonly Source[]; readonly usernames: ReadonlyMap<string, string> }

/** Reads all submitted answers to the questions with categories. Slow. */
const readSources = query(
  'review.model-answers',
  async (
    db,
    { dataset_no, names }: { readonly dataset_no: number; readonly names: readonly string[] | null },
  ): Promise<Sources> => {
    const dataset = await db.sql.selectFrom('datasets').select('id').where('no', '=', dataset_no).executeTakeFirst()
    if (dataset === undefined) return { questions: [], usernames: new Map() }
    const all = await questionRows(db, dataset.id)
    const wanted = all.filter((one) => hasCategories(one) && (names === null || names.includes(one.name)))
    const found = await readCategories(db, dataset_no, wanted)
    const questions = found.map((categories, i) => {
      const { name, settings } = wanted[i]!
      const { options } = settings as { readonly options: readonly { readonly value: string | number }[] }
      return { ...categories, question: name, options: options.map(({ value }) => value) }
    })
    return { questions, usernames: await usernamesOf(db, questions[0]?.users ?? []) }
  },
)

/** Returns the distinct numbers in ascending order, and the index of each given number in that list. */
const numbered = (numbers: Uint32Array): { readonly used: readonly number[]; readonly indexes: Int32Array } => {
  const used = [...new Set(numbers)].sort((a, b) => a - b)
  const indexOf = new Map(used.map((one, i) => [one, i]))
  return { used, indexes: Int32Array.from(numbers, (one) => indexOf.get(one)!) }
}

/** What a model has computed for a question. */
type Fit = {
  readonly source: Source
  /** The value of each of the model's labels. The model refers to a label by its index in this list. */
  readonly labels: readonly (string | number)[]
  readonly found: Aggregated
  readonly summary: GoldModel
}

type Prepared = {
  readonly source: Source
  readonly raters: readonly number[]
  readonly labels: readonly number[]
  readonly answers: CategoricalAnswers
}

/** Leaves out labels and annotators without answers. */
const prepareAnswers = (source: Source): Prepared => {
  const { starts, raters, values } = source.answers
  const itemCount = source.seqs.length
  const items = new Int32Array(values.length)
  for (let item = 0; item < itemCount; item += 1) items.fill(item, starts[item], starts[item + 1])
  const [annotators, labels] = [numbered(raters), numbered(values)]
  const counts = { itemCount, annotatorCount: annotators.used.length, labelCount: labels.used.length }
  return {
    source,
    raters: annotators.used,
    labels: labels.used,
    answers: { items, annotators: annotators.indexes, labels: labels.indexes, ...counts },
  }
}

const fitOf = ({ source, raters, labels, answers }: Prepared, found: Aggregated, { usernames }: Sources): Fit => {
  const counts = new Int32Array(raters.length)
  for (const annotator of answers.annotators) counts[annotator]! += 1
  const annotators = raters
    .map((rater, i) => {
      const user_id = source.users[rater]!
      return { user_id, username: usernames.get(user_id) ?? null, answers: counts[i]!, accuracy: found.accuracy[i]! }
    })
    .sort((a, b) => b.answers - a.answers || (a.user_id < b.user_id ? -1 : 1))
  const summary: GoldModel = {
    question: source.question,
    records: answers.itemCount,
    answers: answers.items.length,
    entropy: answers.itemCount === 0 ? null : found.entropy.reduce((sum, one) => sum + one, 0) / answers.itemCount,
    annotators: annotators.slice(0, MAX_ANNOTATORS),
    annotators_left_out: Math.max(0, annotators.length - MAX_ANNOTATORS),
  }
  return { source, labels: labels.map((label) => source.values[label]!), found, summary }
}

type Models = readonly Fit[] | { readonly failed: Reason }

const computeModels = async (
  { store }: JobContext,
  { rule, ...of }: { readonly rule: ModelRule; readonly dataset_no: number; readonly names: readonly string[] | null },
  signal: AbortSignal | undefined,
): Promise<Models> => {
  const sources = await store.read(readSources, of, { lane: 'slow' })
  const prepared = sources.questions.map(prepareAnswers)
  const inputs = prepared.map(({ answers }) => ({ rule, answers }))
  if (inputs.some(isTooLarge)) return { failed: message('modelTooLarge') }
  const found = await aggregateInThread(inputs, signal)
  return prepared.map((one, i) => fitOf(one, found[i]!, sources))
}

/**
 * The models of the jobs that run in this process, keyed by job ID. If another process takes over a job, it computes the models
 * again from the answers at that time. It uses them for the rest of the records.
 */
const modelsOfJobs = new Map<string, Promise<Models>>()

export const forgetModels = async (jobId: string): Promise<void> => {
  modelsOfJobs.delete(jobId)
}

/** The position of a record in an ascending list, or -1. */
const positionOf = (seqs: Uint32Array, seq: number): number => {
  let [from, to] = [0, seqs.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (seqs[middle]! < seq) from = middle + 1
    else to = middle
  }
  return seqs[from] === seq ? from : -1
}

const decisionOf = ({ source, labels, found }: Fit, seq: number, share: number): ModelDecision | null => {
  const { users, values, options, answers, seqs } = source
  const item = positionOf(seqs, seq)
  if (item < 0) return null
  const label = found.labels[item]!
  const key = label >= 0 && found.probabilities[item]! > share ? keyOf(labels[label]) : null
  const basis: (readonly [string, string])[] = []
  for (let i = answers.starts[item]!; i < answers.starts[item + 1]!; i += 1)
    basis.push([users[answers.raters[i]!]!, keyOf(values[answers.values[i]!])])
  return { value: options.find((option) => keyOf(option) === key) ?? null, basis }
}

/** Computes the decisions for the next part of a job. The models are computed before the first part. */
export const prepareModelInput = async (ctx: JobContext, id: string, control?: RemoteControl): Promise<ModelInput> => {
  const found = await ctx.store.read(findPart, { job_id: id })
  if (found === null) return { decisions: new Map(), models: [] }
  const { datasetNo, filling, seqs, isLast } = found
  const { rule, share } = filling.rule
  if (!isModelRule(rule)) throw new Error(`the rule ${rule} has no model`)
  const computing =
    modelsOfJobs.get(id) ?? computeModels(ctx, { rule, dataset_no: datasetNo, names: filling.questions }, control?.signal)
  modelsOfJobs.set(id, computing)
  // A failure is not cached, so that the job can be retried.
  const models = await computing.catch((error: unknown) => {
    modelsOfJobs.delete(id)
    throw error
  })
  if ('failed' in models) return models
  const decisions = new Map<number, { [question: string]: ModelDecision }>()
  for (const seq of seqs) {
    const found = models.flatMap((fit) => {
      const decision = decisionOf(fit, seq, share)
      return decision === null ? [] : [[fit.source.question, decision] as const]
    })
    decisions.set(seq, Object.fromEntries(found))
  }
  return { decisions, models: isLast ? models.map(({ summary }) => summary) : [] }
}
