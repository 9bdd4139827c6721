import { z } from 'zod'
import { maxUniqueName } from '../wire/limits.ts'
import { printedDatetime, printedUuid, text, uuid } from '../wire/scalars.ts'

export const Workspace = z.strictObject({
  id: printedUuid(),
  name: z.string(),
  inserted_at: printedDatetime(),
  updated_at: printedDatetime(),
})
export type Workspace = z.infer<typeof Workspace>

/** The pattern of workspace names. Existing clients can't read a list of workspaces if one of the names doesn't match it. */
export const workspaceNamePattern = /^[a-zA-Z0-9_-]+$/

export const WorkspaceCreate = z.object({
  id: uuid().nullish(),
  name: text({ min: 1, max: maxUniqueName, pattern: workspaceNamePattern }),
})
export type WorkspaceCreate = z.infer<typeof WorkspaceCreate>

export const WorkspaceUserCreate = z.object({ user_id: uuid() })
export type WorkspaceUserCreate = z.infer<typeof WorkspaceUserCreate>
