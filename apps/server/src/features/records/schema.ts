import { answerFieldOf } from '@postil/contract/question-types/answer-field.ts'
import {
  type FieldRow,
  fieldRows,
  type MetadataPropertyRow,
  metadataPropertyRows,
  type QuestionRow,
  questionRows,
  type VectorSettingsRow,
  vectorSettingsRows,
} from '#features/schema/public.ts'
import type { Db } from '#platform/db/db.ts'
import { readsMetadata } from '#platform/db/statements/condition-metadata.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'

/** The fields, questions, metadata properties and vector settings of a dataset. Each list is ordered by `no`. */
export type Schema = {
  readonly fields: readonly FieldRow[]
  readonly questions: readonly QuestionRow[]
  readonly properties: readonly MetadataPropertyRow[]
  readonly vectors: readonly VectorSettingsRow[]
  /** The position of each field in `fields`. In the text index, this position identifies the field. */
  readonly fieldPlaces: ReadonlyMap<string, number>
  readonly questionsById: ReadonlyMap<string, QuestionRow>
  /** Whether checking the values of at least one question requires the record's text. */
  readonly readsFields: boolean
  /** Whether checking an answer requires the record's metadata. */
  readonly readsMetadata: boolean
}

export const loadSchema = async (db: Db, datasetId: string): Promise<Schema> => {
  const [fields, questions, properties, vectors] = await pipeline([
    fieldRows(db, datasetId),
    questionRows(db, datasetId),
    metadataPropertyRows(db, datasetId),
    vectorSettingsRows(db, datasetId),
  ])
  return {
    fields,
    questions,
    properties,
    vectors,
    fieldPlaces: new Map(fields.map(({ name }, place) => [name, place])),
    questionsById: new Map(questions.map((question) => [question.id, question])),
    readsFields: questions.some(({ settings }) => answerFieldOf(settings) !== null),
    readsMetadata: readsMetadata(questions),
  }
}
