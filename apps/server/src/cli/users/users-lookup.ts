import type { AppContext } from '#context.ts'
import { hashToken } from '#platform/auth/credentials.ts'
import type { User } from '#platform/auth/user.ts'
import { findUserByKey, findUserToSignIn } from '#platform/auth/user-queries.ts'

export const findByName = async (ctx: AppContext, username: string): Promise<User | null> =>
  ctx.store.read(findUserToSignIn, { username })

/** A sentence that says why the user can't be created, or null if the user can be created. */
export const existing = async (
  ctx: AppContext,
  user: { readonly username: string; readonly api_key: string },
): Promise<string | null> => {
  if (await findByName(ctx, user.username)) return `User '${user.username}' already exists.`
  return (await ctx.store.read(findUserByKey, { api_key_hash: hashToken(user.api_key) }))
    ? 'Another user already has this API key.'
    : null
}
