import { checkHubWith, getHubRepository, previewHub } from '@postil/contract/hub.ts'
import { exportDataset, importDataset } from '@postil/contract/jobs.ts'
import type { Limits } from '@postil/contract/limits.ts'
import { type Registration, route } from '#platform/http/route.ts'
import * as preview from './preview.ts'
import * as hub from './service.ts'

/** @param limits how many options a question may have */
export const hubRoutes = (limits: Limits): readonly Registration[] => [
  route(importDataset, ({ ctx, user, params, body }) => hub.startImport(ctx, user, params.dataset_id, body)),
  route(exportDataset, ({ ctx, user, params, body }) => hub.startExport(ctx, user, params.dataset_id, body)),
  route(getHubRepository, ({ ctx, user, query }) => preview.repository(ctx, user, query.name)),
  route(previewHub, ({ ctx, user, query }) => preview.preview(ctx, user, query)),
  route(checkHubWith(limits), ({ ctx, user, body }) => preview.check(ctx, user, body)),
]
