import type { Field } from '@postil/contract/fields.ts'
import type { PlannedRecord } from '@postil/contract/files/imports.ts'
import type { QuestionKind, SettingsOf } from '@postil/contract/question-types/index.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { fieldCreationOf } from '#field-types/creation.ts'
import { settingsSlice } from '#question-types/settings-registry.ts'
import type { Draft, FieldPart, QuestionPart } from './draft.ts'
import { fieldBody, questionBody } from './wire.ts'

type Suggestions = NonNullable<AnnotationRecord['suggestions']>

const emptyMetadata = { dataset_id: '', inserted_at: '', updated_at: '' }

const fieldOf = (part: FieldPart): Field => ({
  ...emptyMetadata,
  id: part.key,
  ...fieldBody(part),
  required: part.required,
  settings: part.settings,
})
const questionOf = (part: QuestionPart): Question => {
  const { shown_when, ...body } = questionBody(part)
  return {
    ...emptyMetadata,
    id: part.key,
    ...body,
    description: part.description.trim() || null,
    required: part.required,
    settings: part.settings,
    ...(shown_when && { shown_when }),
  }
}

type PreviewParts = { readonly fields: readonly Field[]; readonly questions: readonly Question[] }

export const previewParts = ({ fields, questions }: Draft): PreviewParts => ({
  fields: fields.map(fieldOf),
  questions: questions.map(questionOf),
})

const emptyRecord = {
  ...emptyMetadata,
  id: '',
  status: 'pending' as const,
  metadata: null,
  external_id: null,
  responses: [],
}

/** Returns a sample suggestion if one helps to show how the question works. */
const sampleSuggestion = ({ id, settings }: Question): Suggestions => {
  const sample = settingsSlice(settings).sample(settings as SettingsOf<QuestionKind>)
  return sample === null ? [] : [{ ...emptyMetadata, id, question_id: id, type: null, ...sample } as Suggestions[number]]
}

/**
 * Returns a planned record as annotators would see it.
 * @param withSamples whether questions without a suggestion get a sample suggestion
 */
export const recordOf = (planned: PlannedRecord, questions: readonly Question[], withSamples = false): AnnotationRecord => {
  const suggestions = planned.suggestions.flatMap(({ question, value }) => {
    const found = questions.find(({ name }) => name === question)
    if (found === undefined) return []
    const suggestion = { ...emptyMetadata, id: found.id, question_id: found.id, type: null, agent: null, score: null, value }
    // This cast is safe: the server has validated the value against the question.
    return [suggestion as unknown as Suggestions[number]]
  })
  const without = questions.filter(({ id }) => suggestions.every(({ question_id }) => question_id !== id))
  return {
    ...emptyRecord,
    id: String(planned.row),
    fields: planned.fields,
    suggestions: withSamples ? [...suggestions, ...without.flatMap(sampleSuggestion)] : suggestions,
  }
}

/** Returns a record with sample text and suggestions, for a preview when there is no file. */
export const sampleRecord = ({ fields, questions }: PreviewParts, wordsFor: (title: string) => string): AnnotationRecord => ({
  ...emptyRecord,
  fields: Object.fromEntries(
    fields.map(({ name, title, settings }) => [name, fieldCreationOf(settings).sample(wordsFor(title))]),
  ),
  suggestions: questions.flatMap(sampleSuggestion),
})
