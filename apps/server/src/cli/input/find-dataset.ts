import type { Dataset } from '@postil/contract/datasets.ts'
import type { AppContext } from '#context.ts'
import { listDatasets } from '#features/datasets/public.ts'
import { listOwn } from '#features/workspaces/public.ts'
import { actorOf } from '#platform/auth/actor.ts'
import { CommandError } from '../command.ts'
import { OPERATOR } from '../with-context.ts'

/** Finds a dataset by ID or name. @throws CommandError if there is none or more than one */
export const findDataset = async (ctx: AppContext, nameOrId: string, workspace: string | undefined): Promise<Dataset> => {
  const { items: workspaces } = await listOwn(ctx, OPERATOR)
  const nameOf = new Map(workspaces.map(({ id, name }) => [id, name]))
  const inside = workspace === undefined ? undefined : workspaces.find(({ name }) => name === workspace)?.id
  if (workspace !== undefined && inside === undefined) throw new CommandError(`There is no workspace '${workspace}'.`)
  const items = await ctx.store.read(listDatasets, { user: actorOf(OPERATOR), filter: { workspace_id: inside } })
  const byName = items.filter(({ name }) => name === nameOrId)
  const found = byName.length > 0 ? byName : items.filter(({ id }) => id === nameOrId.toLowerCase())
  const [dataset] = found
  const where = workspace === undefined ? '' : ` in workspace '${workspace}'`
  if (dataset === undefined) throw new CommandError(`There is no dataset '${nameOrId}'${where}.`)
  if (found.length > 1) {
    const places = found.map(({ workspace_id }) => nameOf.get(workspace_id) ?? workspace_id).join(', ')
    throw new CommandError(`There are ${found.length} datasets named '${nameOrId}'. Choose one with --workspace (${places}).`)
  }
  return dataset
}
