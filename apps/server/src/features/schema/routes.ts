import { createField, deleteField, listFields, updateField } from '@postil/contract/fields.ts'
import { listLabelColours, updateLabelColours } from '@postil/contract/label-colours.ts'
import {
  createMetadataProperty,
  deleteMetadataProperty,
  listMyMetadataProperties,
  updateMetadataProperty,
} from '@postil/contract/metadata-properties.ts'
import { createQuestionWith, deleteQuestion, listQuestions, updateQuestion } from '@postil/contract/questions.ts'
import {
  createVectorSettings,
  deleteVectorSettings,
  listVectorsSettings,
  updateVectorSettings,
} from '@postil/contract/vectors-settings.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as schema from './service.ts'

/** @param limits how many options a question may have */
export const schemaRoutes = (limits: Limits): readonly Registration[] => [
  route(listFields, ({ ctx, user, params }) => schema.listFields(ctx, user, params.dataset_id)),
  route(createField, ({ ctx, user, params, body }) => schema.createField(ctx, user, params.dataset_id, body)),
  route(updateField, ({ ctx, user, params, body }) => schema.updateField(ctx, user, params.field_id, body)),
  route(deleteField, ({ ctx, user, params }) => schema.deleteField(ctx, user, params.field_id)),

  route(listQuestions, ({ ctx, user, params }) => schema.listQuestions(ctx, user, params.dataset_id)),
  route(createQuestionWith(limits), ({ ctx, user, params, body }) => schema.createQuestion(ctx, user, params.dataset_id, body)),
  route(updateQuestion, ({ ctx, user, params, body }) => schema.updateQuestion(ctx, user, params.question_id, body)),
  route(deleteQuestion, ({ ctx, user, params }) => schema.deleteQuestion(ctx, user, params.question_id)),

  route(listLabelColours, ({ ctx, user, params }) => schema.listLabelColours(ctx, user, params.dataset_id)),
  route(updateLabelColours, ({ ctx, user, params, body }) => schema.updateLabelColours(ctx, user, params.question_id, body)),

  route(listMyMetadataProperties, ({ ctx, user, params }) => schema.listMetadataProperties(ctx, user, params.dataset_id)),
  route(createMetadataProperty, ({ ctx, user, params, body }) =>
    schema.createMetadataProperty(ctx, user, params.dataset_id, body),
  ),
  route(updateMetadataProperty, ({ ctx, user, params, body }) =>
    schema.updateMetadataProperty(ctx, user, params.metadata_property_id, body),
  ),
  route(deleteMetadataProperty, ({ ctx, user, params }) => schema.deleteMetadataProperty(ctx, user, params.metadata_property_id)),

  route(listVectorsSettings, ({ ctx, user, params }) => schema.listVectorSettings(ctx, user, params.dataset_id)),
  route(createVectorSettings, ({ ctx, user, params, body }) => schema.createVectorSettings(ctx, user, params.dataset_id, body)),
  route(updateVectorSettings, ({ ctx, user, params, body }) =>
    schema.updateVectorSettings(ctx, user, params.vector_settings_id, body),
  ),
  route(deleteVectorSettings, ({ ctx, user, params }) => schema.deleteVectorSettings(ctx, user, params.vector_settings_id)),
]
