import { createHash } from 'node:crypto'
import { agentActions, maxAgentSuggestions } from '@postil/contract/agents.ts'
import { AnswerValue } from '@postil/contract/answer-value.ts'
import { CommentCreate, createComment } from '@postil/contract/comments.ts'
import { listQuestions } from '@postil/contract/questions.ts'
import { getComparison, putGold } from '@postil/contract/review.ts'
import { putSuggestion, SuggestionCreate, SuggestionScore } from '@postil/contract/suggestions.ts'
import { Problem, unprocessable } from '@postil/contract/wire/errors.ts'
import { maxGoldQuestions, maxNoteLength } from '@postil/contract/wire/limits.ts'
import { message } from '@postil/contract/wire/message.ts'
import { text } from '@postil/contract/wire/scalars.ts'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { problemSentence } from '../problem-sentence.ts'
import { datasetId, recordId } from './read.ts'

const questionName = () => text({ keep: false }).describe('The name of a question, as `get_dataset` returns it')
const value = () =>
  AnswerValue.describe(
    'A label, text or rating; a list of labels; or lists of {value, rank} or {label, start, end}, as the question requires. Positions count Unicode code points',
  )

/** Problems that concern a single suggestion. After any other problem, the remaining suggestions would fail too. */
const ofOneSuggestion = new Set<Problem['data']['kind']>(['not_found', 'unprocessable', 'validation', 'conflict'])

/** The same request always gets the same ID, so that clients can safely repeat the request. */
const requestId = (...parts: readonly unknown[]): string => {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  return [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}

export const writeTools = [
  defineTool({
    name: 'add_suggestions',
    title: 'Add suggestions',
    description:
      'Suggests answers to questions of records. People see the suggestions while they answer, and can change them. Replaces earlier suggestions for the same questions. For owners and admins.',
    input: z.strictObject({
      dataset_id: datasetId(),
      agent: SuggestionCreate.shape.agent.describe('The name that is shown with the suggestions. Default: your username'),
      suggestions: z
        .array(
          z.strictObject({
            record_id: recordId(),
            question: questionName(),
            value: value(),
            score: SuggestionScore.nullish().describe('How sure you are, from 0 to 1; for lists, one number per item'),
          }),
        )
        .min(1)
        .max(maxAgentSuggestions),
    }),
    idempotent: true,
    action: ({ dataset_id, suggestions }) => ({
      endpoint: agentActions.add_suggestions,
      params: { dataset_id },
      details: { suggestions: suggestions.length },
    }),
    run: async ({ call, user }, { dataset_id, agent, suggestions }) => {
      const { items } = await call(listQuestions, { params: { dataset_id } })
      const ids = new Map(items.map(({ id, name }) => [name, id]))
      const ownName = SuggestionCreate.shape.agent.safeParse(user.username).success ? user.username : null
      const errors: { readonly index: number; readonly record_id: string; readonly error: string }[] = []
      for (const [index, { record_id, question, value: suggested, score }] of suggestions.entries()) {
        try {
          const question_id = ids.get(question)
          if (question_id === undefined) throw unprocessable(message('notInDataset', { part: 'Question', name: question }))
          const body = { question_id, value: suggested, type: 'model' as const, agent: agent ?? ownName, score }
          await call(putSuggestion, { params: { record_id }, body })
        } catch (error) {
          if (!(error instanceof Problem) || !ofOneSuggestion.has(error.data.kind)) throw error
          errors.push({ index, record_id, error: problemSentence(error) })
        }
      }
      const stored = suggestions.length - errors.length
      return { result: { stored, errors }, isError: stored === 0 }
    },
  }),
  defineTool({
    name: 'add_comment',
    title: 'Add a comment',
    description:
      'Comments on a record, for example to ask about an unclear case. @username mentions a person. Everyone who sees the dataset can read comments.',
    input: z.strictObject({
      record_id: recordId(),
      text: CommentCreate.shape.text,
      question: questionName().nullish().describe('The name of the question that the comment is about'),
      parent: CommentCreate.shape.parent.describe('The ID of the first comment of the thread to reply to'),
    }),
    idempotent: false,
    action: ({ record_id }) => ({ endpoint: agentActions.add_comment, params: { record_id }, details: {} }),
    run: async ({ call }, { record_id, text: said, question = null, parent = null }) => ({
      result: await call(createComment, {
        params: { record_id },
        body: { text: said, parent, about: question === null ? null : { question } },
      }),
    }),
  }),
  defineTool({
    name: 'propose_final_answers',
    title: 'Propose final answers',
    description:
      'Stores a draft of the final answers to a record. A reviewer confirms or changes it. Replaces your earlier draft, but nothing that others have stored. For owners, admins and reviewers.',
    input: z.strictObject({
      record_id: recordId(),
      values: z
        .record(text({ keep: false }), value())
        .refine((values) => Object.keys(values).length <= maxGoldQuestions)
        .describe('The proposed answers, by the names of their questions'),
      note: text({ max: maxNoteLength }).nullish().describe('The reason, for the reviewer'),
    }),
    idempotent: true,
    action: ({ record_id, values }) => ({
      endpoint: agentActions.propose_final_answers,
      params: { record_id },
      details: { questions: Object.keys(values).length },
    }),
    run: async ({ call, user }, { record_id, values, note = null }) => {
      const { gold } = await call(getComparison, { params: { record_id } })
      const answers = Object.entries(values).map(([name, proposed]) => [
        name,
        { value: proposed, source: 'adjudicated' as const, note },
      ])
      const body = {
        mutation_id: requestId(user.id, record_id, values, note),
        base_version: gold?.version ?? null,
        values: Object.fromEntries(answers),
        final: false,
      }
      return { result: await call(putGold, { params: { record_id }, body }) }
    },
  }),
]
