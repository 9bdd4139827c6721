import { z } from 'zod'
import { AnswerValues } from './answer-value.ts'
import { fileTypes } from './files/files.ts'
import { Job } from './jobs.ts'
import { ResponseStatus } from './responses.ts'
import { SearchBody } from './search.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { int, itemsOf, printedDatetime, text } from './wire/scalars.ts'

/** One set of values for every record that a search finds. */
export const BulkAnswer = z.object({
  search: SearchBody,
  /** Answers at most this number of records, in search order. If it is omitted, all records are answered. */
  limit: int({ ge: 1 }).nullish(),
  status: ResponseStatus,
  values: AnswerValues.nullish().transform((values) => values ?? {}),
  /**
   * Questions whose value is taken from each record: from the caller's answer or, if there is no answer, from the suggestion.
   * If that value is missing or invalid, `values` applies.
   */
  own_questions: z
    .array(text({ keep: false }))
    .max(1000)
    .nullish()
    .transform((names) => names ?? []),
  /**
   * Questions of `own_questions` whose suggestions must not be used. If the value would come from the suggestion, the record gets
   * no value for the question. If the question is also required, the record isn't answered.
   */
  skip_suggestions: z
    .array(text({ keep: false }))
    .max(1000)
    .nullish()
    .transform((names) => names ?? []),
})
export type BulkAnswer = z.infer<typeof BulkAnswer>
/** The input type, before defaults are applied. */
export type BulkAnswerInput = z.input<typeof BulkAnswer>

/** A job of the caller that answers records or undoes another job. */
export const BulkAnswerJob = z.strictObject({
  job: Job,
  /** The status of the answers. For an undo job: the status of the answers that it undoes. */
  status: ResponseStatus,
  /** The job that this one undoes. Null for a job that answers records. */
  undoes: z.string().nullable(),
  inserted_at: printedDatetime(),
})
export type BulkAnswerJob = z.infer<typeof BulkAnswerJob>

/** `waiting`: not processed yet, or never processed because the job ended first. */
export const recordOutcomes = ['stored', 'invalid', 'changed', 'gone', 'waiting'] as const
export type RecordOutcome = (typeof recordOutcomes)[number]

const path = '/me/datasets/:dataset_id/responses/bulk-jobs'

export const startBulkAnswer = defineEndpoint({
  id: 'bulk_answers.start',
  method: 'POST',
  path,
  body: BulkAnswer,
  status: 202,
  result: Job,
  errors: [403, 404],
  addition: true,
  summary: 'Start a job that answers every record that a search finds',
})
export const listBulkAnswers = defineEndpoint({
  id: 'bulk_answers.list',
  method: 'GET',
  path,
  result: itemsOf(BulkAnswerJob),
  errors: [403, 404],
  addition: true,
  summary: "List the caller's latest bulk answer jobs in a dataset, newest first",
})
export const bulkAnswerReport = defineEndpoint({
  id: 'bulk_answers.report',
  method: 'GET',
  path: `${path}/:job_id/report`,
  query: z.object({ format: z.enum(['jsonl', 'csv']).default('jsonl') }),
  media: [fileTypes.jsonl.contentType, fileTypes.csv.contentType],
  status: 200,
  errors: [403, 404],
  addition: true,
  summary: 'Download the outcome for each record as a file',
})

export const undoBulkAnswer = defineEndpoint({
  id: 'bulk_answers.undo',
  method: 'POST',
  path: `${path}/:job_id/undo`,
  status: 202,
  result: Job,
  errors: [403, 404, 422],
  addition: true,
  summary: "Start a job that undoes one of the caller's bulk answer jobs, record by record",
})

export const bulkAnswerEndpoints = [startBulkAnswer, listBulkAnswers, bulkAnswerReport, undoBulkAnswer] as const
