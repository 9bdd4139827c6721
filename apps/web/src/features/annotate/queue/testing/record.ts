import type { Record as AnnotationRecord } from '@postil/contract/records.ts'

/** A record that nobody has answered. */
export const recordWith = (id: string): AnnotationRecord => ({
  id,
  status: 'pending',
  fields: {},
  metadata: null,
  external_id: null,
  dataset_id: 'd',
  inserted_at: '',
  updated_at: '',
  responses: [],
  suggestions: [],
})
