import type { Dataset } from '@postil/contract/datasets.ts'
import type { AppContext } from '#context.ts'
import { listMyDatasets } from '#features/datasets/service.ts'
import { listMine } from '#features/workspaces/service.ts'
import { CommandError } from '../command.ts'
import { OPERATOR } from '../with-context.ts'

/** The dataset that is meant, by its id or by its name. @throws CommandError where there is none, or more than one */
export const chosen = async (ctx: AppContext, given: string, workspace: string | undefined): Promise<Dataset> => {
  const { items: workspaces } = await listMine(ctx, OPERATOR)
  const nameOf = new Map(workspaces.map(({ id, name }) => [id, name]))
  const inside = workspace === undefined ? undefined : workspaces.find(({ name }) => name === workspace)?.id
  if (workspace !== undefined && inside === undefined) throw new CommandError(`There is no workspace '${workspace}'.`)
  const { items } = await listMyDatasets(ctx, OPERATOR, { workspace_id: inside })
  const byName = items.filter(({ name }) => name === given)
  const found = byName.length > 0 ? byName : items.filter(({ id }) => id === given.toLowerCase())
  const [dataset] = found
  const where = workspace === undefined ? '' : ` in workspace '${workspace}'`
  if (dataset === undefined) throw new CommandError(`There is no dataset '${given}'${where}.`)
  if (found.length > 1) {
    const places = found.map(({ workspace_id }) => nameOf.get(workspace_id) ?? workspace_id).join(', ')
    throw new CommandError(`There are ${found.length} datasets '${given}': say by --workspace which one (${places}).`)
  }
  return dataset
}
