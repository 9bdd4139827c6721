import type { Workspace } from '@postil/contract/people/workspaces.ts'
import type { Micros } from '#platform/time.ts'
import { printTime } from '#platform/time.ts'

export type WorkspaceRow = {
  readonly id: string
  readonly name: string
  readonly inserted_at: Micros
  readonly updated_at: Micros
}

export const workspaceColumns = ['workspaces.id', 'workspaces.name', 'workspaces.inserted_at', 'workspaces.updated_at'] as const

export const presentWorkspace = (row: WorkspaceRow): Workspace => ({
  id: row.id,
  name: row.name,
  inserted_at: printTime(row.inserted_at),
  updated_at: printTime(row.updated_at),
})
