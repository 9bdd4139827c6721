import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { FieldValues } from '@postil/contract/field-values.ts'
import { checkResponse } from '@postil/contract/record-rules.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import type { ResponseStatus } from '#platform/db/tables.ts'
import type { Scope, ScopeQuestion } from './scope.ts'

/** An answer as sent. Missing `values` become `{}`. */
export type Sent = { readonly status: ResponseStatus; readonly values: AnswerValues }

/** @throws Problem unprocessable with the first rule that the answer violates */
export const checkAnswer = ({ fields }: Scope, questions: readonly ScopeQuestion[], sent: Sent): void => {
  // Fields were validated by the contract's schema when they were stored.
  const fault = checkResponse(sent.values, sent.status, questions, (fields ?? {}) as FieldValues)
  if (fault !== null) throw unprocessable(fault)
}
