import {
  createDataset,
  deleteDataset,
  getDataset,
  listMyDatasets,
  publishDataset,
  updateDataset,
} from '@postil/contract/datasets.ts'
import { route } from '#platform/http/route.ts'
import * as datasets from './service.ts'

export const datasetRoutes = [
  route(listMyDatasets, ({ ctx, user, query }) => datasets.listMyDatasets(ctx, user, query)),
  route(createDataset, ({ ctx, user, body }) => datasets.createDataset(ctx, user, body)),
  route(getDataset, ({ ctx, user, params }) => datasets.getDataset(ctx, user, params.dataset_id)),
  route(updateDataset, ({ ctx, user, params, body }) => datasets.updateDataset(ctx, user, params.dataset_id, body)),
  // A client that publishes a dataset uploads its records next
  route(publishDataset, ({ ctx, user, params }) => datasets.publishDataset(ctx, user, params.dataset_id), { beforeLarge: true }),
  route(deleteDataset, ({ ctx, user, params }) => datasets.deleteDataset(ctx, user, params.dataset_id)),
]
