import type { FieldRow, MetadataPropertyRow, QuestionRow, VectorSettingsRow } from '#features/schema/service.ts'
import { fieldRows, metadataPropertyRows, questionRows, vectorSettingsRows } from '#features/schema/service.ts'
import type { Db } from '#platform/db/db.ts'
import { together } from '#platform/db/statements/together.ts'

/** What a dataset's records consist of, each list in the order of `no`. */
export type Schema = {
  readonly fields: readonly FieldRow[]
  readonly questions: readonly QuestionRow[]
  readonly properties: readonly MetadataPropertyRow[]
  readonly vectors: readonly VectorSettingsRow[]
  /** The place of each field among `fields`, which is how the text index knows it. */
  readonly fieldPlaces: ReadonlyMap<string, number>
  readonly questionsById: ReadonlyMap<string, QuestionRow>
  /** True when some question's values can only be judged with the record's text at hand. */
  readonly readsFields: boolean
}

export const loadSchema = async (db: Db, datasetId: string): Promise<Schema> => {
  const [fields, questions, properties, vectors] = await together([
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
    readsFields: questions.some(({ settings }) => 'field' in settings),
  }
}
