import { defaultPrompt, promptParts } from '@postil/contract/model-prompt.ts'
import type { ModelPreviewBody, ModelRunCreate, ModelValues } from '@postil/contract/model-runs.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { QuestionRow } from '#features/schema/public.ts'

/** The settings with which a run asks the model. Runs with the same name, model and setup have the same version. */
export type RunSetup = {
  readonly questions: readonly string[]
  readonly prompt: string
  readonly examples: number
  readonly rationale: boolean
  readonly temperature: number | null
  readonly max_tokens: number
  readonly seed: number | null
  readonly logprobs: boolean
  readonly timeout: number
  readonly samples: number
  /**
   * Omitted unless the run asks about comparisons in both orders. Older runs were stored without this key. Because it is omitted,
   * new runs with the same setup have the same version as those older runs.
   */
  readonly both_orders?: true
}

/** The part of an answer that is stored: the values by question name. */
export type StoredResults = ModelValues

export const setupOf = (body: ModelRunCreate | ModelPreviewBody): RunSetup => ({
  questions: body.questions,
  prompt: body.prompt ?? defaultPrompt,
  examples: body.examples,
  rationale: body.rationale,
  temperature: body.temperature ?? null,
  max_tokens: body.max_tokens,
  seed: body.seed ?? null,
  logprobs: body.logprobs,
  timeout: body.timeout,
  samples: body.samples,
  ...(body.both_orders && { both_orders: true }),
})

export const placeholder = /\{\{(\w{1,50})\}\}/g

/** Checks a setup against the dataset's questions. @throws Problem unprocessable */
export const checkSetup = ({ questions, prompt }: RunSetup, known: readonly QuestionRow[]): void => {
  const unknown = questions.find((name) => !known.some((question) => question.name === name))
  if (unknown !== undefined) throw unprocessable(message('notInDataset', { part: 'Question', name: unknown }))
  const used = [...prompt.matchAll(placeholder)].map(([, part = '']) => part)
  const wrong = used.find((part) => !(promptParts as readonly string[]).includes(part))
  if (wrong !== undefined) throw unprocessable(message('promptPart', { part: wrong, known: promptParts.join(', ') }))
  if (!used.includes('fields')) throw unprocessable(message('promptNoRecord'))
}
