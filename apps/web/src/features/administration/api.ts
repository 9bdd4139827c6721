import type { deleteSessionsOf } from '@postil/contract/people/auth.ts'
import type { removeSecondFactorOf } from '@postil/contract/people/second-factor.ts'
import type {
  changeApiKey,
  createUser,
  deleteUser,
  listUsers,
  listUserWorkspaces,
  UserCreate,
  UserUpdate,
  updateUser,
} from '@postil/contract/people/users.ts'
import type {
  addWorkspaceUser,
  createWorkspace,
  deleteWorkspace,
  listMyWorkspaces,
  listWorkspaceUsers,
  removeWorkspaceUser,
} from '@postil/contract/people/workspace-endpoints.ts'
import type { QueryClient } from '@tanstack/react-query'
import { queryOptions } from '@tanstack/react-query'
import { call, path } from '#lib/api/client.ts'

const users = '/api/v1/users'
const workspaces = '/api/v1/workspaces'

/** All users, oldest first. For owners. */
export const usersQuery = () =>
  queryOptions({
    queryKey: ['administration', 'users'],
    queryFn: async ({ signal }) => (await call<typeof listUsers>('GET', users, { signal })).items,
  })

/** All workspaces. Owners see every workspace. */
export const workspacesQuery = () =>
  queryOptions({
    queryKey: ['administration', 'workspaces'],
    queryFn: async ({ signal }) => (await call<typeof listMyWorkspaces>('GET', '/api/v1/me/workspaces', { signal })).items,
  })

export const membersQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['administration', 'members', workspaceId],
    queryFn: async ({ signal }) =>
      (await call<typeof listWorkspaceUsers>('GET', path(workspaces, workspaceId, 'users'), { signal })).items,
  })

export const workspacesOfUserQuery = (userId: string) =>
  queryOptions({
    queryKey: ['administration', 'workspaces-of', userId],
    queryFn: async ({ signal }) =>
      (await call<typeof listUserWorkspaces>('GET', path(users, userId, 'workspaces'), { signal })).items,
  })

export type NewUser = Pick<UserCreate, 'first_name' | 'last_name' | 'username' | 'role' | 'password'>

/** The page's mutations. Each call rejects with ApiError. Afterwards all queries of the page are invalidated. */
export const administrationCalls = (client: QueryClient) => {
  const thenRefresh = async <T>(done: Promise<T>): Promise<T> => {
    try {
      return await done
    } finally {
      await client.invalidateQueries({ queryKey: ['administration'] })
    }
  }
  const addMember = (workspaceId: string, userId: string) =>
    call<typeof addWorkspaceUser>('POST', path(workspaces, workspaceId, 'users'), { body: { user_id: userId } })
  return {
    createUser: (user: NewUser, memberOf: readonly string[]) =>
      thenRefresh(
        call<typeof createUser>('POST', users, { body: user }).then(async (created) => {
          for (const workspaceId of memberOf) await addMember(workspaceId, created.id)
          return created
        }),
      ),
    updateUser: (id: string, change: UserUpdate) =>
      thenRefresh(call<typeof updateUser>('PATCH', path(users, id), { body: change })),
    changeApiKey: (id: string) => thenRefresh(call<typeof changeApiKey>('POST', path(users, id, 'api-key'))),
    removeSecondFactor: (id: string) => call<typeof removeSecondFactorOf>('DELETE', path(users, id, 'second-factor')),
    endSessions: (id: string) => call<typeof deleteSessionsOf>('DELETE', path(users, id, 'sessions')),
    deleteUser: (id: string) => thenRefresh(call<typeof deleteUser>('DELETE', path(users, id))),
    createWorkspace: (name: string) => thenRefresh(call<typeof createWorkspace>('POST', workspaces, { body: { name } })),
    deleteWorkspace: (id: string) => thenRefresh(call<typeof deleteWorkspace>('DELETE', path(workspaces, id))),
    addMember: (workspaceId: string, userId: string) => thenRefresh(addMember(workspaceId, userId)),
    removeMember: (workspaceId: string, userId: string) =>
      thenRefresh(call<typeof removeWorkspaceUser>('DELETE', path(workspaces, workspaceId, 'users', userId))),
  }
}
export type AdministrationCalls = ReturnType<typeof administrationCalls>
