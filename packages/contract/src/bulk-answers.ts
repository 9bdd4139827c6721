import { z } from 'zod'
import { AnswerValues } from './answer-value.ts'
import { fileTypes } from './files/files.ts'
import { Job } from './jobs.ts'
import { ResponseStatus } from './responses.ts'
import { SearchBody } from './search.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { int, itemsOf, printedDatetime, text } from './wire/scalars.ts'

/** One set of answers for every record that a search finds. */
export const BulkAnswer = z.object({
  search: SearchBody,
  /** At most so many, in the order of the search; left out: all of them. */
  limit: int({ ge: 1 }).nullish(),
  status: ResponseStatus,
  values: AnswerValues.nullish().transform((values) => values ?? {}),
  /** Questions that each record answers for itself: by the caller's answer to it, by what is suggested where there is none yet, and where that says nothing by `values`. */
  own_questions: z
    .array(text({ keep: false }))
    .max(1000)
    .nullish()
    .transform((names) => names ?? []),
})
export type BulkAnswer = z.infer<typeof BulkAnswer>
/** As clients write it, before defaults. */
export type BulkAnswerInput = z.input<typeof BulkAnswer>

/** A job of the caller that answers records, or takes back what another one did. */
export const BulkAnswerJob = z.strictObject({
  job: Job,
  /** What the answers are given as; of a job that takes back, what they were given as. */
  status: ResponseStatus,
  /** The job whose answers it takes back; null for one that answers. */
  undoes: z.string().nullable(),
  inserted_at: printedDatetime(),
})
export type BulkAnswerJob = z.infer<typeof BulkAnswerJob>

/** `waiting`: its turn has not come, or never will where the job has ended. */
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
  summary: "Answer every record that a search by the caller's responses finds, in the background",
})
export const listBulkAnswers = defineEndpoint({
  id: 'bulk_answers.list',
  method: 'GET',
  path,
  result: itemsOf(BulkAnswerJob),
  errors: [403, 404],
  addition: true,
  summary: "The caller's last jobs that answer records of a dataset, newest first",
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
  summary: 'What became of each record, as a file',
})

export const undoBulkAnswer = defineEndpoint({
  id: 'bulk_answers.undo',
  method: 'POST',
  path: `${path}/:job_id/undo`,
  status: 202,
  result: Job,
  errors: [403, 404, 422],
  addition: true,
  summary: 'Take back what a job of the caller has answered, record by record, in the background',
})

export const bulkAnswerEndpoints = [startBulkAnswer, listBulkAnswers, bulkAnswerReport, undoBulkAnswer] as const
