import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { FileShape } from '@postil/contract/files/files.ts'
import { questionsFor, type TrainingFormat } from '@postil/contract/files/training-files.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { QuestionRow } from '#features/schema/public.ts'
import type { ExportContext } from './context.ts'
import { finalAnswerOf } from './final-answers.ts'

/** A person's submitted answer, or the final answers of a record. */
export type Annotation = {
  /** By question name. */
  readonly values: ReadonlyMap<string, AnswerValue>
  /** The username, or the ID of a user who no longer exists. Null if the values don't come from a single person. */
  readonly user: string | null
  /** Null for final answers. */
  readonly response: Response | null
}

const finalOf = (record: RecordPayload, { questions, usernames }: ExportContext): readonly Annotation[] => {
  const found = questions.flatMap(({ name }) => {
    const answer = finalAnswerOf(record, name)
    return answer === null ? [] : [{ name, ...answer }]
  })
  if (found.length === 0) return []
  const [first, ...others] = new Set(found.map(({ user }) => user))
  const user = others.length === 0 ? (first ?? null) : null
  return [
    {
      values: new Map(found.map(({ name, value }) => [name, value])),
      user: user === null ? null : (usernames.get(user) ?? user),
      response: null,
    },
  ]
}

/** The name of a response's author in files. */
export const authorOf = ({ user_id }: Response, { usernames }: ExportContext): string => usernames.get(user_id) ?? user_id

/**
 * Returns the annotations of a record. In a file with final answers, these are the record's final answers. In other files, each
 * submitted answer is an annotation.
 */
export const annotationsOf = (record: RecordPayload, context: ExportContext, shape: FileShape): readonly Annotation[] => {
  if (shape === 'final') return finalOf(record, context)
  return (record.responses ?? []).flatMap((response) => {
    if (response.status !== 'submitted') return []
    const values = new Map(Object.entries(response.values ?? {}).map(([name, { value }]) => [name, value]))
    return [{ values, user: authorOf(response, context), response }]
  })
}

export type Answer = Omit<Annotation, 'values'> & { readonly record: RecordPayload; readonly value: AnswerValue }

/** The annotations of a record that answer a question. */
export const answersTo = (question: string, record: RecordPayload, context: ExportContext, shape: FileShape): readonly Answer[] =>
  annotationsOf(record, context, shape).flatMap(({ values, ...rest }) => {
    const value = values.get(question)
    return value === undefined ? [] : [{ ...rest, record, value }]
  })

const quoted = (names: readonly { readonly name: string }[]): string => names.map(({ name }) => `\`${name}\``).join(', ')

/**
 * The question whose answers a file contains. Defaults to the only question that the format supports. @throws Problem
 * unprocessable when the format supports no question, or when it supports several and none is named
 */
export const questionOf = (
  { questions, fields }: ExportContext,
  wanted: string | undefined,
  format: TrainingFormat,
): QuestionRow => {
  const fitting = questionsFor(format, questions, fields)
  if (fitting.length === 0) throw unprocessable(message('noExportQuestion', { format }))
  const found =
    wanted === undefined ? (fitting.length === 1 ? fitting[0] : undefined) : fitting.find(({ name }) => name === wanted)
  if (found !== undefined) return found
  throw unprocessable(
    wanted === undefined
      ? message('chooseExportQuestion', { names: quoted(fitting) })
      : message('notExportQuestion', { format, name: JSON.stringify(wanted), names: quoted(fitting) }),
  )
}
