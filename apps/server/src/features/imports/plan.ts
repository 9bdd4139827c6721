import { conditionFault } from '@postil/contract/condition-rules.ts'
import type { Plan } from '@postil/contract/files/imports.ts'
import { answerFieldOf } from '@postil/contract/question-types/answer-field.ts'
import { placementFault } from '@postil/contract/question-types/index.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { Schema } from '#features/records/public.ts'
import { readsMetadata } from '#platform/db/statements/condition-metadata.ts'
import { newId } from '#platform/ids.ts'

const refuseTwice = (what: string, parts: readonly { readonly name: string }[]): void => {
  const twice = parts.find(({ name }, i) => parts.findIndex((part) => part.name === name) !== i)
  if (twice !== undefined) throw unprocessable(message('partTwice', { parts: what, name: JSON.stringify(twice.name) }))
}

/** Returns the schema of a dataset that doesn't exist yet. @throws Problem unprocessable for settings that no dataset can have */
export const planSchema = ({ fields, questions, metadata_properties }: Plan): Schema => {
  refuseTwice('fields', fields)
  refuseTwice('questions', questions)
  refuseTwice('metadata properties', metadata_properties)
  const stored = { dataset_id: newId(), inserted_at: 0, updated_at: 0 }
  const questionRows = questions.map((question, no) => {
    const misplaced = placementFault(question.settings, { fields, questions: questions.slice(0, no) })
    if (misplaced !== null) throw unprocessable(misplaced)
    const unfulfillable =
      question.shown_when &&
      conditionFault(question.name, question.shown_when, {
        earlier: questions.slice(0, no),
        others: questions.map(({ name }) => name),
        properties: metadata_properties,
      })
    if (unfulfillable) throw unprocessable(unfulfillable)
    return {
      ...stored,
      ...question,
      description: question.description ?? null,
      shown_when: question.shown_when ?? null,
      id: newId(),
      no,
    }
  })
  return {
    fields: fields.map((field, no) => ({ ...stored, ...field, id: newId(), no, ignores_accents: false })),
    questions: questionRows,
    properties: metadata_properties.map((property, no) => ({ ...stored, ...property, id: newId(), no })),
    vectors: [],
    fieldPlaces: new Map(fields.map(({ name }, index) => [name, index])),
    questionsById: new Map(questionRows.map((question) => [question.id, question])),
    readsFields: questions.some(({ settings }) => answerFieldOf(settings) !== null),
    readsMetadata: readsMetadata(questionRows),
  }
}
