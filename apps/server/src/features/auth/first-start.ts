import type { AppContext } from '#context.ts'
import * as users from '#features/users/public.ts'
import { newApiKey, newPassword } from '#platform/auth/credentials.ts'
import { createOwner } from './commands.ts'
import { createLinkFor } from './service.ts'

/** The entities and secrets that the first start created. Printed once and not stored. */
export type FirstOwner = {
  readonly username: string
  readonly workspace: string
  /** Null if the configuration sets the password, because the operator already knows that password. */
  readonly password: string | null
  readonly apiKey: string | null
  /** Token of the one-time sign-in link `<public address>/sign-in#link=<token>`. */
  readonly linkToken: string
}

/**
 * Creates the first owner and workspace in an empty store, with the configured or generated secrets. Does nothing and returns
 * null if a user exists. Safe to run in several processes at once.
 */
export const ensureOwner = async (ctx: AppContext): Promise<FirstOwner | null> => {
  if (await ctx.store.read(users.hasUsers, null)) return null
  const { ownerUsername: username, ownerWorkspace: workspace, ownerPassword, ownerApiKey } = ctx.config
  const apiKey = ownerApiKey ?? newApiKey()
  const password = ownerPassword ?? newPassword()
  const user = await users.newUserRow(ctx, { first_name: '', username, role: 'owner', password, api_key: apiKey })
  const owner = await ctx.store.write(createOwner, { user, workspace })
  if (owner === null) return null
  return {
    username,
    workspace,
    password: ownerPassword === undefined ? password : null,
    apiKey: ownerApiKey === undefined ? apiKey : null,
    linkToken: await createLinkFor(ctx, owner),
  }
}
