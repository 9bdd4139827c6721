import { z } from 'zod'
import { ForeignAnnotator } from './files/foreign-formats.ts'
import { hubTokenForm } from './files/hub-token.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { ReasonPart } from './wire/reason-part.ts'
import { boolOr, itemsOf, printedDatetime, printedUuid, text } from './wire/scalars.ts'

export const JobStatus = z.enum(['queued', 'started', 'finished', 'failed', 'deferred', 'scheduled', 'stopped', 'canceled'])
export type JobStatus = z.infer<typeof JobStatus>
/**
 * Counts of the annotations that an import was meant to store as answers:
 * - `kept`: the user had already answered the record, and that answer stays.
 * - `invalid`: the annotations break a rule of the dataset.
 * - `left_out`: no user was chosen for the annotations.
 * - `unmapped`: the mapping doesn't name the annotators. Their annotations became suggestions.
 *
 * `unmapped_annotators` lists people whom the mapping doesn't name: annotators and authors of comments. It contains the first
 * 100, in the order of the file.
 */
export const ImportedAnswers = z.strictObject({
  stored: z.int(),
  kept: z.int(),
  invalid: z.int(),
  left_out: z.int(),
  unmapped: z.int(),
  unmapped_annotators: z.array(ForeignAnnotator).exactOptional(),
})
export type ImportedAnswers = z.infer<typeof ImportedAnswers>
/**
 * The numbers of comments in the rows of an import, by outcome.
 * - `kept`: The same user already has the same comment on the record.
 * - `invalid`: The comment is too long, or the record has too many comments.
 * - `left_out`: No user was chosen for the comment's author.
 */
export const ImportedComments = z.strictObject({ stored: z.int(), kept: z.int(), invalid: z.int(), left_out: z.int() })
export type ImportedComments = z.infer<typeof ImportedComments>
/**
 * Outcomes of an import, in rows. `failed` counts the rows that were rejected. `later_columns` lists at most 100 columns that
 * were not imported. These columns first appear after the rows that the preview read, and the mapping does not read them.
 * `answers` is present if the mapping names annotators, and `comments` if rows have comments.
 */
export const ImportCounts = z.strictObject({
  rows: z.int(),
  created: z.int(),
  updated: z.int(),
  failed: z.int(),
  later_columns: z.array(z.string()).exactOptional(),
  answers: ImportedAnswers.exactOptional(),
  comments: ImportedComments.exactOptional(),
})
/**
 * Outcomes of a bulk answer job. `changed`: the answer was changed after the job started. If the job requested more answers for
 * records, all counts are numbers of records. In this case, `invalid` counts the records that can't need more answers, and
 * `moved` counts the records whose status changes.
 */
export const AnswerCounts = z.strictObject({
  stored: z.int(),
  invalid: z.int(),
  changed: z.int(),
  gone: z.int(),
  moved: z.int().exactOptional(),
})
export type AnswerCounts = z.infer<typeof AnswerCounts>
/**
 * Outcomes of a change to assignments, as numbers of records.
 * - `unchanged`: the record already had these assignments, or the assignee no longer needs to answer it.
 * - `changed`: an undo skipped the record because its assignments have changed since.
 */
export const AssignmentCounts = z.strictObject({ stored: z.int(), unchanged: z.int(), changed: z.int(), gone: z.int() })
export type AssignmentCounts = z.infer<typeof AssignmentCounts>
/**
 * `kept` counts records that got an answer after the request, and are therefore not deleted. `gone` counts records that were
 * already deleted.
 */
export const DeletionCounts = z.strictObject({ deleted: z.int(), kept: z.int(), gone: z.int() })
export type DeletionCounts = z.infer<typeof DeletionCounts>
/**
 * Counts of records for a job that stores final answers. `undecided`: the job's rule decides none of the record's open questions.
 * `kept`: the record was reviewed already. `gone`: the record was deleted.
 */
export const GoldCounts = z.strictObject({ stored: z.int(), undecided: z.int(), kept: z.int(), gone: z.int() })
export type GoldCounts = z.infer<typeof GoldCounts>
/** What a job with the rule `dawid_skene` or `mace` has computed from all submitted answers to a question. */
export const GoldModel = z.strictObject({
  question: z.string(),
  records: z.int(),
  answers: z.int(),
  /** The mean entropy of the records' answers in nats. 0 if the model is certain of all of them. Null if there are no answers. */
  entropy: z.number().nullable(),
  /** In descending order of their number of answers. */
  annotators: z.array(
    z.strictObject({
      user_id: printedUuid(),
      /** Null for deleted users. */
      username: z.string().nullable(),
      answers: z.int(),
      /** The expected share of correct answers, from 0 to 1. */
      accuracy: z.number(),
    }),
  ),
  /** The number of annotators who are not listed in `annotators`. Those who gave the most answers are listed. */
  annotators_left_out: z.int(),
})
export type GoldModel = z.infer<typeof GoldModel>
/**
 * What a label change has changed so far.
 * - `due`: the number of answers that were returned to their authors because a label was split
 * - `gold`: the number of records whose final answers were changed
 * - `kept`: the number of answers that a revert didn't restore because they had changed after the label change
 * - `kept_records`: the records of these answers, at most 200
 */
export const RelabelCounts = z.strictObject({
  answers: z.int(),
  due: z.int(),
  suggestions: z.int(),
  gold: z.int(),
  kept: z.int(),
  kept_records: z.array(printedUuid()),
})
export type RelabelCounts = z.infer<typeof RelabelCounts>
/**
 * Counts of records for a job that publishes a model run or undoes the publication. `unchanged`: nothing had to change, for
 * example because the record already had these suggestions. `changed`: the record's suggestions have changed since the
 * publication, so an undo leaves them alone. `invalid`: the answers no longer fit the record. `gone`: the record was deleted.
 */
