import type { Me, UserCreate, User as UserPayload, UserUpdate } from '@postil/contract/people/users.ts'
import { forbidden, invalid, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { AppContext } from '#context.ts'
import * as queue from '#features/queue/public.ts'
import { hashToken, newApiKey } from '#platform/auth/credentials.ts'
import { weaknessOf } from '#platform/auth/passwords/password-rules.ts'
import type { Secrets } from '#platform/auth/secrets/secrets.ts'
import type { User } from '#platform/auth/user.ts'
import { now, printTime } from '#platform/time.ts'
import * as commands from './commands.ts'
import { userPolicy } from './policy.ts'
import * as queries from './queries.ts'
import type { UserRow } from './rows.ts'

/** Returns a user in wire format for `viewer`. Only the user and owners see the API key. */
const presentUser = (secrets: Secrets, viewer: User, row: UserRow): UserPayload => ({
  id: row.id,
  first_name: row.first_name,
  last_name: row.last_name,
  username: row.username,
  role: row.role,
  api_key: userPolicy.seeApiKey(viewer, row.id) ? (secrets.decrypt(row.api_key_sealed) ?? '') : '',
  active: row.deactivated_at === null,
  agent: row.is_agent,
  inserted_at: printTime(row.inserted_at),
  updated_at: printTime(row.updated_at),
})

/** Returns a row in wire format for a viewer, for features that list users. */
export const present = (ctx: AppContext, viewer: User, row: UserRow): UserPayload => presentUser(ctx.secrets, viewer, row)

const load = async (ctx: AppContext, id: string): Promise<UserRow> => {
  const row = await ctx.store.read(queries.getUser, { id })
  if (row === null) throw notFound('User', id)
  return row
}

export const getMe = async (ctx: AppContext, user: User): Promise<Me> => ({
  ...present(ctx, user, await load(ctx, user.id)),
  ...(user.due && { second_factor_due: user.due }),
  ...(user.isShared && { shared: true as const }),
})

export const listUsers = async (ctx: AppContext, user: User): Promise<{ items: UserPayload[] }> => {
  if (!userPolicy.list(user)) throw forbidden()
  const rows = await ctx.store.read(queries.listUserRows, null)
  return { items: rows.map((row) => present(ctx, user, row)) }
}

export const getUser = async (ctx: AppContext, user: User, id: string): Promise<UserPayload> => {
  if (!userPolicy.get(user)) throw forbidden()
  return present(ctx, user, await load(ctx, id))
}

/** The properties of a new user. If `api_key` is omitted, the user gets a random API key. */
type UserInput = Omit<UserCreate, 'id' | 'last_name' | 'agent'> &
  Partial<Pick<UserCreate, 'id' | 'last_name' | 'agent'>> & { readonly api_key?: string }

/** Returns a user ready to be stored. Hashing and sealing the secrets is slow, so it happens outside the store. */
export const newUserRow = async (ctx: AppContext, input: UserInput): Promise<commands.NewUser> => {
  const apiKey = input.api_key ?? newApiKey()
  return {
    id: input.id ?? null,
    first_name: input.first_name,
    last_name: input.last_name ?? null,
    username: input.username,
    role: input.role,
    is_agent: input.agent ?? false,
    password_hash: await ctx.passwords.hash(input.password),
    api_key_hash: hashToken(apiKey),
    api_key_sealed: ctx.secrets.encrypt(apiKey),
  }
}

/** Adds a user without a permission check. Used by the command line and at the first start. @throws Problem `conflict` */
export const addUser = async (ctx: AppContext, input: UserInput): Promise<UserRow> =>
  ctx.store.write(commands.createUser, await newUserRow(ctx, input))

/** Checks a password chosen by a user. @throws Problem `validation` if it is easy to guess */
export const checkChosenPassword = async (password: string, username: string): Promise<void> => {
  const weakness = await weaknessOf(password, username)
  if (weakness === null) return
  throw invalid([{ type: 'value_error', loc: ['body', 'password'], msg: `Value error, choose another password: ${weakness}` }])
}

export const createUser = async (ctx: AppContext, user: User, body: UserCreate): Promise<UserPayload> => {
  if (!userPolicy.create(user)) throw forbidden()
  // This check applies only in the browser. Scripts that use Argilla's API may set any password of the allowed length.
  if (user.isInBrowser) await checkChosenPassword(body.password, body.username)
  return present(ctx, user, await addUser(ctx, body))
}

/** @throws Problem not_found, forbidden */
export const checkMayUpdate = async (ctx: AppContext, user: User, id: string): Promise<void> => {
  await load(ctx, id)
  if (!userPolicy.update(user)) throw forbidden()
}

export const updateUser = async (ctx: AppContext, user: User, id: string, body: UserUpdate): Promise<UserPayload> => {
  const known = await load(ctx, id)
  if (!userPolicy.update(user)) throw forbidden()
  if (body.active === false && id === user.id) throw unprocessable(message('deactivateSelf'))
  const { password, agent, ...change } = body
  if (password !== undefined && user.isInBrowser) await checkChosenPassword(password, body.username ?? known.username)
  const password_hash = password === undefined ? undefined : await ctx.passwords.hash(password)
  const row = await ctx.store.write(commands.updateUser, {
    id,
    change: {
      ...change,
      ...(password_hash !== undefined && { password_hash }),
      ...(agent !== undefined && { is_agent: agent }),
    },
    at: now(),
  })
  if (body.active === false || agent === true) await queue.releaseEverywhere(ctx, id)
  return present(ctx, user, row)
}

/** Replaces the API key of the caller or another user. */
export const changeApiKey = async (ctx: AppContext, user: User, id: string): Promise<UserPayload> => {
  await load(ctx, id)
  if (!userPolicy.changeApiKey(user, id)) throw forbidden()
  const apiKey = newApiKey()
  const row = await ctx.store.write(commands.changeApiKey, {
    id,
    api_key_hash: hashToken(apiKey),
    api_key_sealed: ctx.secrets.encrypt(apiKey),
  })
  return present(ctx, user, row)
}

export const deleteUser = async (ctx: AppContext, user: User, id: string): Promise<UserPayload> => {
  await load(ctx, id)
  if (!userPolicy.delete(user)) throw forbidden()
  return present(ctx, user, await ctx.store.write(commands.deleteUser, { id }))
}

/**
 * Sets a new password for a user who has just confirmed the old one. Ends all of the user's sessions and tokens. @throws
 * Problem `validation`
 */
export const setPassword = async (ctx: AppContext, { id, username }: User, password: string): Promise<void> => {
  await checkChosenPassword(password, username)
  const password_hash = await ctx.passwords.hash(password)
  await ctx.store.write(commands.updateUser, { id, change: { password_hash }, at: now() })
}

/** After a password has been verified, hashes it again with the current parameters and replaces the old hash. */
export const renewPasswordHash = async (ctx: AppContext, id: string, was: string, password: string): Promise<void> =>
  ctx.store.write(commands.renewPasswordHash, { id, was, password_hash: await ctx.passwords.hash(password) })
