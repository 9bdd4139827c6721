import type { HubExport, HubImport, Job } from '@postil/contract/jobs.ts'
import { getJob } from '#features/jobs/public.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Secrets } from '#platform/auth/secrets/secrets.ts'
import type { Store } from '#platform/db/store.ts'
import * as commands from './commands.ts'

type Ctx = { readonly store: Store; readonly secrets: Pick<Secrets, 'encrypt'> }

/** Starts an import from the Hub. @returns its job. @throws Problem not_found, forbidden */
export const startImport = async (ctx: Ctx, user: Actor, dataset_id: string, body: HubImport): Promise<Job> => {
  const { name, subset, split, mapping, token } = body
  const sealed = token ? ctx.secrets.encrypt(token) : null
  const source = { name, subset, split }
  const id = await ctx.store.write(commands.startImport, { user: actorOf(user), dataset_id, source, mapping, sealed })
  return getJob(ctx, user, id)
}

/** Starts an export to the Hub. @returns its job. @throws Problem not_found, forbidden, unprocessable */
export const startExport = async (ctx: Ctx, user: Actor, dataset_id: string, body: HubExport): Promise<Job> => {
  const { token, ...target } = body
  const sealed = ctx.secrets.encrypt(token)
  const id = await ctx.store.write(commands.startExport, { user: actorOf(user), dataset_id, target, sealed })
  return getJob(ctx, user, id)
}
