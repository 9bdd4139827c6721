import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { ServerAnswer } from '#lib/outbox/types.ts'

/** Creates a record without answers. */
export const createRecord = (id: string): AnnotationRecord => ({
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

/** The answer to a record as the server reports it. */
export const serverAnswerTo = (id: string): ServerAnswer => ({
  id: `a-${id}`,
  record_id: id,
  user_id: 'u',
  status: 'submitted',
  values: {},
  version: 1,
  suggestion_outcomes: null,
  returned: null,
  inserted_at: '',
  updated_at: '',
})
