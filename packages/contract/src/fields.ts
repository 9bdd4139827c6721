import { z } from 'zod'
import { FieldSettings, FieldSettingsCreate, FieldSettingsUpdate } from './field-types/index.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { patch } from './wire/patch.ts'
import { boolOr, itemsOf, printedDatetime, printedUuid, text } from './wire/scalars.ts'

export const Field = z.strictObject({
  id: printedUuid(),
  name: z.string(),
  title: z.string(),
  required: z.boolean(),
  settings: FieldSettings,
  dataset_id: printedUuid(),
  inserted_at: printedDatetime(),
  updated_at: printedDatetime(),
})
export type Field = z.infer<typeof Field>

const title = text({ min: 1, max: 500 })

export const FieldCreate = z.object({
  name: text({ min: 1, max: 200 }),
  title,
  required: boolOr(false),
  settings: FieldSettingsCreate,
})
export type FieldCreate = z.infer<typeof FieldCreate>

export const FieldUpdate = patch(
  { title, settings: FieldSettingsUpdate },
  // Whether a custom field is shown as a trace. This isn't part of `settings`, because clients that don't know `view` omit it
  // from the settings that they send.
  { view: z.literal('trace') },
)
export type FieldUpdate = z.infer<typeof FieldUpdate>

export const listFields = defineEndpoint({
  id: 'fields.list',
  method: 'GET',
  path: '/datasets/:dataset_id/fields',
  result: itemsOf(Field),
  errors: [403, 404],
  summary: 'List the fields of a dataset in creation order',
})
export const createField = defineEndpoint({
  id: 'fields.create',
  method: 'POST',
  path: '/datasets/:dataset_id/fields',
  body: FieldCreate,
  status: 201,
  result: Field,
  errors: [403, 404, 409],
  summary: 'Add a field to a draft dataset',
})
export const updateField = defineEndpoint({
  id: 'fields.update',
  method: 'PATCH',
  path: '/fields/:field_id',
  body: FieldUpdate,
  result: Field,
  errors: [403, 404],
  summary: 'Update the title or settings of a field',
})
export const deleteField = defineEndpoint({
  id: 'fields.delete',
  method: 'DELETE',
  path: '/fields/:field_id',
  result: Field,
  errors: [403, 404],
  summary: 'Delete a field of a draft dataset',
})

export const fieldEndpoints = [listFields, createField, updateField, deleteField] as const
