import type { Field, FieldCreate, FieldUpdate } from '@postil/contract/fields.ts'
import type { QuestionColours, QuestionColoursUpdate } from '@postil/contract/label-colours.ts'
import type { MetadataProperty, MetadataPropertyCreate, MetadataPropertyUpdate } from '@postil/contract/metadata-properties.ts'
import type { Question, QuestionCreate, QuestionUpdate } from '@postil/contract/questions.ts'
import type { VectorSettings, VectorSettingsCreate, VectorSettingsUpdate } from '@postil/contract/vectors-settings.ts'
import type { AppContext } from '#context.ts'
import type { Actor } from '#features/datasets/service.ts'
import * as colours from './colours.ts'
import * as fields from './field-commands.ts'
import * as metadata from './metadata-commands.ts'
import * as queries from './queries.ts'
import * as questions from './question-commands.ts'
import * as rows from './rows.ts'
import * as vectors from './vector-commands.ts'

// The migration from another server calls this inside its own command.
export { type AdoptedSchema, adoptSchema } from './adopt.ts'
export type { FieldRow, MetadataPropertyRow, QuestionRow, VectorSettingsRow } from './rows.ts'

/** Parts of a dataset's schema, in creation order, for queries and commands of other features. */
export const { fieldRows, questionRows, metadataPropertyRows, vectorSettingsRows } = rows
export const { labelColours } = colours
/** The same parts in their wire format. */
export const { printField, printQuestion, printMetadataProperty, printVectorSettings } = rows

type Items<T> = Promise<{ items: T[] }>
const items = async <T>(list: Promise<T[]>): Items<T> => ({ items: await list })

export const listFields = (ctx: AppContext, user: Actor, dataset_id: string): Items<Field> =>
  items(ctx.store.read(queries.listFields, { user, dataset_id }))
export const createField = (ctx: AppContext, user: Actor, dataset_id: string, body: FieldCreate): Promise<Field> =>
  ctx.store.write(fields.createField, { user, dataset_id, body })
export const updateField = (ctx: AppContext, user: Actor, id: string, body: FieldUpdate): Promise<Field> =>
  ctx.store.write(fields.updateField, { user, id, body })
export const deleteField = (ctx: AppContext, user: Actor, id: string): Promise<Field> =>
  ctx.store.write(fields.deleteField, { user, id })

export const listQuestions = (ctx: AppContext, user: Actor, dataset_id: string): Items<Question> =>
  items(ctx.store.read(queries.listQuestions, { user, dataset_id }))
export const createQuestion = (ctx: AppContext, user: Actor, dataset_id: string, body: QuestionCreate): Promise<Question> =>
  ctx.store.write(questions.createQuestion, { user, dataset_id, body })
export const updateQuestion = (ctx: AppContext, user: Actor, id: string, body: QuestionUpdate): Promise<Question> =>
  ctx.store.write(questions.updateQuestion, { user, id, body })
export const deleteQuestion = (ctx: AppContext, user: Actor, id: string): Promise<Question> =>
  ctx.store.write(questions.deleteQuestion, { user, id })

export const listLabelColours = (ctx: AppContext, user: Actor, dataset_id: string): Items<QuestionColours> =>
  items(ctx.store.read(colours.listLabelColours, { user, dataset_id }))
export const updateLabelColours = (
  ctx: AppContext,
  user: Actor,
  id: string,
  body: QuestionColoursUpdate,
): Promise<QuestionColours> => ctx.store.write(colours.updateLabelColours, { user, id, body })

export const listMetadataProperties = (ctx: AppContext, user: Actor, dataset_id: string): Items<MetadataProperty> =>
  items(ctx.store.read(queries.listMetadataProperties, { user, dataset_id }))
export const createMetadataProperty = (
  ctx: AppContext,
  user: Actor,
  dataset_id: string,
  body: MetadataPropertyCreate,
): Promise<MetadataProperty> => ctx.store.write(metadata.createMetadataProperty, { user, dataset_id, body })
export const updateMetadataProperty = (
  ctx: AppContext,
  user: Actor,
  id: string,
  body: MetadataPropertyUpdate,
): Promise<MetadataProperty> => ctx.store.write(metadata.updateMetadataProperty, { user, id, body })
export const deleteMetadataProperty = (ctx: AppContext, user: Actor, id: string): Promise<MetadataProperty> =>
  ctx.store.write(metadata.deleteMetadataProperty, { user, id })

export const listVectorSettings = (ctx: AppContext, user: Actor, dataset_id: string): Items<VectorSettings> =>
  items(ctx.store.read(queries.listVectorSettings, { user, dataset_id }))
export const createVectorSettings = (
  ctx: AppContext,
  user: Actor,
  dataset_id: string,
  body: VectorSettingsCreate,
): Promise<VectorSettings> => ctx.store.write(vectors.createVectorSettings, { user, dataset_id, body })
export const updateVectorSettings = (
  ctx: AppContext,
  user: Actor,
  id: string,
  body: VectorSettingsUpdate,
): Promise<VectorSettings> => ctx.store.write(vectors.updateVectorSettings, { user, id, body })
export const deleteVectorSettings = (ctx: AppContext, user: Actor, id: string): Promise<VectorSettings> =>
  ctx.store.write(vectors.deleteVectorSettings, { user, id })
