import {
  createDataset,
  deleteDataset,
  getDataset,
  listMyDatasets,
  publishDataset,
  updateDataset,
} from '@postil/contract/datasets.ts'
import { actorOf } from '#platform/auth/actor.ts'
import { route } from '#platform/http/route.ts'
import * as commands from './commands.ts'
import * as queries from './queries.ts'

export const datasetRoutes = [
  route(listMyDatasets, async ({ ctx, user, query }) => ({
    items: await ctx.store.read(queries.listDatasets, { user: actorOf(user), filter: query }),
  })),
  route(createDataset, ({ ctx, user, body }) => ctx.store.write(commands.createDataset, { user: actorOf(user), body })),
  route(getDataset, ({ ctx, user, params }) =>
    ctx.store.read(queries.getDataset, { user: actorOf(user), id: params.dataset_id }),
  ),
  route(updateDataset, ({ ctx, user, params, body }) =>
    ctx.store.write(commands.updateDataset, { user: actorOf(user), id: params.dataset_id, body }),
  ),
  route(
    publishDataset,
    ({ ctx, user, params }) => ctx.store.write(commands.publishDataset, { user: actorOf(user), id: params.dataset_id }),
    // Clients upload a dataset's records, in large requests, right after they publish it
    { beforeLarge: true },
  ),
  route(deleteDataset, ({ ctx, user, params }) =>
    ctx.store.write(commands.deleteDataset, { user: actorOf(user), id: params.dataset_id }),
  ),
]
