import { z } from 'zod'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { defaultLimits, type Limits } from '../wire/limits.ts'
import { text } from '../wire/scalars.ts'
import { FileCheck, ImportColumn, PlanBody } from './imports.ts'

/** The maximum number of rows to import from a Hub dataset, starting with the first. */
export const maxHubRows = 10_000

/** A Hub dataset with the splits that can be imported. */
export const HubRepository = z.strictObject({
  name: z.string(),
  private: z.boolean(),
  /** True if its owner decides who can read it. */
  gated: z.boolean(),
  splits: z.array(z.strictObject({ subset: z.string(), split: z.string() })),
})
export type HubRepository = z.infer<typeof HubRepository>

/** The columns and first rows of a split, in the same form as for a file. */
export const HubPreview = z.strictObject({
  name: z.string(),
  subset: z.string(),
  split: z.string(),
  /** The number of rows that would be imported. */
  total: z.int(),
  /** The number of rows in the split. Null if the Hub does not know it. */
  all: z.int().nullable(),
  columns: z.array(ImportColumn),
  rows: z.array(z.array(z.string().nullable())),
})
export type HubPreview = z.infer<typeof HubPreview>

const source = { name: text({ min: 1 }), subset: text({ min: 1 }), split: text({ min: 1 }) }
const asked = { name: text({ min: 1, keep: false }), subset: text({ min: 1, keep: false }), split: text({ min: 1, keep: false }) }

export const getHubRepository = defineEndpoint({
  id: 'hub.repository',
  method: 'GET',
  path: '/me/hub/repository',
  query: z.object({ name: asked.name }),
  result: HubRepository,
  errors: [403, 404],
  addition: true,
  summary: 'List the subsets and splits of a Hub dataset',
})

export const previewHub = defineEndpoint({
  id: 'hub.preview',
  method: 'GET',
  path: '/me/hub/preview',
  query: z.object(asked),
  result: HubPreview,
  errors: [403, 404],
  addition: true,
  summary: 'Preview a split: its columns with proposed uses, and its first rows',
})

/** Takes the limits as a parameter because the operator sets how many options a question can have. */
export const checkHubWith = (limits: Limits) =>
  defineEndpoint({
    id: 'hub.check',
    method: 'POST',
    path: '/me/hub/check',
    body: PlanBody(limits).extend(source),
    result: FileCheck,
    errors: [403, 404],
    addition: true,
    summary: 'Check which records the first rows of a split would become in a dataset with these settings; writes nothing',
  })
export const checkHub = checkHubWith(defaultLimits)

export const hubEndpoints = [getHubRepository, previewHub, checkHub] as const
