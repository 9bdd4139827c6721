import { z } from 'zod'
import { AnswerValue } from './answer-value.ts'
import { Author } from './gold.ts'
import { Job } from './jobs.ts'
import { SearchBody } from './search.ts'
import { SuggestionScore } from './suggestions.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { ReasonPart } from './wire/reason-part.ts'
import { bool, boolOr, float, int, itemsOf, printedDatetime, printedUuid, text, uuid } from './wire/scalars.ts'

export const maxRunRecords = 100_000
export const maxRationale = 2000
const maxPrompt = 20_000

/** How a model is asked about a record. */
const how = {
  connection_id: uuid(),
  /**
   * The name of the prompt. It also names the agent of the suggestions: `name/v1`, then `name/v2` when the model or the setup of
   * the prompt is different.
   */
  name: text({ min: 1, max: 150, pattern: /^(?=.*[a-zA-Z0-9])[a-zA-Z0-9\-_:. ]+$/ }),
  questions: z
    .array(text({ keep: false }))
    .min(1)
    .max(50),
  /** Contains `{{fields}}`, and any of `{{guidelines}}`, `{{questions}}` and `{{examples}}`. Null for the default prompt. */
  prompt: text({ min: 1, max: maxPrompt }).nullish(),
  /** How many reviewed records the prompt shows as examples. */
  examples: int({ ge: 0, le: 20 }).default(0),
  /** Whether to ask for the reasons of the answers. */
  rationale: boolOr(false),
  /** Null for the endpoint's default. */
  temperature: float({ ge: 0, le: 2 }).nullish(),
  max_tokens: int({ ge: 1, le: 100_000 }).default(1000),
  seed: int().nullish(),
  /** Whether to ask for the probabilities of tokens, which become scores. Not all endpoints support this. */
  logprobs: boolOr(false),
  /** Seconds until a request counts as failed. */
  timeout: int({ ge: 1, le: 600 }).default(60),
  /**
   * How many times the model is asked about each record. If it is asked more than once, a value's score is the share of samples
   * that have the value.
   */
  samples: int({ ge: 1, le: 10 }).default(1),
  /**
   * Whether each sample asks comparison questions a second time, with the contents of the two compared fields swapped. The score
   * of a comparison is then the share of all samples, in both orders, that have the chosen value.
   */
  both_orders: boolOr(false),
}

export const ModelRunCreate = z.object({
  ...how,
  /**
   * The run pauses when its cost reaches this amount, in the currency of the connection's prices. At most one request can push
   * the cost above this amount.
   */
  spend_cap: float({ gt: 0 }).nullish(),
  /** Null for all records. */
  search: SearchBody.nullish(),
  limit: int({ ge: 1, le: maxRunRecords }).nullish(),
  /** Whether to send only 20 of the records to the model, to estimate the cost. */
  dry_run: boolOr(false),
})
export type ModelRunCreate = z.infer<typeof ModelRunCreate>
export type ModelRunInput = z.input<typeof ModelRunCreate>

export const ModelPreviewBody = z.object({
  ...how,
  record_id: uuid(),
  /** Whether to ask the model. If false, only the prompt is shown. */
  ask: boolOr(false),
})
export type ModelPreviewBody = z.infer<typeof ModelPreviewBody>
export type ModelPreviewInput = z.input<typeof ModelPreviewBody>

/** The model's answers, keyed by question name. */
export const ModelValues = z.record(
  z.string(),
  z.strictObject({
    value: AnswerValue,
    score: SuggestionScore.nullable(),
    /** How many quotes in the answer don't occur in the record's text. */
    unmatched: z.int(),
    /**
     * The two values for a comparison that the model was asked about twice: first with the fields in the record's order, then
     * with the fields swapped. Both values refer to the fields by their names in the record.
     */
    orders: z.array(AnswerValue).length(2).exactOptional(),
  }),
)
export type ModelValues = z.infer<typeof ModelValues>

const answered = {
  /** Null if there is no valid answer. */
  values: ModelValues.nullable(),
  rationale: z.string().nullable(),
  /** Why there is no valid answer. */
  reason: z.string().nullable(),
  reason_parts: z.array(ReasonPart),
  /**
   * The number of tokens used. If the endpoint doesn't report it for a request, for example after a timeout, the highest possible
   * number is counted.
   */
  input_tokens: z.int(),
  output_tokens: z.int(),
  ms: z.int(),
}

export const ModelPreview = z.strictObject({
  messages: z.array(z.strictObject({ role: z.enum(['system', 'user']), content: z.string() })),
  /** The answer as the model sent it. Null if the model was not asked or gave no answer. */
  answer: z.string().nullable(),
  ...answered,
})
export type ModelPreview = z.infer<typeof ModelPreview>

export const ModelRunItem = z.strictObject({ record_id: printedUuid(), ...answered })
export type ModelRunItem = z.infer<typeof ModelRunItem>

export const ModelRunState = z.enum(['running', 'paused', 'finished', 'canceled', 'failed'])
export type ModelRunState = z.infer<typeof ModelRunState>

