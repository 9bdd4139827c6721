import { z } from 'zod'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { maxUniqueName } from '../wire/limits.ts'
import { patch } from '../wire/patch.ts'
import { bool, boolOr, itemsOf, printedDatetime, printedUuid, text, uuid } from '../wire/scalars.ts'
import { passwordMax, passwordMin } from './password-rules.ts'
import { SecondFactorDue } from './second-factor.ts'
import { Workspace } from './workspaces.ts'

export const UserRole = z.enum(['owner', 'admin', 'annotator'])
export type UserRole = z.infer<typeof UserRole>

export const User = z.strictObject({
  id: printedUuid(),
  first_name: z.string(),
  last_name: z.string().nullable(),
  username: z.string(),
  role: UserRole,
  /** Visible to the user and to owners. `""` for others. */
  api_key: z.string(),
  /** False if the user may not sign in. */
  active: z.boolean(),
  /** Whether the user is a program. Agents can't answer. */
  agent: z.boolean(),
  inserted_at: printedDatetime(),
  updated_at: printedDatetime(),
})
export type User = z.infer<typeof User>

/** The caller. */
export const Me = User.extend({
  /**
   * Present only if the caller's second factor is still missing. While it is missing, `api_key` is `""`, and requests to most
   * endpoints are refused.
   */
  second_factor_due: SecondFactorDue.optional(),
  /**
   * Present only for the demo user, which many people share, and only in browser sessions, not for API keys and tokens. With it,
   * `api_key` is `""`, and the account can't be changed.
   */
  shared: z.literal(true).optional(),
})
export type Me = z.infer<typeof Me>

const name = text({ trim: true, min: 1 })
const username = text({ min: 1, max: maxUniqueName })
/** A password can contain any characters. One that a person chooses in the web app must also pass `passwordFault`. */
export const newPassword = text({ min: passwordMin, max: passwordMax })

export const UserCreate = z.object({
  id: uuid().nullish(),
  first_name: name,
  last_name: name.nullish(),
  username,
  role: UserRole.nullish().transform((role): UserRole => role ?? 'annotator'),
  password: newPassword,
  agent: boolOr(false),
})
export type UserCreate = z.infer<typeof UserCreate>

export const UserUpdate = patch(
  { first_name: name, username, role: UserRole, password: newPassword, active: bool(), agent: bool() },
  { last_name: name },
)
export type UserUpdate = z.infer<typeof UserUpdate>

export const getMe = defineEndpoint({
  id: 'users.me',
  method: 'GET',
  path: '/me',
  result: Me,
  summary: 'Get the caller',
})
export const listUsers = defineEndpoint({
  id: 'users.list',
  method: 'GET',
  path: '/users',
  result: itemsOf(User),
  errors: [403],
  summary: 'List all users, oldest first',
})
export const getUser = defineEndpoint({
  id: 'users.get',
  method: 'GET',
  path: '/users/:user_id',
  result: User,
  errors: [403, 404],
  summary: 'Get a user',
})
export const createUser = defineEndpoint({
  id: 'users.create',
  method: 'POST',
  path: '/users',
  body: UserCreate,
  status: 201,
  result: User,
  errors: [403, 409],
  summary: 'Create a user',
})
export const updateUser = defineEndpoint({
  id: 'users.update',
  method: 'PATCH',
  path: '/users/:user_id',
  body: UserUpdate,
  result: User,
  errors: [403, 404],
  summary: 'Update a user',
})
export const changeApiKey = defineEndpoint({
  id: 'users.change_api_key',
  method: 'POST',
  path: '/users/:user_id/api-key',
  addition: true,
  result: User,
  errors: [403, 404],
  summary: 'Replace the API key of a user; the old key stops working at once',
})
export const deleteUser = defineEndpoint({
  id: 'users.delete',
  method: 'DELETE',
  path: '/users/:user_id',
  result: User,
  errors: [403, 404, 409],
  summary: 'Delete a user with their memberships and responses',
})
export const listUserWorkspaces = defineEndpoint({
  id: 'users.workspaces',
  method: 'GET',
  path: '/users/:user_id/workspaces',
  result: itemsOf(Workspace),
  errors: [403, 404],
  summary: 'List the workspaces that a user can see',
})

export const userEndpoints = [
  getMe,
  listUsers,
  getUser,
  createUser,
  updateUser,
  changeApiKey,
  deleteUser,
  listUserWorkspaces,
] as const
