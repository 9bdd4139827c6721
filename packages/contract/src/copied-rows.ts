import { z } from 'zod'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { int, text } from './wire/scalars.ts'

/** The parts of a dataset that can be copied as stored rows. No other response contains these parts completely. */
export const copiedParts = [
  'records',
  'review',
  'versions',
  'seen_versions',
  'gold',
  'comments',
  'test_items',
  'test_people',
  'history',
  'snapshots',
] as const
export type CopiedPart = (typeof copiedParts)[number]

export const maxCopiedRows = 500

export const listCopiedRows = defineEndpoint({
  id: 'migration.rows',
  method: 'GET',
  path: '/datasets/:dataset_id/copied-rows',
  query: z.object({
    part: z.enum(copiedParts),
    /** The `next` of the previous response. */
    after: text({ keep: false }).optional(),
    limit: int({ ge: 1, le: maxCopiedRows }).default(100),
  }),
  result: z.strictObject({
    /** The rows as they are stored, with times in microseconds. */
    items: z.array(z.looseObject({})),
    /** Null if there are no more rows. */
    next: z.string().nullable(),
  }),
  errors: [403, 404, 422],
  addition: true,
  summary: 'List rows of a dataset as they are stored, to copy them to another server; for owners',
})

export const copiedRowEndpoints = [listCopiedRows] as const
