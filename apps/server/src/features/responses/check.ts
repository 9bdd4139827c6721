import type { AnswerValues } from '@postil/contract/answer-value.ts'
import { unprocessable } from '@postil/contract/errors.ts'
import type { FieldValues } from '@postil/contract/field-values.ts'
import { checkResponse } from '@postil/contract/record-rules.ts'
import type { Db } from '#platform/db/db.ts'
import type { ResponseStatus } from '#platform/db/tables.ts'
import type { Scope, ScopeQuestion } from './scope.ts'
import { loadFields } from './scope.ts'

/** An answer as it was sent; `values` that were left out are `{}`. */
export type Sent = { readonly status: ResponseStatus; readonly values: AnswerValues }

/** True when a value can only be judged with the record's text at hand. */
export const needsFields = (values: AnswerValues, questions: readonly ScopeQuestion[]): boolean =>
  questions.some(({ name, settings }) => 'field' in settings && Object.hasOwn(values, name))

/** @throws Problem unprocessable with the first rule that the answer breaks */
export const checkAnswer = async (db: Db, scope: Scope, questions: readonly ScopeQuestion[], sent: Sent): Promise<void> => {
  // Fields are stored as they passed the contract's own schema.
  const fields = needsFields(sent.values, questions)
    ? ((await loadFields(db, scope.dataset.no, scope.record.seq)) as FieldValues)
    : {}
  const fault = checkResponse(sent.values, sent.status, questions, fields)
  if (fault !== null) throw unprocessable(fault)
}
