import { z } from 'zod'
import { ConditionSchema } from './condition-rules.ts'
import { QuestionSettings, QuestionSettingsCreate, QuestionSettingsUpdate } from './question-types/index.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { defaultLimits, type Limits } from './wire/limits.ts'
import { patch } from './wire/patch.ts'
import { boolOr, itemsOf, printedDatetime, printedUuid, text } from './wire/scalars.ts'

export const Question = z.strictObject({
  id: printedUuid(),
  name: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  required: z.boolean(),
  settings: QuestionSettings,
  /**
   * The condition under which the question is shown. Omitted if the question is always shown, because Argilla's API doesn't have
   * this key.
   */
  shown_when: ConditionSchema.exactOptional(),
  dataset_id: printedUuid(),
  inserted_at: printedDatetime(),
  updated_at: printedDatetime(),
})
export type Question = z.infer<typeof Question>

const title = text({ min: 1, max: 500 })
export const description = text({ min: 1, max: 1000 })

export const QuestionCreate = (limits: Limits) =>
  z.object({
    name: text({ min: 1, max: 200 }),
    title,
    description: description.nullish(),
    required: boolOr(false),
    settings: QuestionSettingsCreate(limits),
    shown_when: ConditionSchema.nullish(),
    /** Whether to add the question even if the dataset is published. Such a question can't be required. */
    to_published: boolOr(false),
  })
export type QuestionCreate = z.output<ReturnType<typeof QuestionCreate>>

export const QuestionUpdate = patch({ title, settings: QuestionSettingsUpdate }, { description, shown_when: ConditionSchema })
export type QuestionUpdate = z.infer<typeof QuestionUpdate>

export const listQuestions = defineEndpoint({
  id: 'questions.list',
  method: 'GET',
  path: '/datasets/:dataset_id/questions',
  result: itemsOf(Question),
  errors: [403, 404],
  summary: 'List the questions of a dataset in creation order',
})
/** Takes the limits as a parameter because the operator sets how many options a question can have. */
export const createQuestionWith = (limits: Limits) =>
  defineEndpoint({
    id: 'questions.create',
    method: 'POST',
    path: '/datasets/:dataset_id/questions',
    body: QuestionCreate(limits),
    status: 201,
    result: Question,
    errors: [403, 404, 409],
    summary: 'Add a question to a draft dataset, or to a published one with `to_published`',
  })
export const createQuestion = createQuestionWith(defaultLimits)
export const updateQuestion = defineEndpoint({
  id: 'questions.update',
  method: 'PATCH',
  path: '/questions/:question_id',
  body: QuestionUpdate,
  result: Question,
  errors: [403, 404],
  summary: 'Update the title, description, settings or condition of a question',
})
export const deleteQuestion = defineEndpoint({
  id: 'questions.delete',
  method: 'DELETE',
  path: '/questions/:question_id',
  result: Question,
  errors: [403, 404],
  summary: 'Delete a question of a draft dataset',
})

export const questionEndpoints = [listQuestions, createQuestion, updateQuestion, deleteQuestion] as const
