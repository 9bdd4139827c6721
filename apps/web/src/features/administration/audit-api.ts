import type { AuditEntry, listAudit } from '@postil/contract/audit.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'

/** What acts can be looked at by: the first part of their names. */
export const auditAreas = [
  'users',
  'workspaces',
  'datasets',
  'fields',
  'questions',
  'metadata_properties',
  'vectors_settings',
  'queue',
  'records',
  'imports',
  'files',
  'hub',
  'webhooks',
  'jobs',
  'oauth',
] as const
export type AuditArea = (typeof auditAreas)[number]

const pageSize = 50

/** The audit log, newest first. @param area all acts when it is null */
export const auditQuery = (area: AuditArea | null) =>
  infiniteQueryOptions({
    queryKey: ['audit', area],
    queryFn: async ({ pageParam, signal }): Promise<readonly AuditEntry[]> => {
      const query = { limit: pageSize, ...(pageParam && { before: pageParam }), ...(area && { action: area }) }
      return (await call<typeof listAudit>('GET', '/api/v1/audit', { query, signal })).items
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < pageSize ? null : (page.at(-1)?.id ?? null)),
    // What was done a moment ago is what one looks for.
    staleTime: 0,
  })
