import { z } from 'zod'
import { AnswerValue } from './answer-value.ts'
import { ConditionSchema } from './condition-rules.ts'
import { guidelines } from './datasets.ts'
import { Author } from './gold.ts'
import { Job } from './jobs.ts'
import { labelChanges, Option } from './question-types/options.ts'
import { description } from './questions.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { ReasonPart } from './wire/reason-part.ts'
import { int, itemsOf, printedDatetime, printedUuid, text, uuid } from './wire/scalars.ts'
import { tagged } from './wire/tagged.ts'

export const maxSchemaChanges = 500
export const maxSchemaNoteLength = 2000

const label = () => text({ min: 1 })
const ofQuestion = { question_id: uuid() }

/** A label's new value, and the text that people see. */
const name = { value: text({ min: 1, max: 200 }), text: text({ min: 1, max: 500 }) }

const labelChangeKinds = [
  z.object({ type: z.literal('rename_label'), ...ofQuestion, label: label(), ...name }),
  z.object({
    type: z.literal('merge_labels'),
    ...ofQuestion,
    labels: z.array(label()).min(1).max(maxSchemaChanges),
    into: label(),
  }),
  /**
   * Retires the label, and returns submitted answers that contain it to their authors. Labels in `into` that don't exist are
   * added.
   */
  z.object({
    type: z.literal('split_label'),
    ...ofQuestion,
    label: label(),
    into: z
      .array(z.object({ ...name, description: text({ min: 1, max: 1000 }).nullish() }))
      .min(2)
      .max(maxSchemaChanges),
  }),
  /** The label stays valid, but it is no longer offered. */
  z.object({ type: z.literal('retire_label'), ...ofQuestion, label: label() }),
  /** Offers a retired label again. */
  z.object({ type: z.literal('restore_label'), ...ofQuestion, label: label() }),
  z.object({
    type: z.literal('add_label'),
    ...ofQuestion,
    ...name,
    description: text({ min: 1, max: 1000 }).nullish(),
    /** The label above the new one in the tree of labels. */
    parent: label().nullish(),
  }),
  /** All labels of the question in their new order. */
  z.object({ type: z.literal('reorder'), ...ofQuestion, labels: z.array(label()).min(1).max(maxSchemaChanges) }),
] as const
/** One change to the labels of a question. Changes build on the changes before them. */
export const LabelChange = tagged('type', labelChangeKinds)
export type LabelChange = z.output<typeof LabelChange>
export type LabelChangeInput = z.input<typeof LabelChange>

/** A change to the guidelines or to the description of a question. Null removes the text. */
const textChangeKinds = [
  z.object({ type: z.literal('edit_guidelines'), text: guidelines.nullable() }),
  z.object({ type: z.literal('edit_description'), ...ofQuestion, text: description.nullable() }),
] as const
export const TextChange = tagged('type', textChangeKinds)
export type TextChange = z.output<typeof TextChange>
export const SchemaChange = tagged('type', [...labelChangeKinds, ...textChangeKinds])
export type SchemaChange = z.output<typeof SchemaChange>
export type SchemaChangeInput = z.input<typeof SchemaChange>

export const SchemaPlanBody = z.object({ changes: z.array(SchemaChange).min(1).max(maxSchemaChanges) })

export const SchemaApplyBody = z.object({
  /** The token of the plan. */
  token: text({ keep: false }),
  note: text({ max: maxSchemaNoteLength }).nullish(),
})

/**
 * How many rows contain one of the changed labels. `answers` counts answers with any status. `due` counts submitted answers that
 * would be returned to their authors. `gold` counts records with final answers. `runs` counts the model runs that ask a question
 * whose labels change.
 */
export const AffectedCounts = z.strictObject({
  answers: z.int(),
  due: z.int(),
  suggestions: z.int(),
  gold: z.int(),
  views: z.int(),
  runs: z.int(),
})
export type AffectedCounts = z.infer<typeof AffectedCounts>

const conditionChange = {
  question_id: printedUuid(),
  before: ConditionSchema.nullable(),
  after: ConditionSchema.nullable(),
}

export const SchemaPlan = z.strictObject({
  /** The token with which the plan can be applied. Null if a change is refused. */
  token: z.string().nullable(),
  affected: AffectedCounts,
  /** Some of the affected answers. `after` equals `before` for labels that are only retired. */
  examples: z.array(
    z.strictObject({
      record_id: printedUuid(),
      user: Author,
      question_id: printedUuid(),
      before: AnswerValue,
      after: AnswerValue,
    }),
  ),
  /** The conditions that refer to changed labels. If the plan is applied, these conditions get the new labels. */
  conditions: z.array(z.strictObject(conditionChange)),
  /** The changes that can't be made. `change` is the position of the change in the request. */
  refused: z.array(z.strictObject({ change: z.int(), reason: z.string(), reason_parts: z.array(ReasonPart) })),
})
export type SchemaPlan = z.infer<typeof SchemaPlan>

/**
 * A change as it is recorded: an applied label change, a PATCH request that edits the texts or the order, or the revert of a
 * version. The texts of guidelines and descriptions are left out, because they are long.
 */
const RecordedChange = z.union([
  LabelChange,
  z.strictObject({ type: z.literal('edit_guidelines') }),
  z.strictObject({ type: z.literal('edit_description'), question_id: printedUuid() }),
  z.strictObject({ type: z.literal('edit_options'), question_id: printedUuid() }),
  /** A question that was added to the published dataset. */
  z.strictObject({ type: z.literal('add_question'), question_id: printedUuid() }),
  /** A condition that was set, changed or removed, or that refers to changed labels. */
  z.strictObject({ type: z.literal('edit_condition'), ...conditionChange }),
  z.strictObject({ type: z.literal('revert'), no: z.int() }),
])
export type RecordedChange = z.infer<typeof RecordedChange>