export const ModelRun = z.strictObject({
  id: printedUuid(),
  /** Null if the connection was deleted. */
  connection: z.strictObject({ id: printedUuid(), name: z.string() }).nullable(),
  user: Author,
  name: z.string(),
  version: z.int(),
  /** The agent of the suggestions. */
  agent: z.string(),
  model: z.string(),
  questions: z.array(z.string()),
  prompt: z.string(),
  examples: z.int(),
  rationale: z.boolean(),
  temperature: z.number().nullable(),
  max_tokens: z.int(),
  seed: z.int().nullable(),
  logprobs: z.boolean(),
  timeout: z.int(),
  samples: z.int(),
  both_orders: z.boolean(),
  spend_cap: z.number().nullable(),
  dry_run: z.boolean(),
  state: ModelRunState,
  /** Why the run was paused or failed. */
  reason: z.string().nullable(),
  reason_parts: z.array(ReasonPart),
  /** How many records the run asks about. */
  total: z.int(),
  /** How many records match the search. In a dry run, this can be more than `total`. */
  found: z.int(),
  answered: z.int(),
  /** How many records have an error instead of an answer. */
  failed: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  /** Null if the connection has no prices. */
  cost: z.number().nullable(),
  /** The estimated tokens and cost for all records that were found, based on the average so far. Null before the first answer. */
  forecast: z.strictObject({ input_tokens: z.int(), output_tokens: z.int(), cost: z.number().nullable() }).nullable(),
  /** When the answers became suggestions. Null if they aren't suggestions, or no longer are. */
  published_at: printedDatetime().nullable(),
  /** The run's latest job: asking, publishing, or undoing. Null if the server no longer has this job. */
  job: Job.nullable(),
  inserted_at: printedDatetime(),
  updated_at: printedDatetime(),
})
export type ModelRun = z.infer<typeof ModelRun>

const ofDataset = '/datasets/:dataset_id/model-runs'
const one = '/model-runs/:run_id'

export const listModelRuns = defineEndpoint({
  id: 'model_runs.list',
  method: 'GET',
  path: ofDataset,
  result: itemsOf(ModelRun),
  errors: [403, 404],
  addition: true,
  summary: 'List the model runs of a dataset, newest first; at most 100',
})
export const startModelRun = defineEndpoint({
  id: 'model_runs.start',
  method: 'POST',
  path: ofDataset,
  body: ModelRunCreate,
  status: 202,
  result: ModelRun,
  errors: [403, 404, 422],
  addition: true,
  summary: 'Ask a model about records; nothing becomes a suggestion before the run is published',
})
export const previewModelRun = defineEndpoint({
  id: 'model_runs.preview',
  method: 'POST',
  path: `${ofDataset}/preview`,
  body: ModelPreviewBody,
  result: ModelPreview,
  errors: [403, 404, 422],
  addition: true,
  summary: 'Show the prompt for one record, and ask the model once if requested; nothing is stored',
})
export const getModelRun = defineEndpoint({
  id: 'model_runs.get',
  method: 'GET',
  path: one,
  result: ModelRun,
  errors: [403, 404],
  addition: true,
  summary: 'Get a model run with its progress',
})
export const listModelRunItems = defineEndpoint({
  id: 'model_runs.items',
  method: 'GET',
  path: `${one}/items`,
  query: z.object({
    /** If true, returns only records with an error. If false, returns only records with an answer. */
    failed: bool().optional(),
    offset: int({ ge: 0 }).default(0),
    limit: int({ ge: 1, le: 500 }).default(50),
  }),
  result: itemsOf(ModelRunItem),
  errors: [403, 404],
  addition: true,
  summary: 'List what the model answered, in record order',
})
export const resumeModelRun = defineEndpoint({
  id: 'model_runs.resume',
  method: 'POST',
  path: `${one}/resume`,
  body: z.object({
    /** A new cap. Omit it to keep the current one; null removes it. */
    spend_cap: float({ gt: 0 }).nullish(),
    /** Whether to ask again about the records that have an error. */
    retry_failed: boolOr(false),
  }),
  status: 202,
  result: ModelRun,
  errors: [403, 404, 422],
  addition: true,
  summary: 'Continue a run that has paused, failed or been canceled; answered records are not asked about again',
})
export const publishModelRun = defineEndpoint({
  id: 'model_runs.publish',
  method: 'POST',
  path: `${one}/publish`,
  status: 202,
  result: ModelRun,
  errors: [403, 404, 422],
  addition: true,
  summary: "Turn a run's answers into suggestions",
})
export const unpublishModelRun = defineEndpoint({
  id: 'model_runs.unpublish',
  method: 'POST',
  path: `${one}/unpublish`,
  status: 202,
  result: ModelRun,
  errors: [403, 404, 422],
  addition: true,
  summary: 'Restore the suggestions from before a run was published, except those that have changed since',
})
export const deleteModelRun = defineEndpoint({
  id: 'model_runs.delete',
  method: 'DELETE',
  path: one,
  result: ModelRun,
  errors: [403, 404, 422],
  addition: true,
  summary: 'Delete a run and its answers; published suggestions stay',
})

export const modelRunEndpoints = [
  listModelRuns,
  startModelRun,
  previewModelRun,
  getModelRun,
  listModelRunItems,
  resumeModelRun,
  publishModelRun,
  unpublishModelRun,
  deleteModelRun,
] as const
