import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { StandingAnswer } from '#lib/outbox/types.ts'

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

/** The answer to it that the server has. */
export const standingOf = (id: string): StandingAnswer => ({
  id: `a-${id}`,
  record_id: id,
  user_id: 'u',
  status: 'submitted',
  values: {},
  version: 1,
  inserted_at: '',
  updated_at: '',
})
