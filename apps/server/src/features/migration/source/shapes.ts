import { ConditionSchema } from '@postil/contract/condition-rules.ts'
import { DatasetStatus } from '@postil/contract/datasets.ts'
import { UserRole } from '@postil/contract/people/users.ts'
import { ResponseStatus } from '@postil/contract/responses.ts'
import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import { parseUuid } from '@postil/contract/wire/scalars.ts'
import { z } from 'zod'
import { readTime } from '#platform/time.ts'

/* Schemas for the responses of a server with the same HTTP API. They contain only the parts that are copied. Unknown keys are
   dropped. Keys that only some servers send are optional. Settings and values are checked later with their own schemas, so that
   error messages can name the faulty setting or value. */

const uuid = z.string().transform((text, ctx) => {
  const id = parseUuid(text)
  if (id !== null) return id
  ctx.addIssue({ code: 'custom', message: 'is not a UUID' })
  return z.NEVER
})
const time = z.string().transform((text, ctx) => {
  const micros = readTime(text)
  if (micros !== null) return micros
  ctx.addIssue({ code: 'custom', message: 'is not a date and time' })
  return z.NEVER
})
const originalRow = { id: uuid, inserted_at: time, updated_at: time }
const orNull = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null)
const items = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) }).transform((body) => body.items)

export const Version = z.object({ version: z.string() })

export const SourceUser = z.object({
  ...originalRow,
  username: z.string().min(1),
  first_name: orNull(z.string()).transform((name) => name ?? ''),
  last_name: orNull(z.string()),
  role: UserRole,
  api_key: orNull(z.string()),
  active: z
    .boolean()
    .nullish()
    .transform((active) => active ?? true),
  agent: z
    .boolean()
    .nullish()
    .transform((agent) => agent ?? false),
})
export type SourceUser = z.output<typeof SourceUser>
export const Me = z.object({ username: z.string(), role: UserRole })
export const Users = items(SourceUser)
/** Members of a workspace. Only the ID is needed, because the list of users has the rest. */
export const Members = items(z.object({ id: uuid }))

export const SourceWorkspace = z.object({ ...originalRow, name: z.string().min(1) })
export type SourceWorkspace = z.output<typeof SourceWorkspace>
export const Workspaces = items(SourceWorkspace)

export const SourceDataset = z.object({
  ...originalRow,
  name: z.string().min(1),
  guidelines: orNull(z.string()),
  allow_extra_metadata: z.boolean(),
  status: DatasetStatus,
  distribution: orNull(z.object({ min_submitted: z.int().min(1) })).transform((value) => value?.min_submitted ?? 1),
  // An object schema would lose the key __proto__.
  metadata: orNull(z.custom<JsonObject>(isJsonObject, 'is not an object')),
  workspace_id: uuid,
  last_activity_at: orNull(time),
})
export type SourceDataset = z.output<typeof SourceDataset>
export const Datasets = items(SourceDataset)

const settings = z.looseObject({ type: z.string() })
const named = { ...originalRow, name: z.string().min(1), title: z.string() }
const required = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false)
export const Fields = items(z.object({ ...named, required, settings }))
export const Questions = items(
  z.object({ ...named, required, description: orNull(z.string()), settings, shown_when: orNull(ConditionSchema) }),
)
export const Properties = items(
  z.object({
    ...named,
    settings,
    visible_for_annotators: z
      .boolean()
      .nullish()
      .transform((value) => value ?? true),
  }),
)
export const VectorsSettings = items(z.object({ ...named, dimensions: z.int().min(1) }))

export const SourceResponse = z.object({
  ...originalRow,
  user_id: orNull(uuid),
  status: ResponseStatus,
  values: z.unknown().optional(),
  suggestion_outcomes: z.unknown().optional(),
  version: z.int().min(1).nullish(),
  shown: z.unknown().optional(),
  returned: z.unknown().optional(),
})
export const SourceSuggestion = z.object({ ...originalRow, question_id: uuid })
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const SourceRecord = z.object({
  ...originalRow,
  external_id: z.unknown().optional(),
  fields: z.unknown().optional(),
  metadata: z.unknown().optional(),
  responses: z.unknown().optional().transform(list),
  suggestions: z.unknown().optional().transform(list),
  vectors: z
    .unknown()
    .optional()
    .transform((value) => (isJsonObject(value) ? value : {})),
})
export type SourceRecord = z.output<typeof SourceRecord>
export const Page = z.object({ items: z.array(SourceRecord), total: z.int() })

export const LabelColours = items(
  z.object({ question_id: uuid, colours: z.array(z.object({ value: z.string(), hue: z.int().min(0).max(359) })) }),
)
export const SourceView = z.object({
  ...originalRow,
  name: z.string(),
  query: z.string(),
  shared: z.boolean(),
  user: z.object({ id: uuid, username: z.string() }),
})
export type SourceView = z.output<typeof SourceView>
export const Views = items(SourceView)

const counts = z.object({ submitted: z.int(), discarded: z.int(), draft: z.int() })
export const Progress = z.object({
  users: z.array(z.object({ username: z.string(), completed: counts, pending: counts })),
})
export const Authors = z.object({ users: orNull(z.array(z.object({ username: z.string() }))) })
