import type { UserCreate, UserUpdate } from '@postil/contract/people/users.ts'
import type { QueryClient } from '@tanstack/react-query'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'

/** All users, oldest first. For owners. */
export const usersQuery = () =>
  queryOptions({
    queryKey: ['administration', 'users'],
    queryFn: async ({ signal }) => (await call('GET /users', { signal })).items,
  })

/** The people whom the user may see, with workspaces, last activity and second factor. For owners and admins. */
export const peopleQuery = () =>
  queryOptions({
    queryKey: ['administration', 'people'],
    queryFn: async ({ signal }) => (await call('GET /people', { signal })).items,
    // The times of the last activity are only useful if they are current.
    staleTime: 0,
  })

/** All workspaces. Owners see every workspace. */
export const workspacesQuery = () =>
  queryOptions({
    queryKey: ['administration', 'workspaces'],
    queryFn: async ({ signal }) => (await call('GET /me/workspaces', { signal })).items,
  })

export const membersQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['administration', 'members', workspaceId],
    queryFn: async ({ signal }) =>
      (await call('GET /workspaces/:workspace_id/users', { params: { workspace_id: workspaceId }, signal })).items,
  })

export const workspacesOfUserQuery = (userId: string) =>
  queryOptions({
    queryKey: ['administration', 'workspaces-of', userId],
    queryFn: async ({ signal }) => (await call('GET /users/:user_id/workspaces', { params: { user_id: userId }, signal })).items,
  })

export type NewUser = Pick<UserCreate, 'first_name' | 'last_name' | 'username' | 'role' | 'password' | 'agent'>

/**
 * The administration page's mutations. Each call rejects with ApiError on failure. After each call, all of the page's queries
 * are invalidated.
 */
export const administrationCalls = (client: QueryClient) => {
  const thenRefresh = async <T>(done: Promise<T>): Promise<T> => {
    try {
      return await done
    } finally {
      await client.invalidateQueries({ queryKey: ['administration'] })
    }
  }
  const addMember = (workspaceId: string, userId: string) =>
    call('POST /workspaces/:workspace_id/users', { params: { workspace_id: workspaceId }, body: { user_id: userId } })
  return {
    createUser: (user: NewUser, memberOf: readonly string[]) =>
      thenRefresh(
        call('POST /users', { body: user }).then(async (created) => {
          for (const workspaceId of memberOf) await addMember(workspaceId, created.id)
          return created
        }),
      ),
    updateUser: (id: string, change: UserUpdate) =>
      thenRefresh(call('PATCH /users/:user_id', { params: { user_id: id }, body: change })),
    changeApiKey: (id: string) => thenRefresh(call('POST /users/:user_id/api-key', { params: { user_id: id } })),
    removeSecondFactor: (id: string) => call('DELETE /users/:user_id/second-factor', { params: { user_id: id } }),
    endSessions: (id: string) => call('DELETE /users/:user_id/sessions', { params: { user_id: id } }),
    deleteUser: (id: string) => thenRefresh(call('DELETE /users/:user_id', { params: { user_id: id } })),
    createWorkspace: (name: string) => thenRefresh(call('POST /workspaces', { body: { name } })),
    deleteWorkspace: (id: string) => thenRefresh(call('DELETE /workspaces/:workspace_id', { params: { workspace_id: id } })),
    addMember: (workspaceId: string, userId: string) => thenRefresh(addMember(workspaceId, userId)),
    removeMember: (workspaceId: string, userId: string) =>
      thenRefresh(
        call('DELETE /workspaces/:workspace_id/users/:user_id', { params: { workspace_id: workspaceId, user_id: userId } }),
      ),
  }
}
export type AdministrationCalls = ReturnType<typeof administrationCalls>
