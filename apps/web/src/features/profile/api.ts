import type { listMyWorkspaces } from '@postil/contract/workspace-endpoints.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'

/** The workspaces that the caller works in. */
export const myWorkspacesQuery = () =>
  queryOptions({
    queryKey: ['my-workspaces'],
    queryFn: async ({ signal }) => (await call<typeof listMyWorkspaces>('GET', '/api/v1/me/workspaces', { signal })).items,
  })
