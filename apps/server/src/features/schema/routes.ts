import { createField, deleteField, listFields, updateField } from '@postil/contract/fields.ts'
import { listLabelColours, updateLabelColours } from '@postil/contract/label-colours.ts'
import {
  createMetadataProperty,
  deleteMetadataProperty,
  listMyMetadataProperties,
  updateMetadataProperty,
} from '@postil/contract/metadata-properties.ts'
import { createQuestionWith, deleteQuestion, listQuestions, updateQuestion } from '@postil/contract/questions.ts'
import { getSearchSettings, setSearchSettings } from '@postil/contract/search-settings.ts'
import {
  createVectorSettings,
  deleteVectorSettings,
  listVectorsSettings,
  updateVectorSettings,
} from '@postil/contract/vectors-settings.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import { actorOf } from '#platform/auth/actor.ts'
import type { Registration } from '#platform/http/route.ts'
import { route } from '#platform/http/route.ts'
import * as colours from './colours.ts'
import * as fields from './field-commands.ts'
import * as metadata from './metadata-commands.ts'
import * as queries from './queries.ts'
import * as questions from './question-commands.ts'
import * as search from './search-settings.ts'
import * as vectors from './vector-commands.ts'

/** @param limits the maximum number of options of a question */
export const schemaRoutes = (limits: Limits): readonly Registration[] => [
  route(listFields, async ({ ctx, user, params }) => ({
    items: await ctx.store.read(queries.listFields, { user: actorOf(user), ...params }),
  })),
  route(createField, ({ ctx, user, params, body }) =>
    ctx.store.write(fields.createField, { user: actorOf(user), ...params, body }),
  ),
  route(updateField, ({ ctx, user, params, body }) =>
    ctx.store.write(fields.updateField, { user: actorOf(user), id: params.field_id, body }),
  ),
  route(deleteField, ({ ctx, user, params }) =>
    ctx.store.write(fields.deleteField, { user: actorOf(user), id: params.field_id }),
  ),

  route(listQuestions, async ({ ctx, user, params }) => ({
    items: await ctx.store.read(queries.listQuestions, { user: actorOf(user), ...params }),
  })),
  route(createQuestionWith(limits), ({ ctx, user, params, body }) =>
    ctx.store.write(questions.createQuestion, { user: actorOf(user), ...params, body }),
  ),
  route(updateQuestion, ({ ctx, user, params, body }) =>
    ctx.store.write(questions.updateQuestion, { user: actorOf(user), id: params.question_id, body }),
  ),
  route(deleteQuestion, ({ ctx, user, params }) =>
    ctx.store.write(questions.deleteQuestion, { user: actorOf(user), id: params.question_id }),
  ),

  route(getSearchSettings, ({ ctx, user, params }) =>
    ctx.store.read(search.getSearchSettings, { user: actorOf(user), ...params }),
  ),
  route(setSearchSettings, ({ ctx, user, params, body }) =>
    ctx.store.write(search.setSearchSettings, { user: actorOf(user), ...params, body }),
  ),

  route(listLabelColours, async ({ ctx, user, params }) => ({
    items: await ctx.store.read(colours.listLabelColours, { user: actorOf(user), ...params }),
  })),
  route(updateLabelColours, ({ ctx, user, params, body }) =>
    ctx.store.write(colours.updateLabelColours, { user: actorOf(user), id: params.question_id, body }),
  ),

  route(listMyMetadataProperties, async ({ ctx, user, params }) => ({
    items: await ctx.store.read(queries.listMetadataProperties, { user: actorOf(user), ...params }),
  })),
  route(createMetadataProperty, ({ ctx, user, params, body }) =>
    ctx.store.write(metadata.createMetadataProperty, { user: actorOf(user), ...params, body }),
  ),
  route(updateMetadataProperty, ({ ctx, user, params, body }) =>
    ctx.store.write(metadata.updateMetadataProperty, { user: actorOf(user), id: params.metadata_property_id, body }),
  ),
  route(deleteMetadataProperty, ({ ctx, user, params }) =>
    ctx.store.write(metadata.deleteMetadataProperty, { user: actorOf(user), id: params.metadata_property_id }),
  ),

  route(listVectorsSettings, async ({ ctx, user, params }) => ({
    items: await ctx.store.read(queries.listVectorSettings, { user: actorOf(user), ...params }),
  })),
  route(createVectorSettings, ({ ctx, user, params, body }) =>
    ctx.store.write(vectors.createVectorSettings, { user: actorOf(user), ...params, body }),
  ),
  route(updateVectorSettings, ({ ctx, user, params, body }) =>
    ctx.store.write(vectors.updateVectorSettings, { user: actorOf(user), id: params.vector_settings_id, body }),
  ),
  route(deleteVectorSettings, ({ ctx, user, params }) =>
    ctx.store.write(vectors.deleteVectorSettings, { user: actorOf(user), id: params.vector_settings_id }),
  ),
]