export const PublishCounts = z.strictObject({
  stored: z.int(),
  unchanged: z.int(),
  changed: z.int(),
  invalid: z.int(),
  gone: z.int(),
})
export type PublishCounts = z.infer<typeof PublishCounts>
/** `done` and `total` are in the unit of the job: records, or bytes of a file. */
export const Job = z.strictObject({
  id: z.string(),
  status: JobStatus,
  done: z.int().exactOptional(),
  total: z.int().nullable().exactOptional(),
  reason: z.string().nullable().exactOptional(),
  /** `reason` as codes. Empty if the reason has no code. */
  reason_parts: z.array(ReasonPart).exactOptional(),
  import: ImportCounts.exactOptional(),
  answers: AnswerCounts.exactOptional(),
  assignments: AssignmentCounts.exactOptional(),
  deletions: DeletionCounts.exactOptional(),
  gold: GoldCounts.exactOptional(),
  gold_models: z.array(GoldModel).exactOptional(),
  relabeled: RelabelCounts.exactOptional(),
  published: PublishCounts.exactOptional(),
})
export type Job = z.infer<typeof Job>

/** A job with the details that the job lists show. */
export const ListedJob = z.strictObject({
  ...Job.shape,
  done: z.int(),
  total: z.int().nullable(),
  reason: z.string().nullable(),
  /** The type of work, for example `hub.import`. */
  kind: z.string(),
  /** The name of the file or of the Hub dataset. */
  subject: z.string().nullable(),
  /** Null if the job has no dataset or the dataset was deleted. */
  dataset: z.strictObject({ id: printedUuid(), name: z.string() }).nullable(),
  /** The name of the job's dataset, even after the dataset was deleted. */
  dataset_name: z.string().nullable(),
  /** The user who started the job. Null for the server's own jobs and for deleted users. */
  user: z.strictObject({ id: printedUuid(), username: z.string() }).nullable(),
  cancelable: z.boolean(),
  inserted_at: printedDatetime(),
  updated_at: printedDatetime(),
})
export type ListedJob = z.infer<typeof ListedJob>

export const listJobs = defineEndpoint({
  id: 'jobs.list',
  method: 'GET',
  path: '/jobs',
  query: z.object({ status: JobStatus.optional() }),
  result: itemsOf(ListedJob),
  errors: [403],
  addition: true,
  summary: 'List recent jobs, newest first; at most 500',
})

export const listMyJobs = defineEndpoint({
  id: 'jobs.list-mine',
  method: 'GET',
  path: '/me/jobs',
  result: itemsOf(ListedJob),
  errors: [],
  addition: true,
  summary: 'List the recent jobs that the caller started, newest first; at most 20',
})

const ColumnMapping = z.object({ source: text(), target: text() })
/**
 * `separator`: what separates several labels in one cell. `option`: the label that a row gets if the column is 1 or true. Several
 * columns with an `option` can fill one question. `score`: the column with the score of the suggestion.
 */
const SuggestionMapping = ColumnMapping.extend({
  separator: text({ min: 1, max: 3 }).nullish(),
  option: text({ min: 1 }).nullish(),
  score: text().nullish(),
})
export type SuggestionMapping = z.infer<typeof SuggestionMapping>

const listOf = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((list) => list ?? [])

/** Which columns map to which parts of a record. */
export const Mapping = z.object({
  fields: z.array(ColumnMapping).min(1),
  metadata: listOf(ColumnMapping),
  suggestions: listOf(SuggestionMapping),
  external_id: text().nullish(),
})
export type Mapping = z.infer<typeof Mapping>

/** Trimmed, because a copied token often has whitespace around it. */
const hubToken = () => text({ min: 1, trim: true, pattern: hubTokenForm })

export const HubImport = z.object({
  name: text(),
  subset: text(),
  split: text(),
  mapping: Mapping,
  /** A token for datasets that aren't public. If it is omitted, the server's own token is used. */
  token: hubToken().nullish(),
})
export type HubImport = z.infer<typeof HubImport>

const orDefault = (fallback: string) =>
  text({ min: 1 })
    .nullish()
    .transform((value) => value ?? fallback)

export const HubExport = z.object({
  name: text({ min: 1 }),
  subset: orDefault('default'),
  split: orDefault('train'),
  private: boolOr(false),
  token: hubToken(),
})
export type HubExport = z.infer<typeof HubExport>

export const getJob = defineEndpoint({
  id: 'jobs.get',
  method: 'GET',
  path: '/jobs/:job_id',
  params: { job_id: text({ keep: false }) },
  result: Job,
  errors: [403, 404],
  summary: 'Get the state of a background job',
})
export const cancelJob = defineEndpoint({
  id: 'jobs.cancel',
  method: 'POST',
  path: '/jobs/:job_id/cancel',
  params: { job_id: text({ keep: false }) },
  result: Job,
  errors: [403, 404],
  addition: true,
  summary: 'Cancel a job; what it has already written is kept',
})
export const importDataset = defineEndpoint({
  id: 'hub.import',
  method: 'POST',
  path: '/datasets/:dataset_id/import',
  body: HubImport,
  status: 202,
  result: Job,
  errors: [403, 404, 429],
  summary: 'Import records from a Hub dataset',
})
export const exportDataset = defineEndpoint({
  id: 'hub.export',
  method: 'POST',
  path: '/datasets/:dataset_id/export',
  body: HubExport,
  status: 202,
  result: Job,
  errors: [403, 404, 429],
  summary: 'Export a dataset to the Hub',
})

export const jobEndpoints = [listJobs, listMyJobs, getJob, cancelJob, importDataset, exportDataset] as const