/** The labels of a question at a point in time. */
export const LabelsSnapshot = z.strictObject({ options: z.array(Option), ...labelChanges })
export type LabelsSnapshot = z.infer<typeof LabelsSnapshot>

export const SchemaVersion = z.strictObject({
  /** Starts at 1 in each dataset. */
  no: z.int(),
  at: printedDatetime(),
  /** Null if the user no longer exists. */
  user: Author.nullable(),
  note: z.string().nullable(),
  changes: z.array(RecordedChange),
  questions: z.array(z.strictObject({ question_id: printedUuid(), before: LabelsSnapshot, after: LabelsSnapshot })),
  /** The job that changes stored answers. Null if there are none to change, or if the server no longer has this job. */
  job: Job.nullable(),
  /** Whether the version can be reverted. This is possible until something else changes the labels that the version changed. */
  revertible: z.boolean(),
})
export type SchemaVersion = z.infer<typeof SchemaVersion>

const textsBeforeAndAfter = { before: z.string().nullable(), after: z.string().nullable() }
const changedTexts = {
  /** Null if they are the same. */
  guidelines: z.strictObject(textsBeforeAndAfter).nullable(),
  /** The descriptions that have changed. */
  descriptions: z.array(z.strictObject({ question_id: printedUuid(), ...textsBeforeAndAfter })),
}

/** The texts and labels that a version changed. Contains their old and new state. */
export const SchemaDiff = z.strictObject({
  no: z.int(),
  ...changedTexts,
  questions: z.array(z.strictObject({ question_id: printedUuid(), before: LabelsSnapshot, after: LabelsSnapshot })),
})
export type SchemaDiff = z.infer<typeof SchemaDiff>

/** How the guidelines and descriptions have changed since a person last saw them. */
export const TextChanges = z.strictObject({
  /** The newest version that changed one of these texts. */
  version: z.int(),
  at: printedDatetime(),
  ...changedTexts,
})
export type TextChanges = z.infer<typeof TextChanges>

const ofDataset = '/datasets/:dataset_id/'

export const listSchemaVersions = defineEndpoint({
  id: 'schema_versions.list',
  method: 'GET',
  path: `${ofDataset}schema-versions`,
  result: itemsOf(SchemaVersion),
  errors: [403, 404],
  addition: true,
  summary: 'List the changes to labels and texts, newest first; at most 200',
})
export const getSchemaDiff = defineEndpoint({
  id: 'schema_versions.diff',
  method: 'GET',
  path: `${ofDataset}schema-versions/:version_no/diff`,
  params: { version_no: text({ keep: false }) },
  result: SchemaDiff,
  errors: [403, 404],
  addition: true,
  summary: 'Get the labels and texts before and after a version',
})
export const getSeenTexts = defineEndpoint({
  id: 'schema_versions.seen',
  method: 'GET',
  path: '/me/datasets/:dataset_id/seen-version',
  result: z.strictObject({ text_changes: TextChanges.nullable() }),
  errors: [403, 404],
  addition: true,
  summary: 'Get the changes to the guidelines and descriptions since the version that the caller has seen',
})
export const putSeenTexts = defineEndpoint({
  id: 'schema_versions.see',
  method: 'PUT',
  path: '/me/datasets/:dataset_id/seen-version',
  body: z.object({ version: int({ ge: 0 }) }),
  result: z.strictObject({ version: z.int() }),
  errors: [403, 404],
  addition: true,
  summary: 'Mark the guidelines and descriptions of a version as seen by the caller',
})
export const planSchema = defineEndpoint({
  id: 'schema_versions.plan',
  method: 'POST',
  path: `${ofDataset}schema/plan`,
  body: SchemaPlanBody,
  result: SchemaPlan,
  errors: [403, 404, 422],
  addition: true,
  summary: 'Count what a label change would affect, without changing anything',
})
export const applySchema = defineEndpoint({
  id: 'schema_versions.apply',
  method: 'POST',
  path: `${ofDataset}schema/apply`,
  body: SchemaApplyBody,
  status: 202,
  result: SchemaVersion,
  errors: [403, 404, 409, 422],
  addition: true,
  summary: 'Change labels as planned; a job changes the stored answers, suggestions and final answers',
})
export const revertSchema = defineEndpoint({
  id: 'schema_versions.revert',
  method: 'POST',
  path: `${ofDataset}schema/:version_no/revert`,
  params: { version_no: text({ keep: false }) },
  status: 202,
  result: SchemaVersion,
  errors: [403, 404, 409, 422],
  addition: true,
  summary: 'Revert a version: restore the labels from before it; answers that have changed since are kept',
})
export const resumeSchema = defineEndpoint({
  id: 'schema_versions.resume',
  method: 'POST',
  path: `${ofDataset}schema/:version_no/resume`,
  params: { version_no: text({ keep: false }) },
  status: 202,
  result: SchemaVersion,
  errors: [403, 404, 409],
  addition: true,
  summary: 'Continue the failed job of a version',
})

export const schemaVersionEndpoints = [
  listSchemaVersions,
  getSchemaDiff,
  getSeenTexts,
  putSeenTexts,
  planSchema,
  applySchema,
  revertSchema,
  resumeSchema,
] as const
