import type { AuditEntry } from '@postil/contract/audit.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'

/** The areas that the log can be filtered by. An action's area is the first part of its name. */
export const auditAreas = [
  'sign_ins',
  'users',
  'invitations',
  'password_links',
  'second_factor',
  'workspaces',
  'datasets',
  'fields',
  'questions',
  'label_colours',
  'schema_versions',
  'metadata_properties',
  'vectors_settings',
  'search_settings',
  'active_time_settings',
  'suggestion_settings',
  'queue',
  'review',
  'records',
  'record_deletions',
  'imports',
  'files',
  'hub',
  'webhooks',
  'model_connections',
  'model_runs',
  'agents',
  'jobs',
  'oauth',
  'instance',
] as const
type AuditArea = (typeof auditAreas)[number]

export const auditPageSize = 50

/** Limits which entries are read. The times are days in the user's time zone, in the format of the browser's date inputs. */
export type AuditFilters = {
  readonly area: AuditArea | null
  /** A user's ID, or null for everyone. */
  readonly person: string | null
  readonly from: string
  readonly to: string
}

/** The last day that can be chosen. Browsers accept years with six digits, but the server doesn't. */
export const LAST_DAY = '9999-12-30'

/** The start of a day in the user's time zone, as a UTC time in wire format. @param later number of days to add */
export const startOfDay = (day: string, later = 0): string | null => {
  if (day === '' || day.length > LAST_DAY.length || day > LAST_DAY) return null
  const [year = Number.NaN, month = 1, date = 1] = day.split('-').map(Number)
  const start = new Date(year, month - 1, date + later)
  return Number.isNaN(start.getTime()) ? null : start.toISOString().slice(0, 19)
}

/**
 * Reads a page of the audit log, newest first.
 * @param before an entry's ID; only older entries are returned
 */
export const readAudit = async (
  { area, person, from, to }: AuditFilters,
  before: string | null,
  signal?: AbortSignal,
): Promise<readonly AuditEntry[]> => {
  const [since, until] = [startOfDay(from), startOfDay(to, 1)]
  const query = {
    limit: auditPageSize,
    ...(before && { before }),
    ...(area && { action: area }),
    ...(person && { person_id: person }),
    ...(since && { since }),
    ...(until && { until }),
  }
  return (await call('GET /audit', { query, ...(signal && { signal }) })).items
}

/** The newest log entries. */
export const auditQuery = (filters: AuditFilters) =>
  queryOptions({
    queryKey: ['audit', filters],
    queryFn: ({ signal }) => readAudit(filters, null, signal),
    // Users look for recent actions, so cached entries are always refetched.
    staleTime: 0,
  })
