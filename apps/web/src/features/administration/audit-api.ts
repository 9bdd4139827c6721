import type { AuditEntry } from '@postil/contract/audit.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'

/** The areas that the log can be filtered by. An action's area is the first part of its name. */
export const auditAreas = [
  'users',
  'second_factor',
  'workspaces',
  'datasets',
  'fields',
  'questions',
  'label_colours',
  'metadata_properties',
  'vectors_settings',
  'search_settings',
  'queue',
  'records',
  'imports',
  'files',
  'hub',
  'webhooks',
  'jobs',
  'oauth',
  'instance',
] as const
export type AuditArea = (typeof auditAreas)[number]

export const auditPageSize = 50

/**
 * Reads a page of the audit log, newest first.
 * @param area an area, or null for all areas
 * @param before an entry's ID; only older entries are returned
 */
export const readAudit = async (
  area: AuditArea | null,
  before: string | null,
  signal?: AbortSignal,
): Promise<readonly AuditEntry[]> => {
  const query = { limit: auditPageSize, ...(before && { before }), ...(area && { action: area }) }
  return (await call('GET /audit', { query, ...(signal && { signal }) })).items
}

/** The newest log entries of an area, or of all areas if `area` is null. */
export const auditQuery = (area: AuditArea | null) =>
  queryOptions({
    queryKey: ['audit', area],
    queryFn: ({ signal }) => readAudit(area, null, signal),
    // Users look for recent actions, so cached entries are always refetched.
    staleTime: 0,
  })
