import { z } from 'zod'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { defaultLimits, type Limits } from '../wire/limits.ts'
import { text } from '../wire/scalars.ts'
import { FileCheck, ImportColumn, PlanBody } from './imports.ts'

/** Rows of a dataset of the hub that are imported, from its beginning. */
export const maxHubRows = 10_000

/** A dataset of the hub, with what of it can be imported. */
export const HubRepository = z.strictObject({
  name: z.string(),
  private: z.boolean(),
  /** Its owner decides who may read it. */
  gated: z.boolean(),
  splits: z.array(z.strictObject({ subset: z.string(), split: z.string() })),
})
export type HubRepository = z.infer<typeof HubRepository>

/** What a split begins with, as of a file. */
export const HubPreview = z.strictObject({
  name: z.string(),
  subset: z.string(),
  split: z.string(),
  /** Rows that would be imported. */
  total: z.int(),
  /** Rows that the split has; null where the hub does not know. */
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
  summary: 'Subsets and splits of a dataset of the hub',
})

export const previewHub = defineEndpoint({
  id: 'hub.preview',
  method: 'GET',
  path: '/me/hub/preview',
  query: z.object(asked),
  result: HubPreview,
  errors: [403, 404],
  addition: true,
  summary: 'Columns and first rows of a split, with what each column looks made for',
})

/** The operator sets how many options a question may have, so the route is made with the limits in force. */
export const checkHubWith = (limits: Limits) =>
  defineEndpoint({
    id: 'hub.check',
    method: 'POST',
    path: '/me/hub/check',
    body: PlanBody(limits).extend(source),
    result: FileCheck,
    errors: [403, 404],
    addition: true,
    summary: 'What the first rows of a split would become in a dataset with these settings; writes nothing',
  })
export const checkHub = checkHubWith(defaultLimits)

export const hubEndpoints = [getHubRepository, previewHub, checkHub] as const
